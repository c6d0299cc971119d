import Billing
import HTTPServer
import VerificationCore

/// The parameters that the endpoints of usage share.
extension QueryReader {
    /// A month of the billing calendar, which must be there.
    mutating func month() throws(Problem) -> BillingMonth {
        guard let text = try value("month"), let month = BillingMonth(text) else {
            throw Problem(.requestInvalid, "month must be a month such as 2026-11")
        }
        return month
    }

    /// What to show usage by: names with commas between, each once; by verifier where nothing is said.
    mutating func groupings() throws(Problem) -> [UsageGrouping] {
        guard let text = try value("by") else { return [.verifier] }
        guard let groupings = UsageGrouping.list(text) else {
            let names = UsageGrouping.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.requestInvalid, "by must be some of \(names), each once, with commas between")
        }
        return groupings
    }

    /// Yes or no; no where nothing is said.
    mutating func flag(_ name: String) throws(Problem) -> Bool {
        switch try value(name) {
        case nil, "false": return false
        case "true": return true
        case .some: throw Problem(.requestInvalid, "\(name) must be true or false")
        }
    }
}

extension HTTPResponse {
    /// An answer in a form of its own, as a file where a person's browser asks for it.
    static func file(
        _ body: [UInt8], type: String, name: String? = nil, headers: [(String, String)] = []
    ) -> HTTPResponse {
        var all = [("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
        if let name { all.append(("Content-Disposition", "attachment; filename=\"\(name)\"")) }
        return HTTPResponse(status: 200, headers: all + headers, body: body)
    }
}

/// Media types of the forms that usage is given in.
enum UsageMedia {
    static let csv = "text/csv; charset=utf-8"
    static let text = "text/plain; charset=utf-8"
    static let lines = "application/jsonl"
}
