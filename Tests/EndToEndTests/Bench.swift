import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs one misbehaviour after the other at each provider, and reads what came of it on every side.
final class Bench: Sendable {
    private let scene: ProviderScene
    private let phone: Phone
    /// The sessions of rows that are read, with their status.
    private let read = Mutex<[(row: Misbehaviour, id: String, seen: Seen)]>([])

    /// What a row came to.
    private struct Seen: Equatable, CustomStringConvertible {
        var ends: String
        var ledger: String
        var calls: String
        var charges: String
        var description: String { "| \(ends) | \(ledger) | \(calls) | \(charges) |" }
    }

    /// What a provider's books held before a row.
    private struct Mark {
        var calls: Int
        var charges: Int
        var sequence: Int
    }

    init(scene: ProviderScene, phone: Phone) {
        self.scene = scene
        self.phone = phone
    }

    /// One row: its order, a session, and what is to be seen at its end and stays so.
    func check(_ row: Misbehaviour) async throws {
        let mark = try await mark(row.provider)
        if let order = row.order { try await scene.sandbox.control("POST", "faults", order) }
        let gateway = scene.gateway
        let opened = try await gateway.call("POST", "/v1/sessions", body: #"{"purpose":"at-\#(row.provider)"}"#)
        var id = ""
        if opened.status == 201 {
            id = opened.id
            let body = try phone.answer(opened.json)
            let answer = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: body)
            #expect([200, 202].contains(answer.status), "\(row): \(answer.text)")
            _ = try await eventually(within: 90) {
                try await gateway.call("GET", "/v1/sessions/\(id)?wait=20").sessionStatus != "processing"
            }
        }
        let expected = Seen(
            ends: row.ends, ledger: Misbehaviour.told(row.ledger), calls: row.calls, charges: row.charges)
        var seen = expected
        _ = try await eventually(within: 30) {
            seen = try await look(row, opened, id, since: mark)
            return seen == expected
        }
        #expect(seen == expected, "\(row)")
        read.withLock { $0.append((row, id, seen)) }
    }

    /// Every row once more, when nothing is under way any longer: what a late webhook did would be seen.
    func checkAgain() async throws {
        for (row, id, seen) in read.withLock({ $0 }) where !id.isEmpty {
            let answer = try await scene.gateway.call("GET", "/v1/sessions/\(id)")
            #expect(ending(answer, at: row.provider) == seen.ends, "\(row)")
            let events = try events("session = '\(id)' AND verifier = '\(row.provider)'")
            #expect(Misbehaviour.told(events) == seen.ledger, "\(row)")
        }
    }

    private func mark(_ provider: String) async throws -> Mark {
        Mark(
            calls: try await scene.sandbox.steps(provider).count,
            charges: try await scene.sandbox.charges(provider).count,
            sequence: Int(try scene.gateway.sql("SELECT coalesce(max(sequence), 0) FROM ledger")) ?? 0)
    }

    private func look(
        _ row: Misbehaviour, _ opened: RunningGateway.Answer, _ id: String, since mark: Mark
    ) async throws -> Seen {
        let answer = id.isEmpty ? opened : try await scene.gateway.call("GET", "/v1/sessions/\(id)")
        #expect(!answer.text.contains("123456789018"), "\(row)")
        // Where no session was opened, its call is the only one of the provider since.
        let known = read.withLock { $0.map { "'\($0.id)'" } }.joined(separator: ", ")
        let events = try events(
            id.isEmpty
                ? "verifier = '\(row.provider)' AND sequence > \(mark.sequence) AND session NOT IN (\(known))"
                : "session = '\(id)' AND verifier = '\(row.provider)'")
        let charges = try await scene.sandbox.charges(row.provider).dropFirst(mark.charges)
        return Seen(
            ends: ending(answer, at: row.provider), ledger: Misbehaviour.told(events),
            calls: calls(try await Array(scene.sandbox.steps(row.provider).dropFirst(mark.calls)), in: row),
            charges: charges.isEmpty ? "nothing" : charges.joined(separator: ", "))
    }

    /// How a session ended, and by whom where that is not who was to verify.
    private func ending(_ answer: RunningGateway.Answer, at provider: String) -> String {
        if let code = answer.code { return "\(answer.status) `\(code)`, no session" }
        let failure = (answer.json["failure"] as? [String: Any])?["code"] as? String
        let result = answer.json["result"] as? [String: Any]
        let verifier = (result?["verifier"] as? [String: Any])?["id"] as? String
        return (answer.sessionStatus ?? answer.text) + (failure.map { " `\($0)`" } ?? "")
            + (verifier.map { $0 == provider ? "" : ", by `\($0)`" } ?? "")
    }

    private func events(_ condition: String) throws -> [String] {
        try scene.gateway.sql(
            "SELECT call || ' ' || kind || ' ' || billable_class FROM ledger WHERE \(condition) ORDER BY sequence"
        ).split(separator: "\n").map(String.init)
    }

    private static let untilDeadline = "fetch until the deadline"

    /// Calls by step. Tokens are counted where the row is about them; a question beside a webhook that came just then is
    /// left out, because a slow machine asks it.
    private func calls(_ steps: [String], in row: Misbehaviour) -> String {
        var counts: [String: Int] = [:]
        for step in steps { counts[step, default: 0] += 1 }
        if row.step != "token" { counts["token"] = nil }
        if counts["webhook"] != nil, !row.calls.contains("fetch"), counts["fetch"] == 1 { counts["fetch"] = nil }
        let order = ["token", "begin", "submit", "poll", "fetch", "webhook", "erase"]
        let words = order.compactMap { step in
            counts[step].map { count in
                let isManyTimes = step == "fetch" && count > 2 && row.calls.contains(Self.untilDeadline)
                return isManyTimes ? Self.untilDeadline : "\(count) \(step)"
            }
        }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}

extension RunningSandbox {
    /// The steps of the calls that a provider counted, in order.
    func steps(_ provider: String) async throws -> [String] {
        try await calls().filter { $0["provider"] as? String == provider }.compactMap { $0["step"] as? String }
    }

    /// Every fault that can be ordered, as the control port names them to whoever orders another.
    func faultNames() async throws -> [String] {
        let words = try await refusal("POST", "faults", #"{"fault":"none of them"}"#)
        guard let list = words.range(of: "must be one of ") else { return [] }
        return words[list.upperBound...].prefix { $0 != "\"" }.components(separatedBy: ", ")
    }
}
