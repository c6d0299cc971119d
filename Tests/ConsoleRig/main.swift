import Billing
import Cryptography
import Foundation
import Gateway
import HTTPServer
import JSONTree
import MemoryStore
import Routing
import VerificationCore

// console-rig DIRECTORY: a gateway on a free port of loopback whose ledger holds last month, for the browser's tests. It
// writes a provider's invoice with one fault of each usual kind into the directory, prints `PORT MONTH`, and ends with
// its standard input.

struct ScriptedVerifier: Verifier {
    func begin(
        _ request: VerificationRequest, in attempt: AttemptContext
    ) async throws(VerificationError) -> Challenge {
        Challenge(
            request: request, nonce: request.nonce,
            walletIdentity: WalletIdentity(merchantIdentifier: "merchant.test", teamIdentifier: "TEAM"),
            state: Sensitive([]))
    }

    func conclude(
        _ evidence: Evidence, for challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion {
        var report = Report()
        for check in CheckName.inHouse where check != .revocation { report.pass(check) }
        guard evidence.encryptedData.withValue({ $0.first }) != 9 else {
            var rejected = Report()
            for check in CheckName.inHouse.prefix(9) { rejected.pass(check) }
            rejected.fail(.digests, .digestMismatch)
            return .verdict(.rejected(rejected, nil), incidents: [])
        }
        let claims: ClaimSet = [ClaimName("name"): .text("番号　花子")]
        guard
            let verified = VerifiedClaims(
                Sensitive(claims), document: Sensitive(DocumentFacts(type: "org.iso.23220.1.jp.mnc")), report: report,
                required: .inHouse(revocation: false))
        else { throw VerificationError(.challengeUnusable, "no claims") }
        return .verdict(.verified(verified, report), incidents: [])
    }
}

struct NoSource: ConfigurationSource {
    func open(at now: Timestamp) async throws(ReloadRefusal) -> Running {
        throw ReloadRefusal([ReloadProblem(path: "routes[0].verifier", line: 12, problem: "names no verifier")])
    }
}

let clock = SteadyClock()
let now = clock.now()
let book = try PriceBook.read(
    Array(
        """
        {name: "prices-2026", verifiers: {
          alpha: {currency: "JPY", tariffs: [{from: "2020-01-01", prices: {completed_any: {unit: "150.5"}},
            flat_fee: "5000", tax: {rate: "0.10", rounding: "down"}}]},
          beta: {currency: "JPY", tariffs: [{from: "2020-01-01", prices: {completed_any: {unit: "80"}},
            not_billed: ["completed_fail"], tax: {rate: "0.10", rounding: "down"}}]}}}
        """.utf8))
let month = book.zone.month(of: now).previous
let monthStart = book.zone.range(of: month).lowerBound
let problems = JSONProblemList()
let format = InvoiceFormat(
    JSONReader(
        try JSONNode.parse(
            Array(
                """
                {columns: {reference: "ref", own_reference: "own", time: {column: "at", format: "rfc3339"},
                  class: {column: "kind", values: {check: "completed_any"}}, amount: "fee"}}
                """.utf8), syntax: .json5), problems: problems))
try problems.throwIfAny()

func client(_ id: String, _ key: String, _ role: Client.Role) -> Client {
    Client(
        id: ClientID(id), keyHashes: [Hash.sha256(Array(key.utf8))], role: role,
        purposes: role == .app ? [PurposeID("account-opening")] : [])
}

let purpose = Purpose(
    id: PurposeID("account-opening"), documentTypes: ["org.iso.23220.1.jp.mnc"], claims: [ClaimName("name")],
    requiredClaims: [ClaimName("name")], retention: .seconds(3600), relyingPartyRetention: .days(30),
    legalMethod: nil, trustFramework: nil, regimes: nil)
var settings = GatewaySettings(
    version: "2026-11-30.1",
    clients: [
        client("shop-app", "app-key-0123456789", .app), client("ops", "operator-key-0123456789", .operator),
        client("accounting", "finance-key-0123456789", .finance),
        client("internal-audit", "auditor-key-0123456789", .auditor),
    ],
    purposes: [purpose.id: purpose],
    table: RoutingTable(rules: [RoutingRule(name: "default", targets: [WeightedTarget(VerifierID("alpha"))])]),
    sessionLifetime: .seconds(900), processingDeadline: .seconds(30), purgeAfter: .seconds(86_400 * 30))
settings.prices = book
settings.invoiceFormats = [VerifierID("alpha"): format].compactMapValues { $0 }
settings.document = Array(#"{"version":"2026-11-30.1","routes":[{"name":"default","verifier":"alpha"}]}"#.utf8)

func opened(_ id: String, daysLeft: Int) -> OpenedVerifier {
    OpenedVerifier(
        description: VerifierDescription(
            id: VerifierID(id), kind: "certified", isSimulated: false,
            certification: Certification(
                regime: "bango-18-4", holder: "株式会社関所サンプル", program: "Sekisho", version: "1.0",
                number: "R8-000\(daysLeft)", validFrom: now.advanced(by: .seconds(-86_400 * 300)),
                validUntil: now.advanced(by: .seconds(86_400 * daysLeft + 60))),
            documentTypes: ["org.iso.23220.1.jp.mnc"]),
        verifier: ScriptedVerifier(), health: nil)
}

let store = MemoryStore()
let keys = try SealingKeys([("k1", Sensitive([UInt8](repeating: 7, count: 32)))])
let gateway = Gateway(
    running: Running(
        settings: settings, keys: keys, verifiers: [opened("alpha", daysLeft: 210), opened("beta", daysLeft: 12)],
        mayServe: { _, _, _, _ in true }),
    source: NoSource(), store: store, clock: clock, metrics: Metrics(), log: Log(minimum: .error) { _ in }, openAPI: [])

// MARK: Last month

func event(_ kind: LedgerDraft.Kind, _ number: Int, _ verifier: String) -> LedgerDraft {
    let at = monthStart.advanced(by: .seconds(number * 7200 + 60))
    var draft = LedgerDraft(
        kind: kind, attempt: AttemptID("att_\(verifier)_\(number)"), role: .primary,
        session: SessionID("ses_\(verifier)_\(number)"), verifier: VerifierID(verifier), client: ClientID("shop-app"),
        purpose: purpose.id, at: kind == .started ? at : at.advanced(by: .milliseconds(80 + number % 40 * 10)),
        billableClass: .completedAny, outcome: kind == .started ? nil : number % 9 == 4 ? .rejected : .verified,
        configurationVersion: "2026-11-30.1")
    draft.call = CallName(.submit)
    draft.providerReference = "\(verifier)-\(number)"
    return draft
}

let calls = 1..<301
for number in calls {
    try await store.append([event(.started, number, "alpha"), event(.ended, number, "alpha")])
    if number % 3 == 0 { try await store.append([event(.started, number, "beta"), event(.ended, number, "beta")]) }
}
var lines = ["ref,own,at,kind,fee"]
for number in calls where number != 17 {
    let at = RFC3339.text(event(.started, number, "alpha").at)
    lines.append("alpha-\(number),att_alpha_\(number),\(at),check,\(number == 40 ? "250.5" : "150.5")")
    if number == 80 { lines.append("alpha-80,att_alpha_80,\(at),check,150.5") }
}
lines.append("alpha-9999,,\(RFC3339.text(monthStart.advanced(by: .seconds(86_400)))),check,150.5")
let directory = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "."
try Data((lines.joined(separator: "\r\n") + "\r\n").utf8).write(to: URL(filePath: directory + "/invoice.csv"))

// MARK: Now

func call(_ path: String, _ body: String) async throws -> [UInt8] {
    let headers = HTTPHeaders([
        ("Host", "localhost"), ("Authorization", "Bearer app-key-0123456789"), ("Content-Type", "application/json"),
    ])
    guard let request = HTTPRequest(method: "POST", target: path, headers: headers, body: Array(body.utf8)) else {
        return []
    }
    return await gateway.respond(to: request).body
}

for number in 0..<40 {
    let created = try JSONNode.parse(
        try await call("/v1/sessions", #"{"purpose":"account-opening","reference":"customer-canary-\#(number)"}"#),
        syntax: .json)
    let id = created["id"]?.string ?? ""
    _ = try await call(
        "/v1/sessions/\(id)/submission", #"{"encrypted_data":"\#(number % 8 == 3 ? "CQkJ" : "AAEC")"}"#)
}
_ = await gateway.reload()

let server = try HTTPServer(
    address: "127.0.0.1", port: 0, limits: HTTPLimits(), threads: 2, refusal: { gateway.refuse($0) },
    handler: { await gateway.respond(to: $0) })
FileHandle.standardOutput.write(Data("\(server.port) \(month)\n".utf8))
while readLine() != nil {}
gateway.prepareToStop()
await server.shutdown(grace: .seconds(1))
