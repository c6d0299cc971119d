import HTTPServer
import JSONTree

extension HTTPResponse {
    /// A JSON answer that no cache keeps.
    static func json(_ status: Int, _ body: JSONValue, headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers,
            body: body.encoded())
    }

    /// A session as the app that owns it sees it.
    static func session(_ view: SessionView, status: Int, headers: [(String, String)] = []) -> HTTPResponse {
        .json(status, SessionRendering.session(view), headers: headers)
    }
}
