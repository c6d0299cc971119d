public import HTTPClient
public import Trust
public import VerificationCore

/// What fetching CRLs needs from outside.
public struct RevocationFetching: Sendable {
    /// The client, shared with everybody else.
    public let client: HTTPClient
    /// Where the lists are kept; one for the whole process, so that a reload keeps what was fetched.
    public let lists: FetchedLists
    /// The wall clock.
    public let clock: @Sendable () -> Timestamp

    /// A client, a place and a clock.
    public init(client: HTTPClient, lists: FetchedLists, clock: @escaping @Sendable () -> Timestamp) {
        self.client = client
        self.lists = lists
        self.clock = clock
    }
}

/// Fetches CRLs beside the request path for as long as its verifier is held. A verification never waits for it.
final class RevocationFetcher: Sendable {
    /// What one fetch may cost. The list may be as large as any; the time is no one's who waits.
    static let limits = OutboundLimits(
        connectTimeout: .seconds(10), totalTimeout: .seconds(120), answerBytes: RevocationList.maximumLength)
    /// A list is fetched so often within its age, so that a few failures in a row do no harm.
    private static let fetchesPerAge = 6
    /// The time between two fetches is never shorter, nor longer.
    private static let shortestPause = Duration.seconds(60)
    private static let longestPause = Duration.seconds(6 * 3600)

    private let task: Task<Void, Never>

    /// Starts fetching at once.
    init(sources: FetchedSources, trust: TrustStore, fetching: RevocationFetching) {
        task = Task.detached(priority: .background) {
            await withDiscardingTaskGroup { group in
                for url in sources.urls {
                    group.addTask {
                        await RevocationFetcher.keepFetching(
                            url, every: RevocationFetcher.pause(within: sources.maximumAge), trust, fetching)
                    }
                }
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// The time between two fetches of a list that may get so old.
    static func pause(within age: Duration) -> Duration {
        min(max(age / fetchesPerAge, shortestPause), longestPause)
    }

    private static func keepFetching(
        _ url: String, every pause: Duration, _ trust: TrustStore, _ fetching: RevocationFetching
    ) async {
        var wait = shortestPause
        while !Task.isCancelled {
            let isHere = await fetch(url, trust, fetching)
            // After a failure sooner, but less and less so.
            wait = isHere ? pause : min(wait * 2, pause)
            do {
                try await Task.sleep(for: isHere ? pause : wait)
            } catch {
                return
            }
        }
    }

    /// Fetches one list, and says whether it was good.
    static func fetch(_ url: String, _ trust: TrustStore, _ fetching: RevocationFetching) async -> Bool {
        let answer: OutboundAnswer
        do throws(OutboundFailure) {
            answer = try await fetching.client.send(request(url))
        } catch {
            switch error.code {
            // Nobody's failure: the verifier is let go of, or the process ends.
            case .cancelled, .closed: break
            case .answerTooLarge: fetching.lists.note(.tooLarge, from: url)
            case .requestRefused, .dnsFailed, .connectFailed, .tlsFailed, .timedOutBeforeSending, .timedOut,
                .connectionLost, .badAnswer, .tooManyRequests, .noResources:
                fetching.lists.note(.unreachable, from: url)
            }
            return false
        }
        guard answer.status == 200 else {
            fetching.lists.note(.refused, from: url)
            return false
        }
        do throws(FetchedLists.Failure) {
            try answer.body.withValue { (bytes: [UInt8]) throws(FetchedLists.Failure) in
                try fetching.lists.accept(bytes, from: url, under: trust, at: fetching.clock())
            }
            return true
        } catch {
            return false
        }
    }

    /// Plain `http` is what distribution points speak: the list is signed, and says nothing about anybody's session.
    static func request(_ url: String) -> OutboundRequest {
        OutboundRequest(
            method: "GET", url: url, connection: .reuse, limits: limits, pool: "revocation", plaintext: .signedContent)
    }
}
