import HTTPServer
import Testing

struct TargetTests {
    private func request(_ target: String) -> HTTPRequest? { HTTPRequest(method: "GET", target: target) }

    @Test(arguments: [
        ("/", []), ("/a", ["a"]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("//a", ["", "a"]), ("/a%2Fb", ["a/b"]),
        ("/%E5%B1%B1", ["山"]), ("/a+b", ["a+b"]), ("/%2B", ["+"]), ("/...", ["..."]), ("/a?b/c", ["a"]), ("/?", []),
        ("/a;b=c", ["a;b=c"]), ("/%25", ["%"]), ("/%252F", ["%2F"]),
    ])
    func `segments are decoded once, one by one`(_ target: String, _ segments: [String]) throws {
        #expect(try #require(request(target)).segments == segments)
    }

    @Test(arguments: [
        "", "a", "*", "?a=b", "http://x/a", "/%", "/%4", "/%4g", "/%g4", "/a%", "/?%", "/?a=%1", "/%00", "/%0a", "/%7F",
        "/%c0%af", "/%ed%a0%80", "/%ff", "/%E5%B1", "/./a", "/a/..", "/%2e%2e/a", "/%2E/a", "/a#b", "/a b", "/a\\b",
        "/<a>",
        "/\"", "/{a}", "/a|b", "/a^b", "/`", "/\t", "/山", "/?山", "/?a=%00",
    ])
    func `what is no path in origin form, or could be read in two ways, is no target`(_ target: String) {
        #expect(request(target) == nil)
    }

    @Test(arguments: [
        ("/?a=b", [["a", "b"]]), ("/?a=b&a=c", [["a", "b"], ["a", "c"]]), ("/?a", [["a", ""]]), ("/?a=", [["a", ""]]),
        ("/?=b", [["", "b"]]), ("/?a=b=c", [["a", "b=c"]]), ("/?&&a=b&", [["a", "b"]]),
        ("/?a+b=c+d", [["a b", "c d"]]),
        ("/?a%3Db=%26", [["a=b", "&"]]), ("/?a=b?c", [["a", "b?c"]]), ("/?", []), ("/", []),
    ])
    func `a query is pairs in order, nothing lost and nothing merged`(_ target: String, _ pairs: [[String]]) throws {
        #expect(try #require(request(target)).query.map { [$0.0, $0.1] } == pairs)
    }

    @Test func `fields are found without regard to case, and kept in order`() {
        var headers = HTTPHeaders([(name: "X-A", value: "1"), (name: "x-a", value: "2")])
        headers.add("X-B", "3")
        #expect(headers["x-A"] == "1")
        #expect(headers.values(of: "X-a") == ["1", "2"])
        #expect(headers["X-C"] == nil && headers["X"] == nil)
        #expect(headers.fields.map(\.value) == ["1", "2", "3"])
    }
}
