import HTTPClient
import JSONTree
import VerificationCore

@testable import Certified

/// Any bytes as a manifest: what is read without a problem makes requests that are one request each, whatever its
/// templates put where.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzManifest(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let problems = JSONProblemList()
    let manifest = ManifestReading.manifest(input, problems: problems)
    guard problems.problems.isEmpty else {
        precondition(problems.problems.allSatisfy { $0.line >= 1 && !$0.problem.isEmpty })
        return 0
    }
    guard let manifest, var values = FuzzManifest.values else { fatalError("neither a manifest nor a problem") }
    for name in manifest.credentials { values.access.credentials[name] = Sensitive(Array("secret\"&=/ \r\n".utf8)) }
    for (name, variable) in manifest.variables { values.access.variables[name] = variable.standard ?? .text("a/b?c") }
    _ = try? Authenticators.open(manifest.authentication, access: values.access)
    if let webhooks = manifest.webhooks { _ = try? NotificationReceivers.open(webhooks, access: values.access) }
    for step in manifest.steps.values {
        guard let draft = try? Rendering(values: values).request(step, idempotency: manifest.idempotency) else {
            continue
        }
        precondition(draft.path.hasPrefix("/") && !draft.path.contains("/../"))
        precondition(draft.target.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x23 })
        precondition(draft.target.utf8.count { $0 == 0x3F } <= 1)
        for header in draft.headers {
            precondition(header.value.withValue { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
        }
    }
    return 0
}
