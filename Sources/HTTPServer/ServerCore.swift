import CMicrohttpd
import Glibc
import Synchronization

/// One of libmicrohttpd's event loops, as its callbacks know it.
final class EventLoop: Sendable {
    let core: ServerCore
    let index: Int

    init(core: ServerCore, index: Int) {
        self.core = core
        self.index = index
    }
}

/// What libmicrohttpd's callbacks, the warden and the handlers share.
final class ServerCore: Sendable {
    let limits: HTTPLimits
    let requestGuard: RequestGuard
    let refusal: @Sendable (HTTPRefusal) -> HTTPResponse
    let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    let table = ConnectionTable()
    let lingering = Lingering()
    let isDraining = Atomic(false)
    /// Set before the last connections are abandoned: no request starts after it.
    let isStopped = Atomic(false)
    let bufferedBytes = Atomic(0)
    /// Those of large bodies, which are not among the others.
    let largeBufferedBytes = Atomic(0)

    init(
        limits: HTTPLimits, refusal: @escaping @Sendable (HTTPRefusal) -> HTTPResponse,
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.limits = limits
        self.requestGuard = RequestGuard(limits: limits)
        self.refusal = refusal
        self.handler = handler
    }

    /// The answer of the gateway's to a refusal, or a bare one where that cannot be sent.
    func answer(to refusal: HTTPRefusal) -> HTTPResponse {
        let response = self.refusal(refusal)
        return response.isWellFormed ? response : HTTPResponse(status: refusal.status)
    }

    /// Takes bytes of a body into account; `false` where there are too many already.
    func reserve(_ count: Int, isLarge: Bool) -> Bool {
        let (total, most) =
            isLarge
            ? (largeBufferedBytes.add(count, ordering: .relaxed).newValue, limits.largeBufferedBytes)
            : (bufferedBytes.add(count, ordering: .relaxed).newValue, limits.bufferedBytes)
        if total <= most { return true }
        release(count, isLarge: isLarge)
        return false
    }

    func release(_ count: Int, isLarge: Bool) {
        if isLarge {
            largeBufferedBytes.subtract(count, ordering: .relaxed)
        } else {
            bufferedBytes.subtract(count, ordering: .relaxed)
        }
    }
}
