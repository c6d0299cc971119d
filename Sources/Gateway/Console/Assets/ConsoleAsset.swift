import HTTPServer

/// The files that pages name. They are built into the binary, and served like everything else of the console.
enum ConsoleAsset: String, Sendable, CaseIterable {
    case style = "style.css"
    case script = "console.js"
    case icon = "icon.svg"

    var response: HTTPResponse {
        HTTPResponse(status: 200, headers: [("Content-Type", type)], body: bytes)
    }

    private var type: String {
        switch self {
        case .style: "text/css; charset=utf-8"
        case .script: "text/javascript; charset=utf-8"
        case .icon: "image/svg+xml"
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .style: PackageResources.style_css
        case .script: PackageResources.console_js
        case .icon: PackageResources.icon_svg
        }
    }
}
