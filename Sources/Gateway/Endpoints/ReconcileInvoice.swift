import Billing
import HTTPServer
import JSONTree
import Usage
import VerificationCore

/// `POST /v1/usage/reconciliations`: compares a provider's invoice with the ledger, and with `accept` writes what the
/// named classes of findings correct. Without it nothing changes.
///
/// The file comes as the body (`text/csv`), with everything else in the query, or in a form (`multipart/form-data`).
struct ReconcileInvoice: Sendable {
    /// The forms that it is given in.
    enum Format: String, CaseIterable, Sendable {
        case json, csv
    }

    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        let client = try request.client(.finance)
        let (file, fields) = try Self.parts(request.http)
        var query = QueryReader(fields)
        guard let name = try query.value("verifier") else {
            throw Problem(.requestInvalid, "verifier must say whose invoice it is")
        }
        let verifier = VerifierID(name)
        let month = try query.month()
        let format = try query.enumeration("format", as: Format.self) ?? .json
        let (all, hasMark) = (try query.flag("all"), try query.flag("bom"))
        let kinds = try Self.kinds(try query.value("accept"))
        let note = try query.value("note")
        try query.rejectUnknown(known: "verifier, month, format, all, bom, accept, note")
        let service = UsageService(sessions: sessions)
        guard let kinds else {
            guard note == nil else { throw Problem(.requestInvalid, "note belongs to accept") }
            let check = try await service.reconcile(invoice: file, of: verifier, month: month, by: client)
            return answer(check, format: format, all: all, hasMark: hasMark)
        }
        guard let note, !note.isEmpty, note.unicodeScalars.count <= CloseMonth.longestNote else {
            throw Problem(.requestInvalid, "note must say why, in at most \(CloseMonth.longestNote) characters")
        }
        // It is carried through whether or not the caller stays to hear of it.
        let result = await Task { () async -> Result<Int, Problem> in
            do throws(Problem) {
                return .success(
                    try await service.accept(
                        kinds, of: file, verifier: verifier, month: month, note: note, by: client))
            } catch {
                return .failure(error)
            }
        }.value
        let written = try result.get()
        return Answer(
            .json(
                200,
                .object([
                    ("verifier", .string(name)), ("month", .string(month.description)),
                    ("accepted", .array(kinds.map(\.rawValue).sorted().map { .string($0) })),
                    ("written", .integer(written)),
                ])))
    }

    private func answer(_ check: InvoiceCheck, format: Format, all: Bool, hasMark: Bool) -> Answer {
        switch format {
        case .json: return Answer(.json(200, check.json(all: all)))
        case .csv:
            return Answer(
                .file(
                    check.csv(all: all, byteOrderMark: hasMark), type: UsageMedia.csv,
                    name: "differences-\(check.month).csv"))
        }
    }

    /// The file, and the fields beside it.
    private static func parts(
        _ request: HTTPRequest
    ) throws(Problem) -> (file: [UInt8], fields: [(String, String)]) {
        let type = request.headers["Content-Type"] ?? ""
        let media = type.split(separator: ";").first.map { $0.lowercased() } ?? ""
        if media == "text/csv" { return (request.body, request.query) }
        guard media == "multipart/form-data" else {
            throw Problem(.unsupportedMediaType, "the body must be text/csv or multipart/form-data")
        }
        guard request.query.isEmpty else { throw Problem(.requestInvalid, "a form carries its fields itself") }
        let form = try MultipartForm(request.body, contentType: type)
        guard let file = form.file(named: "invoice") else {
            throw Problem(.requestInvalid, "the form has no file named invoice")
        }
        return (file, form.fields)
    }

    /// The classes to accept; `nil` where nothing is accepted.
    static func kinds(_ text: String?) throws(Problem) -> Set<Reconciliation.Class>? {
        guard let text else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let kinds = names.compactMap { Reconciliation.Class(rawValue: $0) }.filter { $0 != .matched }
        guard kinds.count == names.count else {
            let known = Reconciliation.Class.allCases.filter { $0 != .matched }.map(\.rawValue)
            throw Problem(
                .requestInvalid, "accept must be some of \(known.joined(separator: ", ")), with commas between")
        }
        return Set(kinds)
    }
}
