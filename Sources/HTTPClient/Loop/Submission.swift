import Synchronization

/// A request on its way to the loop, and who waits for it.
struct Submission: Sendable {
    let request: OutboundRequest
    let address: CheckedAddress
    let deadline: ContinuousClock.Instant
    let cancellation: Cancellation
    let continuation: CheckedContinuation<Result<OutboundAnswer, OutboundFailure>, Never>

    func finish(_ result: Result<OutboundAnswer, OutboundFailure>) {
        continuation.resume(returning: result)
    }

    func fail(_ code: OutboundFailure.Code, file: StaticString = #fileID, line: Int = #line) {
        finish(.failure(OutboundFailure(code, wasSent: false, file: file, line: line)))
    }
}

/// Whether the task behind a request was cancelled. Its address is the request's identity.
final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}
