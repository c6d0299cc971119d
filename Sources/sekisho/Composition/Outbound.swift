import Certified
import Gateway
import HTTPClient
import InHouse
import Trust
import VerificationCore

/// What verifiers reach others by: one client for all of them, which outlives every reload.
struct Outbound: Sendable {
    let client: HTTPClient
    let metrics: Metrics
    /// Revocation lists are fetched by whichever verifier names them and kept through reloads.
    /// `nil` in a command that only looks: it fetches nothing.
    let revocation: RevocationFetching?

    init(client: HTTPClient, metrics: Metrics, clock: SteadyClock) {
        self.client = client
        self.metrics = metrics
        revocation = RevocationFetching(client: client, lists: FetchedLists(), clock: { clock.now() })
    }

    /// For a command that opens verifiers to look at them and sends nothing.
    init(silent client: HTTPClient) {
        self.client = client
        metrics = Metrics()
        revocation = nil
    }

    /// The client as one verifier uses it: what really goes over the wire is counted under its name.
    func sender(of verifier: VerifierID) -> any OutboundSending {
        CountedSender(client: client, metrics: metrics, verifier: verifier)
    }
}

/// Counts the requests that were handed to a connection, repeats included: what a provider may have received.
private struct CountedSender: OutboundSending {
    let client: HTTPClient
    let metrics: Metrics
    let verifier: VerifierID

    func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer {
        do throws(OutboundFailure) {
            let answer = try await client.send(request)
            count(answer.sends, "\(answer.status / 100)xx")
            return answer
        } catch {
            count(error.sends, error.code.rawValue)
            throw error
        }
    }

    private func count(_ sends: Int, _ outcome: String) {
        metrics.count(
            .wireRequests, [("verifier", verifier.rawValue), ("outcome", outcome)], by: sends)
    }
}
