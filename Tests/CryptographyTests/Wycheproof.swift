import Foundation
import TestSupport

/// The files of Project Wycheproof, as far as these tests read them.
enum Wycheproof {
    static func isAvailable(_ name: String) -> Bool {
        Vectors.available(path(name))
    }

    static func load<Group: Decodable>(_ name: String, _: Group.Type) throws -> [Group] {
        let file = try JSONDecoder().decode(File<Group>.self, from: Data(Vectors.bytes(path(name))))
        return file.testGroups
    }

    private static func path(_ name: String) -> String { "crypto/wycheproof/\(name)_test.json" }

    private struct File<Group: Decodable>: Decodable {
        let testGroups: [Group]
    }

    /// What a case must give.
    enum Outcome: String, Decodable {
        case valid, invalid, acceptable
    }

    /// Bytes written as hexadecimal text.
    struct Hex: Decodable {
        let bytes: [UInt8]

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let bytes = hex(text) else { throw CocoaError(.coderReadCorrupt) }
            self.bytes = bytes
        }
    }
}

/// The bytes of hexadecimal text.
func hex(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
        guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else {
            return nil
        }
        bytes.append(byte)
    }
    return bytes
}
