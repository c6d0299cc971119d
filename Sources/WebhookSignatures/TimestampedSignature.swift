public import VerificationCore

/// The scheme `t=…,v1=…[,v1=…]` in one header: HMAC-SHA256 in hexadecimal over `t.body`.
///
/// Stripe writes one time and, during a rotation, several `v1`; Persona writes a whole `t=…,v1=…` pair for each secret,
/// with a space between them. Both are read: a `t` begins a group, and each `v1` is judged with the time of its own.
public struct TimestampedSignature: Sendable, Hashable {
    /// The most entries that are looked at.
    public static let mostEntries = 16
    /// The most times in one header: each costs a hash of the body for each secret, whoever sent it.
    public static let mostTimes = 4

    /// The name of the header.
    public let header: String

    /// The scheme under a header's name.
    public init(header: String) {
        self.header = header
    }

    private struct Group {
        let text: Substring
        let time: Timestamp
        var candidates: [[UInt8]] = []
    }

    /// Checks a webhook and gives the time that it was signed with. `body` is what came over the wire, byte for byte.
    public func verify(
        _ headers: WebhookHeaders, body: [UInt8], secrets: WebhookSecrets, at now: Timestamp,
        tolerance: Duration = SignedTime.standardTolerance
    ) throws(WebhookError) -> Timestamp {
        let groups = try TimestampedSignature.groups(of: try headers.value(of: header))
        var matched: [Timestamp] = []
        for group in groups {
            let parts = [Array((group.text + ".").utf8)[...], body[...]]
            if secrets.anyMatches(group.candidates, over: parts) { matched.append(group.time) }
        }
        // Of several genuine times the nearest to ours counts: another one beside it takes nothing from it.
        guard let time = matched.min(by: { distance($0, now) < distance($1, now) }) else { throw .signatureMismatch }
        try SignedTime.check(time, at: now, tolerance: tolerance)
        return time
    }

    /// The header of a webhook, signed with each of the secrets in their order.
    public func header(at time: Timestamp, body: [UInt8], secrets: WebhookSecrets) -> (name: String, value: String) {
        let text = String(max(0, time.milliseconds / 1000))
        let parts = [Array((text + ".").utf8)[...], body[...]]
        let signatures = secrets.secrets.map { "v1=" + ByteText.hex($0.code(of: parts)) }
        return (header, (["t=" + text] + signatures).joined(separator: ","))
    }

    private func distance(_ time: Timestamp, _ now: Timestamp) -> Duration {
        time < now ? now.duration(since: time) : time.duration(since: now)
    }

    private static func groups(of value: String) throws(WebhookError) -> [Group] {
        let entries = value.split { $0 == "," || $0 == " " }
        guard entries.count <= mostEntries else { throw .headerMalformed }
        var groups: [Group] = []
        for entry in entries {
            if entry.hasPrefix("t=") {
                let text = entry.dropFirst(2)
                groups.append(Group(text: text, time: try SignedTime.seconds(text)))
            } else if entry.hasPrefix("v1=") {
                guard !groups.isEmpty else { throw .headerMalformed }
                // What is no hexadecimal matches nothing.
                if let bytes = ByteText.bytes(hex: entry.dropFirst(3)) {
                    groups[groups.count - 1].candidates.append(bytes)
                }
            } else if !entry.contains("=") {
                throw .headerMalformed
            }
        }
        guard (1...mostTimes).contains(groups.count) else { throw .headerMalformed }
        return groups
    }
}
