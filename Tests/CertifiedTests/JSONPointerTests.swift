import JSONTree
import Testing

@testable import Certified

/// RFC 6901, with the examples of its section 5.
@Suite struct JSONPointerTests {
    static let document = #"""
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
         "nothing": null, "01": 9, "deep": {"": {"": 10}}, "-": 11}
        """#

    private func number(_ pointer: String) throws -> Int64? {
        let root = try JSONNode.parse(Array(Self.document.utf8), syntax: .json)
        guard case .number(let number)? = try #require(JSONPointer(pointer)).value(in: root)?.kind else { return nil }
        return number.integer
    }

    @Test(
        arguments: [
            ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7),
            ("/m~0n", 8), ("/01", 9), ("/deep//", 10), ("/-", 11),
        ] as [(String, Int64)])
    func `the examples of the standard`(pointer: String, value: Int64) throws {
        #expect(try number(pointer) == value)
    }

    @Test func `the empty pointer is the whole, and elements go by index`() throws {
        let root = try JSONNode.parse(Array(Self.document.utf8), syntax: .json)
        #expect(JSONPointer("")?.value(in: root)?.members?.count == 14)
        #expect(JSONPointer("/foo/0")?.value(in: root)?.string == "bar")
        #expect(JSONPointer("/foo/1")?.value(in: root)?.string == "baz")
        for none in [
            "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/x", "/foo/", "/foo/99999999999", "/bar",
        ] {
            #expect(JSONPointer(none)?.value(in: root) == nil)
        }
    }

    @Test(arguments: ["foo", "/~", "/~2", "/a~", " /a", "#/a", "/" + String(repeating: "x", count: 512)])
    func `broken pointers are none`(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test func `null is there, and is no value`() throws {
        let root = try JSONNode.parse(Array(Self.document.utf8), syntax: .json)
        #expect(JSONPointer("/nothing")?.value(in: root) != nil)
        #expect(JSONPointer("/nothing")?.presentValue(in: root) == nil)
        #expect(JSONPointer("/nothing/more")?.value(in: root) == nil)
    }

    @Test func `~01 is ~1 and not a slash`() throws {
        #expect(JSONPointer("/~01")?.tokens == ["~1"])
    }
}
