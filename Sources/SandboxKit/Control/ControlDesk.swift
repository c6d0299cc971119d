import JSONTree
import VerificationCore

/// The control port: plain HTTP on loopback, for scripts and for tests in another process.
///
/// | request | does |
/// |---|---|
/// | `POST /control/faults` | places an order, see ``FaultOrder`` |
/// | `DELETE /control/faults` | forgets the orders |
/// | `POST /control/seed` `{"seed": 1}` | begins the chances anew |
/// | `POST /control/processing` `{"provider", "milliseconds"}` | sets how long a provider works |
/// | `POST /control/webhook` `{"url"}` | says where webhooks go |
/// | `POST /control/reset` | forgets orders, calls and charges |
/// | `GET /control/counters` | calls by step and charges by class, of each provider |
/// | `GET /control/calls`, `GET /control/charges` | one JSON object a line |
/// | `GET /control/invoice?provider=` | the provider's invoice, CSV |
struct ControlDesk: Sendable {
    private let sandbox: Sandbox

    init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    func answer(_ request: Request) -> Answer {
        switch (request.method, request.path) {
        case ("POST", "/control/faults"): return order(request)
        case ("DELETE", "/control/faults"):
            sandbox.clearFaults()
            return Answer(204)
        case ("POST", "/control/seed"):
            guard let seed = request.json?["seed"]?.integer, seed >= 0 else { return refusal("seed") }
            sandbox.seed(UInt64(seed))
            return Answer(204)
        case ("POST", "/control/processing"):
            guard let json = request.json, let provider = json["provider"]?.string.flatMap(ProviderName.init),
                let milliseconds = json["milliseconds"]?.integer, milliseconds >= 0
            else { return refusal("provider, milliseconds") }
            sandbox.setProcessing(.milliseconds(milliseconds), of: provider)
            return Answer(204)
        case ("POST", "/control/webhook"):
            guard let url = request.json?["url"]?.string, sandbox.sendWebhooks(to: url) else { return refusal("url") }
            return Answer(204)
        case ("POST", "/control/reset"):
            sandbox.forget()
            return Answer(204)
        case ("GET", "/control/counters"): return .json(200, counters)
        case ("GET", "/control/calls"): return lines(sandbox.calls.map(call))
        case ("GET", "/control/charges"): return lines(sandbox.charges.map(charge))
        case ("GET", "/control/invoice"):
            guard let provider = request.query("provider").flatMap(ProviderName.init) else {
                return refusal("provider")
            }
            return .text(200, sandbox.invoice(of: provider), type: "text/csv; charset=utf-8")
        default: return refusal("no such request")
        }
    }

    private func order(_ request: Request) -> Answer {
        guard let json = request.json else { return refusal("a JSON object is needed") }
        do throws(FaultText.Problem) {
            sandbox.place(try FaultText.order(json))
            return Answer(204)
        } catch {
            return refusal(error.words)
        }
    }

    private var counters: JSONValue {
        let calls = sandbox.calls
        let charges = sandbox.charges
        return .object(
            ProviderName.allCases.map { provider in
                let steps = ProviderStep.allCases.map { step in
                    (step.rawValue, JSONValue.integer(calls.count { $0.provider == provider && $0.step == step }))
                }
                let classes = Dictionary(grouping: charges.filter { $0.provider == provider }, by: \.billableClass)
                return (
                    provider.rawValue,
                    .object([
                        ("calls", .object(steps)),
                        (
                            "charges",
                            .object(classes.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value.count)) })
                        ),
                    ])
                )
            })
    }

    private func call(_ call: CallRecord) -> JSONValue {
        .object([
            ("provider", .string(call.provider.rawValue)), ("step", .string(call.step.rawValue)),
            ("at", .string(RFC3339.text(call.at))), ("idempotency_key", .string(orNull: call.idempotencyKey)),
            ("fault", .string(orNull: call.fault)), ("status", call.status.map { .integer($0) } ?? .null),
        ])
    }

    private func charge(_ charge: Charge) -> JSONValue {
        .object([
            ("provider", .string(charge.provider.rawValue)), ("reference", .string(charge.reference)),
            ("client_reference", .string(charge.clientReference)), ("class", .string(charge.billableClass)),
            ("amount", .string(charge.amount)), ("at", .string(RFC3339.text(charge.at))),
            ("idempotency_key", .string(orNull: charge.idempotencyKey)),
        ])
    }

    private func lines(_ values: [JSONValue]) -> Answer {
        .text(200, values.map { $0.text + "\n" }.joined(), type: "application/jsonl")
    }

    private func refusal(_ words: String) -> Answer {
        .json(400, .object([("problem", .string(words))]))
    }
}
