import Cryptography
import HTTPClient
import JSONTree
import VerificationCore

@testable import Certified

/// Any status and body as a provider's answer, read as a manifest says: nothing is verified that it does not name, and no
/// claim comes out that was not asked for or that holds a マイナンバー.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProviderAnswer(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first, let step = FuzzManifest.manifest?.steps[.submit] else { return 0 }
    let statuses = [200, 201, 202, 204, 302, 400, 404, 429, 500, 503]
    let answer = ProviderAnswer(
        status: statuses[Int(first) % statuses.count], contentTypes: ["application/json"],
        body: Sensitive(Array(input.dropFirst())))
    guard let outcome = answer.outcome(among: step.outcomes), let tree = answer.tree,
        let values = FuzzManifest.values
    else { return 0 }
    let reader = AnswerReader(
        declaration: step.answer, outcome: outcome, values: values, tree: tree,
        vocabulary: FuzzManifest.manifest?.vocabulary ?? Vocabulary(), now: FuzzManifest.now)
    let known = SessionMemory(nonceForm: .base64URL)
    guard let memory = try? reader.memory(known, requiresKept: true) else { return 0 }
    precondition(SessionMemory(memory.encoded()) == memory)
    _ = try? reader.facts(memory, since: known)
    switch outcome.meaning {
    case .verified:
        guard let (verdict, _) = try? reader.verified() else { return 0 }
        guard case .verified(let claims, let report) = verdict else { return 0 }
        precondition(report.failures.isEmpty && answer.status == 200)
        claims.claims.withValue { claims in
            for (name, value) in claims {
                precondition(values.request.purpose.claims.contains(name))
                precondition(!IndividualNumberFilter.isHit(value))
            }
        }
    case .rejected(let source):
        guard let verdict = try? reader.rejected(source) else { return 0 }
        precondition(!verdict.report.failures.isEmpty)
    case .opened, .pending, .tryAgain, .unavailable, .error, .neverReceived, .erased: break
    }
    return 0
}
