import Foundation
import Testing
import WalletKit

/// Everything that the test wallet can do wrong, as an app's backend sees it.
@Suite(.serialized) struct WireFaultTests {
    /// Without the faults that only a stricter configuration, or a later step, can see.
    private static let faults = Fault.all.filter { $0.need == nil || $0.need == .revocationList }

    @Test func `every fault is rejected over the wire by the check it was made for, and gives no claim`() async throws {
        let gateway = try RunningGateway()
        try await gateway.start()
        #expect(Self.faults.count > 80)
        var ended = 0
        for fault in Self.faults {
            let (id, submission) = try await gateway.presented(["--fault", fault.name])
            let path = "/v1/sessions/\(id)/submission"
            // An answer of no bytes is no evidence: the request is refused, and the session can still be submitted.
            if submission.contains(#""encrypted_data":"""#) {
                #expect(try await gateway.call("POST", path, body: submission).code == "evidence_encoding_invalid")
                continue
            }
            let answer = try await gateway.call("POST", path, body: submission)
            ended += 1
            let result = try #require(answer.json["result"] as? [String: Any], "\(fault.name)")
            guard let expectation = fault.expectation else {
                #expect(answer.sessionStatus == "verified", "\(fault.name)")
                continue
            }
            #expect(answer.sessionStatus == "rejected", "\(fault.name)")
            #expect(result["claims"] is NSNull, "\(fault.name)")
            let checks = try #require(result["checks"] as? [[String: Any]])
            let failed = checks.filter { $0["status"] as? String == "failed" }
                .map { "\($0["name"] as? String ?? ""): \($0["reason"] as? String ?? "")" }
            let expected = ([expectation] + fault.others).map { "\($0.check): \($0.reason)" }
            #expect(Set(failed) == Set(expected), "\(fault.name)")
            #expect(try await gateway.call("POST", path, body: submission).code == "session_already_submitted")
            let assured = try await gateway.call("GET", "/v1/sessions/\(id)/verified-claims")
            #expect(assured.status == 409, "\(fault.name)")
        }
        #expect(try await gateway.stop() == 0)
        #expect(try gateway.sql("SELECT count(*) FROM ledger") == String(2 * ended))
        print("WIRE \(ended) faults")
    }
}
