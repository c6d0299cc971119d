import JSONTree

extension JSONNode {
    /// A whole number; `nil` for any other value.
    var integer: Int64? {
        guard case .number(let number) = kind else { return nil }
        return number.integer
    }

    /// True or false; `nil` for any other value.
    var boolean: Bool? {
        guard case .boolean(let flag) = kind else { return nil }
        return flag
    }
}

/// Orders as JSON: `{"fault": "slow", "milliseconds": 300, "provider": "alpha", "step": "submit", "times": 2}`.
///
/// `provider` and `step` may be left out, `times` is 1 then, and `per_mille` stands in for it where chance decides.
/// `charged` goes with `timeout`, `reset_after_reading` and `html_error`, `seconds` with `too_many_requests` and
/// `too_many_requests_date`, `location` with `redirect`, `json` with `token_lifetime`.
enum FaultText {
    struct Problem: Error {
        let words: String
    }

    static func order(_ json: JSONNode) throws(Problem) -> FaultOrder {
        let known = [
            "fault", "provider", "step", "times", "per_mille", "milliseconds", "charged", "seconds", "location", "json",
        ]
        if let stray = json.members?.first(where: { !known.contains($0.name) }) {
            throw Problem(words: "no such member: \(stray.name)")
        }
        var order = FaultOrder(try fault(json))
        if let node = json["provider"] {
            guard let provider = node.string.flatMap(ProviderName.init) else { throw Problem(words: "provider") }
            order.provider = provider
        }
        if let node = json["step"] {
            guard let step = node.string.flatMap(ProviderStep.init) else { throw Problem(words: "step") }
            guard order.fault.steps.contains(step) else { throw Problem(words: "the fault cannot happen at that step") }
            order.step = step
        }
        switch (json["times"], json["per_mille"]) {
        case (nil, nil): break
        case (let node?, nil):
            guard let times = node.integer, times > 0 else { throw Problem(words: "times") }
            order.occurrence = .times(Int(times))
        case (nil, let node?):
            guard let share = node.integer, (0...1000).contains(share) else { throw Problem(words: "per_mille") }
            order.occurrence = .perMille(Int(share))
        case (_?, _?): throw Problem(words: "times or per_mille")
        }
        return order
    }

    private static func fault(_ json: JSONNode) throws(Problem) -> Fault {
        let milliseconds = Int(json["milliseconds"]?.integer ?? 0)
        let charged = json["charged"]?.boolean ?? false
        let seconds = Int(json["seconds"]?.integer ?? 1)
        let known: [Fault] = [
            .slow(milliseconds: milliseconds), .timeout(charged: charged), .resetAfterReading(charged: charged),
            .resetBeforeReading, .tooManyRequests(seconds: seconds, asDate: false),
            .tooManyRequests(seconds: seconds, asDate: true), .unavailable, .htmlError(charged: charged),
            .wrongReference, .unknownStatus, .gzipBomb, .badJSON, .truncatedJSON, .duplicateKeys, .byteOrderMark,
            .redirect(location: json["location"]?.string ?? ""), .emptyAnswer, .noContent, .cutBody,
            .individualNumber, .revised, .lateWebhook(milliseconds: milliseconds), .duplicateWebhook,
            .wronglySignedWebhook, .webhookForAnother, .lostWebhook, .tokenExpiresAtOnce,
            .tokenLifetime(json: json["json"]?.string ?? "0"),
        ]
        guard let name = json["fault"]?.string, let fault = known.first(where: { $0.name == name }) else {
            throw Problem(words: "fault must be one of \(known.map(\.name).joined(separator: ", "))")
        }
        return fault
    }
}
