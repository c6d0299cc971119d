import Foundation
import HTTPClient
import JSONTree
import VerificationCore

/// A call of a command to the running gateway: only there is anything written, so that nothing races the ledger's head.
struct GatewayCall {
    /// The largest answer: a refusal lists a thousand calls.
    private static let answerBytes = 8 << 20
    /// A month of a million calls is closed within seconds; a slow disk may take longer.
    private static let patience = Duration.seconds(300)
    /// The longest key.
    private static let keyBytes = 4096

    private let gateway: String
    private let key: Sensitive<String>

    /// Reads `--gateway` and `--key-file`.
    init(_ options: CommandOptions) throws {
        guard let gateway = options["--gateway"] else {
            throw UsageProblem("--gateway is missing: what is written goes through the running gateway")
        }
        guard let file = options["--key-file"] else { throw UsageProblem("--key-file is missing") }
        self.gateway = gateway.hasSuffix("/") ? String(gateway.dropLast()) : gateway
        guard let handle = FileHandle(forReadingAtPath: file),
            let data = try? handle.read(upToCount: Self.keyBytes), !data.isEmpty
        else { throw UnreadableFile(path: file, problem: "cannot be read") }
        key = Sensitive(String(decoding: data, as: UTF8.self).filter { !$0.isNewline })
    }

    /// Posts a body; the answer's status and JSON.
    func post(_ path: String, _ body: [UInt8], type: String) async throws -> (status: Int, json: JSONNode?) {
        let answer = try await answer(to: path, body, type: type)
        return (answer.status, try? JSONNode.parse(answer.body, syntax: .json))
    }

    /// Posts a body; the answer's status and bytes.
    func answer(to path: String, _ body: [UInt8], type: String) async throws -> (status: Int, body: [UInt8]) {
        let client = try HTTPClient()
        defer { client.shutdown() }
        let request = OutboundRequest(
            method: "POST", url: gateway + path,
            headers: [
                OutboundField("Authorization", Sensitive("Bearer " + key.withValue { $0 })),
                OutboundField("Content-Type", type),
            ], body: Sensitive(body), connection: .fresh,
            limits: OutboundLimits(totalTimeout: Self.patience, answerBytes: Self.answerBytes), pool: "gateway",
            plaintext: .loopback)
        do throws(OutboundFailure) {
            let answer = try await client.send(request)
            return (answer.status, answer.body.withValue { $0 })
        } catch {
            throw UnreadableFile(path: gateway, problem: "could not be asked (\(error.code.rawValue))")
        }
    }

    /// What a refusal says, with everything that it lists.
    static func words(_ status: Int, _ json: JSONNode?) -> String {
        let detail = json?["detail"]?.string ?? "the gateway answered \(status)"
        let problems = (json?["problems"]?.elements ?? []).compactMap { problem in
            problem["problem"]?.string.map { words in
                let line = problem["line"].flatMap { node -> Int64? in
                    if case .number(let number) = node.kind { number.integer } else { nil }
                }
                return "  \(problem["path"]?.string ?? "")\(line.map { " (\($0))" } ?? ""): \(words)"
            }
        }
        return ([detail] + problems).joined(separator: "\n")
    }
}
