import Configuration
import JSONTree
import Routing
import VerificationCore

/// Why a session goes where it goes, in words and as JSON.
struct RouteExplanation {
    private let request: RoutingRequest
    private let version: String
    private let steps: [RoutingStep]
    private let forecast: RoutingForecast
    /// The decision for the session of the call; `nil` where none was named.
    private let decision: RoutingDecision?

    init(
        _ call: RouteCall, in configuration: RecalledConfiguration, offers: [VerifierID: VerifierOffer]
    ) throws {
        let purposes = configuration.purposes
        guard let purpose = purposes[PurposeID(call.purpose)] else {
            throw UnknownName(call.purpose, "purpose", among: purposes.keys.map(\.rawValue))
        }
        guard let client = configuration.clients[ClientID(call.client)] else {
            throw UnknownName(call.client, "client", among: configuration.clients.keys.map(\.rawValue))
        }
        guard client.purposes.contains(purpose.purpose.id) else {
            throw UnknownName(call.purpose, "purpose that this client may ask for:", among: [])
        }
        let types = purpose.purpose.documentTypes
        let type = call.documentType ?? types.first ?? ""
        guard types.contains(type) else { throw UnknownName(type, "document of this purpose:", among: types) }
        for id in call.outages.keys where configuration.verifiers[id] == nil {
            throw UnknownName(id.rawValue, "verifier", among: configuration.verifiers.keys.map(\.rawValue))
        }
        request = RoutingRequest(
            session: call.session ?? SessionID(""), purpose: purpose.purpose.id, documentType: type,
            client: client.id, at: call.at)
        version = configuration.version
        let outages = { (id: VerifierID) -> OutageReason? in
            call.outages[id]
                ?? configuration.outage(of: id, offer: offers[id], for: purpose, documentType: type, at: call.at)
        }
        let decided = configuration.routes.decide(request, outages: outages)
        steps = decided.steps
        decision = call.session == nil ? nil : decided
        forecast = configuration.routes.forecast(request, outages: outages)
    }

    /// Whether a verifier can be given the session.
    var isFound: Bool { !forecast.shares.isEmpty }

