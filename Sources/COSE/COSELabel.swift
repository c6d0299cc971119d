import CBOR

/// The labels of header parameters (RFC 9052 §3.1, RFC 9360 §2), compared by value however they are spelt.
enum COSELabel {
    static let algorithm: Int64 = 1
    static let critical: Int64 = 2
    static let contentType: Int64 = 3
    static let keyIdentifier: Int64 = 4
    static let initializationVector: Int64 = 5
    static let partialInitializationVector: Int64 = 6
    static let certificateChain: Int64 = 33

    /// What `crit` may name: the parameters that we read, or whose meaning asks nothing of a verifier.
    static let understood: Set<Int64> = [algorithm, critical, contentType, keyIdentifier, certificateChain]

    /// Whether an item can be a label: a number or a text (RFC 9052 §1.4).
    static func isLabel(_ item: CBORItem) -> Bool {
        item.kind == .text || (try? item.integer()) != nil
    }

    /// What a map has under the label of another map; `nil` where it has not.
    static func value(in map: CBORItem, under label: CBORItem) -> CBORItem? {
        if let number = try? label.integer() { return map[number] }
        if let text = try? label.text() { return map[text] }
        return nil
    }
}
