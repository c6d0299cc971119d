import HTTPServer

/// Requests with bodies that are not JSON.
enum HTTPRequestMaker {
    static func request(
        _ method: String, _ target: String, key: String, type: String, body: [UInt8]
    ) -> HTTPRequest? {
        let fields = HTTPHeaders([
            (name: "Host", value: "localhost"), (name: "Authorization", value: "Bearer " + key),
            (name: "Content-Type", value: type),
        ])
        return HTTPRequest(method: method, target: target, headers: fields, body: body)
    }
}
