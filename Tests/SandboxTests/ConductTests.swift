import Certified
import SandboxKit
import Testing
import VerificationCore

/// What the certified verifier makes of each misbehaviour: how it ends, how many calls arrive, what is billed.
@Suite struct ConductTests {
    struct Case: Sendable, CustomStringConvertible {
        var fault: Fault
        var ending: Ending
        var calls: Int
        var charges: Int
        /// What a later question finds.
        var fetched: Ending?
        /// Where it is silent: less than the manifest's own five seconds, after which alpha would be asked again.
        var patience: Duration?
        var description: String { "\(fault.name) \(fault)" }
    }

    private static let lost = Ending.failed(.providerProtocolError, mayHaveBilled: true)
    private static let refused = Ending.failed(.providerUnavailable, mayHaveBilled: false)
    private static let timeout = Ending.failed(.providerTimeout, mayHaveBilled: true)

    /// Alpha honours a key, so a call whose answer is lost is made again and bills once.
    private static let alpha: [Case] = [
        Case(fault: .slow(milliseconds: 300), ending: .verified, calls: 1, charges: 1),
        Case(
            fault: .timeout(charged: true), ending: timeout, calls: 1, charges: 1, fetched: .verified,
            patience: .seconds(4)),
        Case(
            fault: .timeout(charged: false), ending: timeout, calls: 1, charges: 0, fetched: .unknown,
            patience: .seconds(4)),
        Case(fault: .resetAfterReading(charged: true), ending: .verified, calls: 2, charges: 1),
        Case(fault: .resetAfterReading(charged: false), ending: .verified, calls: 2, charges: 1),
        Case(fault: .cutBody, ending: .verified, calls: 2, charges: 1),
        Case(fault: .tooManyRequests(seconds: 1, asDate: false), ending: .verified, calls: 2, charges: 1),
        Case(fault: .tooManyRequests(seconds: 2, asDate: true), ending: .verified, calls: 2, charges: 1),
        Case(fault: .tooManyRequests(seconds: 60, asDate: false), ending: refused, calls: 1, charges: 0),
        Case(fault: .unavailable, ending: refused, calls: 1, charges: 0),
        Case(fault: .htmlError(charged: true), ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .htmlError(charged: false), ending: lost, calls: 1, charges: 0, fetched: .unknown),
        Case(fault: .wrongReference, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .unknownStatus, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .gzipBomb, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .badJSON, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .truncatedJSON, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .duplicateKeys, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .byteOrderMark, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .emptyAnswer, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .noContent, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .individualNumber, ending: .verified, calls: 1, charges: 1),
        Case(fault: .revised, ending: .pending, calls: 1, charges: 1, fetched: .rejected),
    ]

    @Test(arguments: alpha) func `P05 P10 P17 P18 a submission to alpha ends as it should`(expected: Case) async throws
    {
        let place = try Playground()
        let verifier = try place.verifier(.alpha)
        let challenge = try await verifier.begin(place.request(), in: place.attempt())
        let evidence = try place.evidence(challenge)
        place.sandbox.place(FaultOrder(expected.fault, of: .alpha, at: .submit))
        let attempt = expected.patience.map { place.attempt(patience: $0) } ?? place.attempt()
        let ending = await Ending.of { () throws(VerificationError) in
            try await verifier.conclude(evidence, for: challenge, in: attempt)
        }
        #expect(ending == expected.ending)
        #expect(place.sandbox.count(.alpha, .submit) == expected.calls)
        #expect(place.sandbox.charges.count == expected.charges)
        #expect(Set(place.sandbox.calls.map(\.idempotencyKey)) == ["att_1-submit"])
        if let fetched = expected.fetched {
            #expect(await Ending.ofFetch(verifier, challenge, place.attempt("1", "fetch")) == fetched)
            #expect(place.sandbox.charges.count == expected.charges)
        }
    }

    /// Gamma knows no repeats, so a call whose answer is lost is never made again.
    private static let gamma: [Case] = [
        Case(fault: .slow(milliseconds: 300), ending: .pending, calls: 1, charges: 1, fetched: .verified),
        Case(
            fault: .resetAfterReading(charged: true), ending: .failed(.providerUnavailable, mayHaveBilled: true),
            calls: 1, charges: 1, fetched: .verified),
        Case(
            fault: .resetAfterReading(charged: false), ending: .failed(.providerUnavailable, mayHaveBilled: true),
            calls: 1, charges: 0, fetched: .unknown),
        Case(
            fault: .cutBody, ending: .failed(.providerUnavailable, mayHaveBilled: true), calls: 1, charges: 1,
            fetched: .verified),
        Case(
            fault: .timeout(charged: true), ending: timeout, calls: 1, charges: 1, fetched: .verified,
            patience: .seconds(4)),
        Case(fault: .tooManyRequests(seconds: 1, asDate: false), ending: refused, calls: 1, charges: 0),
        Case(fault: .unavailable, ending: refused, calls: 1, charges: 0),
        Case(fault: .htmlError(charged: true), ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .wrongReference, ending: .pending, calls: 1, charges: 1),
        Case(fault: .unknownStatus, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .duplicateKeys, ending: lost, calls: 1, charges: 1, fetched: .verified),
        Case(fault: .noContent, ending: lost, calls: 1, charges: 1, fetched: .verified),
    ]

