import Synchronization

/// Sends requests to other machines, with libcurl, from one thread of its own.
///
/// Connections are kept by pool, authorities, client certificate and proxy: two providers never share one, even on the
/// same host. Redirects are not followed, cookies not kept, the environment not asked for proxies, and nothing of a
/// request or an answer is ever logged. The memory it takes is bounded by the limits of the requests that are out.
public final class HTTPClient: Sendable {
    /// How many requests may be out at once where nothing else is said: with limits as they are by default, a quarter of
    /// a gigabyte if every provider filled every answer.
    public static let defaultConcurrent = 256
    /// How many more may wait for a turn: with a portrait in each, some 60 megabytes.
    public static let defaultQueued = 1024

    private let engine: Engine

    /// A client with a thread of its own.
    ///
    /// - Throws: ``OutboundFailure`` with `noResources` where libcurl, the thread or a descriptor is not to be had.
    public init(
        maximumConcurrent: Int = HTTPClient.defaultConcurrent, maximumQueued: Int = HTTPClient.defaultQueued
    ) throws(OutboundFailure) {
        guard Setup.isDone else { throw OutboundFailure(.noResources, wasSent: false) }
        engine = try Engine(
            maximumConcurrent: max(1, maximumConcurrent), maximumQueued: max(0, maximumQueued))
    }

    deinit {
        engine.close(waits: false)
    }

    /// Sends a request and returns the whole answer, whatever its status.
    ///
    /// Cancelling the task ends a request at once that has not left, or whose policy is ``ConnectionPolicy/reuse``. A
    /// ``ConnectionPolicy/fresh`` request that has left may have billed: what became of it is worth more than the wait,
    /// so it is waited for until its deadline.
    public func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer {
        let address = try RequestCheck.check(request)
        let cancellation = Cancellation()
        let deadline = ContinuousClock.now + request.limits.totalTimeout
        let result: Result<OutboundAnswer, OutboundFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                engine.submit(
                    Submission(
                        request: request, address: address, deadline: deadline, cancellation: cancellation,
                        continuation: continuation))
            }
        } onCancel: {
            engine.cancel(cancellation)
        }
        return try result.get()
    }

    /// Whether a request is one that ``send(_:)`` would send: its method, address and fields are looked at, nothing else.
    public static func accepts(_ request: OutboundRequest) -> Bool {
        (try? RequestCheck.check(request)) != nil
    }

    /// Ends everything: requests that are out or waiting fail with `closed`, connections are closed, and the thread has
    /// gone when this returns. Later requests fail with `closed`.
    public func shutdown() {
        engine.close(waits: true)
    }
}
