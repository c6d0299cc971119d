import Certified
import SandboxKit
import Testing
import VerificationCore

/// The verifier and the providers that do not answer at once: tokens, polling, webhooks, erasure.
@Suite struct WaitingConductTests {
    @Test func `beta is opened, polled, revised before it is final, and erased`() async throws {
        let place = try Playground(processing: .seconds(60))
        let verifier = try place.verifier(.beta)
        var challenge = try await verifier.begin(place.request(), in: place.attempt("1", "begin"))
        #expect(challenge.walletIdentity == SandboxFolder.betaIdentity)
        #expect(challenge.nonce.bytes != Playground.nonce)
        place.sandbox.place(FaultOrder(.revised, of: .beta))
        let taken = try await verifier.conclude(place.evidence(challenge), for: challenge, in: place.attempt())
        guard case .pending(let pending) = taken else {
            Issue.record("not pending")
            return
        }
        #expect(pending.retryAfter == .seconds(1))
        challenge = challenge.knowing(pending.provider)
        let asked = challenge
        func poll(_ number: Int) async -> Ending {
            let attempt = place.attempt("1", "poll-\(number)")
            return await Ending.of { () throws(VerificationError) in try await verifier.poll(asked, in: attempt) }
        }
        #expect(await poll(1) == .pending)
        place.pass(.seconds(60))
        #expect(await poll(2) == .pending)
        #expect(await poll(3) == .rejected)
        try await verifier.erase(challenge, in: place.attempt("1", "erase"))
        #expect(await poll(4) == .failed(.providerProtocolError, mayHaveBilled: false))
        #expect(place.sandbox.charges.map(\.billableClass) == ["session", "approval"])
        #expect(place.sandbox.count(.beta, .token) == 1)
    }

    @Test func `P18 opening at beta bills each time, so it is made once, whatever happens`() async throws {
        let place = try Playground()
        let verifier = try place.verifier(.beta)
        let request = try place.request()
        let faults: [(Fault, Bool, Int)] = [
            (.resetAfterReading(charged: true), true, 1), (.cutBody, true, 1), (.badJSON, true, 1),
            (.htmlError(charged: true), true, 1), (.wrongReference, true, 1), (.unknownStatus, true, 1),
            (.unavailable, false, 0), (.tooManyRequests(seconds: 1, asDate: false), false, 0),
        ]
        for (fault, mayHaveBilled, charges) in faults {
            place.sandbox.forget()
            place.sandbox.place(FaultOrder(fault, of: .beta, at: .begin))
            do throws(VerificationError) {
                _ = try await verifier.begin(request, in: place.attempt("1", "begin"))
                Issue.record("\(fault.name): a session began")
            } catch {
                #expect(error.mayHaveBilled == mayHaveBilled, "\(fault.name)")
            }
            #expect(place.sandbox.count(.beta, .begin) == 1, "\(fault.name)")
            #expect(place.sandbox.charges.count == charges, "\(fault.name)")
        }
    }

    @Test func `P11 a hundred sessions at once cost one token, and again one when it dies`() async throws {
        let place = try Playground()
        let verifier = try place.verifier(.beta)
        let request = try place.request()
        place.sandbox.place(FaultOrder(.tokenExpiresAtOnce, of: .beta))
        _ = try await verifier.begin(request, in: place.attempt("1", "begin"))
        #expect(place.sandbox.count(.beta, .token) == 2)
        #expect(place.sandbox.count(.beta, .begin) == 2 && place.sandbox.charges.count == 1)
        let other = try place.verifier(.beta)
        place.sandbox.forget()
        let begun = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                let attempt = place.attempt("\(number)", "begin")
                group.addTask { (try? await other.begin(request, in: attempt)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(begun == 100)
        #expect(place.sandbox.count(.beta, .token) == 1 && place.sandbox.charges.count == 100)
    }

    @Test func `P11 without a token nothing is asked of the provider, and nothing billed`() async throws {
        let place = try Playground()
        let verifier = try place.verifier(.beta)
        let request = try place.request()
        for fault: Fault in [.htmlError(charged: false), .unavailable, .badJSON, .emptyAnswer, .gzipBomb] {
            place.sandbox.place(FaultOrder(fault, of: .beta, at: .token, .times(9)))
            do throws(VerificationError) {
                _ = try await verifier.begin(request, in: place.attempt("1", "begin", patience: .seconds(3)))
                Issue.record("\(fault.name): a session began")
            } catch {
                #expect(!error.mayHaveBilled, "\(fault.name)")
            }
            place.sandbox.clearFaults()
        }
        #expect(place.sandbox.count(.beta, .begin) == 0 && place.sandbox.charges.isEmpty)
    }

    @Test func `P13 P16 gamma's webhook concludes, and no other does`() async throws {
        let mailbox = try Mailbox()
        defer { mailbox.close() }
        let place = try Playground(webhookPort: mailbox.port)
        let verifier = try place.verifier(.gamma)
        var challenges: [Challenge] = []
        for (number, fault) in [Fault?.none, .wronglySignedWebhook, .webhookForAnother].enumerated() {
            if let fault { place.sandbox.place(FaultOrder(fault, of: .gamma)) }
            let challenge = try await verifier.begin(place.request(), in: place.attempt("\(number)"))
            let taken = try await verifier.conclude(
                place.evidence(challenge), for: challenge, in: place.attempt("\(number)"))
            guard case .pending(let pending) = taken else {
                Issue.record("not pending")
                return
            }
            challenges.append(challenge.knowing(pending.provider))
            _ = try await mailbox.letters(number + 1)
        }
        let notifications = try await mailbox.letters(3).map { letter in
            Notification(headers: letter.headers.map { ($0.key, $0.value) }, body: Sensitive(letter.body))
        }
        let now = Playground.now()
        let good = try verifier.receive(notifications[0], at: now)
        #expect(good.providerReference == challenges[0].providerReference)
        let conclusion = try verifier.conclude(good, for: challenges[0], in: place.attempt("0", "notice"))
        #expect(conclusion.map { Ending($0) } == .verified)
        #expect(throws: VerificationError.self) {
            try verifier.conclude(good, for: challenges[1], in: place.attempt("1", "notice"))
        }
        #expect(throws: NotificationError.signatureInvalid) { try verifier.receive(notifications[1], at: now) }
        let other = try verifier.receive(notifications[2], at: now)
        #expect(!challenges.contains { $0.providerReference == other.providerReference })
        #expect(throws: NotificationError.outsideTolerance) {
            try verifier.receive(notifications[0], at: now.advanced(by: .seconds(301)))
        }
    }

    @Test func `what gamma keeps is erased there, once or twice`() async throws {
        let place = try Playground()
        let verifier = try place.verifier(.gamma)
        let challenge = try await verifier.begin(place.request(), in: place.attempt())
        let taken = try await verifier.conclude(place.evidence(challenge), for: challenge, in: place.attempt())
        guard case .pending(let pending) = taken else {
            Issue.record("not pending")
            return
        }
        let known = challenge.knowing(pending.provider)
        #expect(await Ending.ofFetch(verifier, known, place.attempt("1", "fetch")) == .verified)
        for _ in 1...2 { try await verifier.erase(known, in: place.attempt("1", "erase")) }
        #expect(await Ending.ofFetch(verifier, known, place.attempt("1", "fetch")) == .unknown)
    }
}
