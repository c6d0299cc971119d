import JSONTree
import VerificationCore

/// Why an answer cannot be used. What it holds is in no error.
struct UnreadableAnswer: Error {
    /// Static words for the operator.
    let diagnostic: StaticString
    /// The manifest's pointer or name that did not fit.
    let place: String?
    let file: StaticString
    let line: Int

    init(
        _ diagnostic: StaticString, at place: String? = nil, file: StaticString = #fileID, line: Int = #line
    ) {
        self.diagnostic = diagnostic
        self.place = place
        self.file = file
        self.line = line
    }
}

/// Reads single values of an answer.
enum AnswerValues {
    /// The longest identifier, reference or code.
    static let longestIdentifier = 256
    /// The longest value that is kept for a later step: a signed token is half of it.
    static let longestKept = 8192

    /// A text or a whole number, as text; `nil` where there is none or it is null.
    static func identifier(
        _ pointer: JSONPointer, in root: JSONNode, limit: Int = longestIdentifier
    ) throws(UnreadableAnswer) -> String? {
        guard let node = pointer.presentValue(in: root) else { return nil }
        let text: String
        switch JSONScalar(node) {
        case .text(let string): text = string
        case .integer(let number): text = String(number)
        case .boolean, .null, nil: throw UnreadableAnswer("an identifier of the answer is no text", at: pointer.text)
        }
        guard (1...limit).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw UnreadableAnswer("an identifier of the answer is empty, too long or no plain text", at: pointer.text)
        }
        return text
    }

    /// An instant; `nil` where there is none.
    static func instant(_ place: TimePlace?, in root: JSONNode) throws(UnreadableAnswer) -> Timestamp? {
        guard let place, let node = place.pointer.presentValue(in: root) else { return nil }
        guard let time = instant(node, as: place.form) else {
            throw UnreadableAnswer("a time of the answer is not written as declared", at: place.pointer.text)
        }
        return time
    }

    static func instant(_ node: JSONNode, as form: TimeForm) -> Timestamp? {
        switch form {
        case .rfc3339: return node.string.flatMap { RFC3339.timestamp($0) }
        case .epochSeconds:
            // Up to the year 9999, so that nothing overflows.
            guard let seconds = integer(node), (0...253_402_300_799).contains(seconds) else { return nil }
            return Timestamp(seconds: seconds)
        case .epochMilliseconds:
            guard let milliseconds = integer(node), (0...253_402_300_799_999).contains(milliseconds) else { return nil }
            return Timestamp(milliseconds: milliseconds)
        }
    }

    /// A whole number, also where it stands in a string.
    static func integer(_ node: JSONNode) -> Int64? {
        switch JSONScalar(node) {
        case .integer(let number): number
        case .text(let text):
            (1...18).contains(text.utf8.count)
                && text.utf8.enumerated().allSatisfy {
                    (0x30...0x39).contains($0.element) || $0.offset == 0 && $0.element == 0x2D && text.utf8.count > 1
                } ? Int64(text) : nil
        case .boolean, .null, nil: nil
        }
    }

    /// A pause from an instant on; one that is not written as declared is none, since nothing hangs on it.
    static func pause(_ place: PausePlace?, in root: JSONNode, at now: Timestamp) -> Duration? {
        guard let place, let node = place.pointer.presentValue(in: root) else { return nil }
        let pause: Duration?
        switch place.form {
        case .seconds: pause = integer(node).map { .seconds($0) }
        case .milliseconds: pause = integer(node).map { .milliseconds($0) }
        case .rfc3339: pause = instant(node, as: .rfc3339).map { $0.duration(since: now) }
        }
        guard let pause, pause >= .zero else { return nil }
        return min(pause, longestPause)
    }

    /// The longest pause that is believed.
    static let longestPause: Duration = .seconds(86_400)
}
