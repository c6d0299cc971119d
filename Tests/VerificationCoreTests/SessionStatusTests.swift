import Testing
import VerificationCore

@Suite struct SessionStatusTests {
    @Test func `every state and event pair is decided, and a final state never changes`() {
        let legal: [SessionStatus: [SessionEvent: SessionStatus]] = [
            .created: [.claim: .processing, .expire: .expired, .cancel: .cancelled],
            .processing: [.verify: .verified, .reject: .rejected, .fail: .failed],
        ]
        for status in SessionStatus.allCases {
            for event in SessionEvent.allCases {
                #expect(status.after(event) == legal[status]?[event], "\(status) \(event)")
            }
        }
    }
}
