import JSONTree
import Testing

@Suite struct WriterTests {
    @Test func `answers are compact, ordered, and escape what JSON must escape, nothing else`() {
        let value = JSONValue.object([
            ("z", .string("\"\\/\u{8}\u{9}\u{A}\u{C}\u{D}\u{0}\u{1F}\u{7F}")),
            ("a", .array([.null, .boolean(true), .integer(-7)])),
            ("名", .string("𠮷　葛\u{E0100}\u{2028}é")), ("o", .object([])), ("n", .string(orNull: nil)),
        ])
        #expect(
            value.text
                == #"{"z":"\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7F}" + #"","a":[null,true,-7],"名":"𠮷　葛"#
                + "\u{E0100}\u{2028}é" + #"","o":{},"n":null}"#)
    }

    @Test func `whatever is written can be read again, and says the same`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let value = JSONValue.object([("a", random(depth: 4, using: &generator))])
            let node = try JSONNode.parse(value.encoded(), syntax: .json)
            #expect(rendered(node) == value.text)
        }
    }

    private func random(depth: Int, using generator: inout SystemRandomNumberGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: .null
        case 1: .boolean(.random(using: &generator))
        case 2: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 3, 4: .string(text(using: &generator))
        case 5: .array((0..<3).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            .object((0..<3).map { ("\($0)" + text(using: &generator), random(depth: depth - 1, using: &generator)) })
        }
    }

    private func text(using generator: inout SystemRandomNumberGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
            let limit: UInt32 = Bool.random(using: &generator) ? 0x80 : 0x11_0000
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) { text.append(scalar) }
        }
        return String(text)
    }
}