    /// The explanation in words.
    var text: String {
        var lines = [
            "a session of \(request.client) for \(request.purpose) with \(request.documentType), "
                + "at \(RFC3339.text(request.at, fraction: false)), by configuration \(version)"
        ]
        var passedOver: Set<VerifierID> = []
        for step in steps {
            // Without a session, which of several targets comes first is not told: that differs from session to session.
            switch step {
            case .skipped(let rule, let unmet):
                lines.append("  rule \(rule): does not speak of it, by its \(unmet.rawValue)")
            case .matched(let rule, let candidates):
                let names = decision == nil ? candidates.sorted { $0.rawValue < $1.rawValue } : candidates
                lines.append("  rule \(rule): speaks of it: \(names.map(\.rawValue).joined(separator: ", "))")
                if decision == nil {
                    for verifier in forecast.passedOver where candidates.contains(verifier.verifier) {
                        guard passedOver.insert(verifier.verifier).inserted else { continue }
                        lines.append("    \(verifier.verifier) is passed over: \(verifier.reason.rawValue)")
                    }
                }
            case .passedOver(_, let verifier, let reason):
                if decision != nil { lines.append("    \(verifier) is passed over: \(reason.rawValue)") }
            case .picked(_, let verifier): if decision != nil { lines.append("    \(verifier) gets it") }
            case .shadowed(_, let verifier): if decision != nil { lines.append("    \(verifier) verifies it again") }
            case .nobody: lines.append("  no rule is left: the session is refused with verifier_unavailable")
            }
        }
        if decision == nil {
            for share in forecast.shares {
                lines.append("    \(share.verifier) gets \(share.part) of \(share.whole) (\(share.percentText))")
            }
            if let shadow = forecast.shadow, isFound {
                lines.append("    \(shadow.verifier) verifies \(shadow.percent) of 100 again")
            }
        }
        let fallbacks = decision?.routing.fallbacks ?? forecast.fallbacks
        if isFound, !fallbacks.isEmpty {
            lines.append("  after an error: \(fallbacks.map(\.rawValue).joined(separator: ", then "))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The explanation as JSON.
    var json: JSONValue {
        .object([
            ("configuration", .string(version)), ("purpose", .string(request.purpose.rawValue)),
            ("document_type", .string(request.documentType)), ("client", .string(request.client.rawValue)),
            ("session", .string(orNull: decision == nil ? nil : request.session.rawValue)),
            ("at", .string(RFC3339.text(request.at))),
            ("verifier", .string(orNull: decision?.verifier?.rawValue)),
            ("rule", .string(orNull: forecast.rule)),
            ("shares", .array(forecast.shares.map(\.json))),
            ("passed_over", .array((decision?.routing.passedOver ?? forecast.passedOver).map(RouteExplanation.json))),
            ("fallbacks", .array((decision?.routing.fallbacks ?? forecast.fallbacks).map { .string($0.rawValue) })),
            ("shadow", shadow),
            ("steps", .array(decision == nil ? [] : steps.map(RouteExplanation.json))),
        ])
    }

    private var shadow: JSONValue {
        if let decision { return .string(orNull: decision.routing.shadow?.rawValue) }
        guard let shadow = forecast.shadow else { return .null }
        return .object([("verifier", .string(shadow.verifier.rawValue)), ("percent", .integer(shadow.percent))])
    }

    private static func json(_ passed: Routing.PassedOver) -> JSONValue {
        .object([("verifier", .string(passed.verifier.rawValue)), ("reason", .string(passed.reason.rawValue))])
    }

    private static func json(_ step: RoutingStep) -> JSONValue {
        func object(_ kind: String, _ rule: String, _ more: [(String, JSONValue)]) -> JSONValue {
            .object([("step", .string(kind)), ("rule", .string(rule))] + more)
        }
        return switch step {
        case .skipped(let rule, let unmet): object("skipped", rule, [("unmet", .string(unmet.rawValue))])
        case .matched(let rule, let candidates):
            object("matched", rule, [("candidates", .array(candidates.map { .string($0.rawValue) }))])
        case .passedOver(let rule, let verifier, let reason):
            object(
                "passed_over", rule,
                [("verifier", .string(verifier.rawValue)), ("reason", .string(reason.rawValue))])
        case .picked(let rule, let verifier): object("picked", rule, [("verifier", .string(verifier.rawValue))])
        case .shadowed(let rule, let verifier): object("shadowed", rule, [("verifier", .string(verifier.rawValue))])
        case .nobody: .object([("step", .string("nobody"))])
        }
    }
}

extension RoutingShare {
    /// The share in percent, with as many digits as ten thousand parts can have, rounded down.
    var percentText: String {
        let hundredths = part * 10_000 / whole
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return "\(whole)%" }
        let digits = rest.isMultiple(of: 10) ? "\(rest / 10)" : (rest < 10 ? "0\(rest)" : "\(rest)")
        return "\(whole).\(digits)%"
    }

    /// The share as JSON.
    var json: JSONValue {
        .object([
            ("verifier", .string(verifier.rawValue)), ("part", .integer(part)), ("whole", .integer(whole)),
        ])
    }
}

extension RecalledConfiguration {
    /// Why a verifier is out, as far as a configuration and what it offers tell: the question that the gateway asks itself
    /// when it opens a session.
    func outage(
        of id: VerifierID, offer: VerifierOffer?, for purpose: PurposeDeclaration, documentType: String,
        at now: Timestamp
    ) -> OutageReason? {
        guard let verifier = verifiers[id] else { return .unsuitable }
        return OutageReason.standing(offer, for: purpose.purpose, documentType) {
            CertificationRule.refusal(
                of: verifier, for: purpose, documentType: documentType, in: environment, at: now) == nil
        }
    }
}