    @Test(arguments: gamma) func `P01 P18 a submission to gamma is made once, whatever happens`(
        expected: Case
    ) async throws {
        let place = try Playground()
        let verifier = try place.verifier(.gamma)
        let challenge = try await verifier.begin(place.request(), in: place.attempt())
        let evidence = try place.evidence(challenge)
        place.sandbox.place(FaultOrder(expected.fault, of: .gamma, at: .submit))
        let attempt = expected.patience.map { place.attempt(patience: $0) } ?? place.attempt()
        let ending = await Ending.of { () throws(VerificationError) in
            try await verifier.conclude(evidence, for: challenge, in: attempt)
        }
        #expect(ending == expected.ending)
        #expect(place.sandbox.count(.gamma, .submit) == expected.calls)
        #expect(place.sandbox.charges.count == expected.charges)
        if let fetched = expected.fetched {
            #expect(await Ending.ofFetch(verifier, challenge, place.attempt("1", "fetch")) == fetched)
            #expect(place.sandbox.count(.gamma, .submit) == expected.calls)
        }
    }

    @Test(arguments: [ProviderName.alpha, .gamma])
    func `P01 a connection that dies on its second use bills nothing twice`(provider: ProviderName) async throws {
        let place = try Playground()
        let verifier = try place.verifier(provider)
        for number in ["1", "2", "3"] {
            let challenge = try await verifier.begin(place.request(), in: place.attempt(number))
            let evidence = try place.evidence(challenge)
            if number == "2" { place.sandbox.place(FaultOrder(.resetAfterReading(charged: true), of: provider)) }
            let attempt = place.attempt(number)
            _ = await Ending.of { () throws(VerificationError) in
                try await verifier.conclude(evidence, for: challenge, in: attempt)
            }
        }
        #expect(place.sandbox.charges.map(\.clientReference) == ["att_1", "att_2", "att_3"])
        #expect(place.sandbox.count(provider, .submit) == (provider == .alpha ? 4 : 3))
    }

    @Test func `P04 a redirect sends nothing to the other host`() async throws {
        let place = try Playground()
        let trap = try Mailbox()
        defer { trap.close() }
        let verifier = try place.verifier(.alpha)
        let challenge = try await verifier.begin(place.request(), in: place.attempt())
        let evidence = try place.evidence(challenge)
        for location in ["http://127.0.0.1:\(trap.port)/v1/kakunin", "https://localhost:\(trap.port)/v1/kakunin"] {
            place.sandbox.place(FaultOrder(.redirect(location: location), of: .alpha, at: .submit))
            let attempt = place.attempt()
            let ending = await Ending.of { () throws(VerificationError) in
                try await verifier.conclude(evidence, for: challenge, in: attempt)
            }
            #expect(ending == .failed(.providerProtocolError, mayHaveBilled: false))
        }
        #expect(trap.connections == 0)
        #expect(place.sandbox.charges.isEmpty)
    }

    @Test func `a My Number in the claims is dropped and counted, and the rest is kept`() async throws {
        let place = try Playground()
        let verifier = try place.verifier(.alpha)
        let challenge = try await verifier.begin(place.request(), in: place.attempt())
        place.sandbox.place(FaultOrder(.individualNumber, of: .alpha))
        let conclusion = try await verifier.conclude(place.evidence(challenge), for: challenge, in: place.attempt())
        guard case .verdict(.verified(let verified, _), let incidents, _) = conclusion else {
            Issue.record("not verified")
            return
        }
        #expect(incidents == [.individualNumberReceived])
        let claims = verified.claims.withValue { $0 }
        #expect(claims[ClaimName("local_gov_code")] == nil && claims[ClaimName("name")] != nil)
        #expect(!"\(claims)".contains("123456789018"))
    }

    @Test func `alpha's claims are the document's, whatever alpha calls them`() async throws {
        let place = try Playground()
        let verifier = try place.verifier(.alpha)
        let challenge = try await verifier.begin(place.request(), in: place.attempt())
        let conclusion = try await verifier.conclude(place.evidence(challenge), for: challenge, in: place.attempt())
        guard case .verdict(.verified(let verified, _), let incidents, let facts) = conclusion else {
            Issue.record("not verified")
            return
        }
        let claims = verified.claims.withValue { $0 }
        #expect(incidents.isEmpty && Set(claims.keys) == Playground.purpose.claims)
        #expect(claims[ClaimName("name")] == .text("葛\u{E0100}城\u{3000}𠮷乃"))
        #expect(claims[ClaimName("birthdate")] == .text("1984-02-29"))
        #expect(facts.program == "AlphaKakunin" && facts.programVersion == "3.2.1" && facts.eventTime != nil)
        #expect(facts.reference == place.sandbox.charges.first?.reference)
    }
}
