import VerificationCore

extension VerifierConformance {
    static let beginning: [VerifierCase] = [
        VerifierCase("what is begun carries its own request, and the nonce of whoever makes it") { bench in
            let verifier = try bench.open()
            let request = try bench.request()
            let challenge = try await verifier.begin(request, in: bench.context("begin"))
            try require(challenge.request.session == request.session, "another session")
            try require(challenge.request.documentType == request.documentType, "another document")
            let isOurs = challenge.nonce == request.nonce
            try require(isOurs == (verifier.description.nonceOrigin == .gateway), "the nonce is not its maker's")
            if let keys = verifier.description.walletKeys {
                try require(challenge.walletIdentity == keys.identity, "another wallet identity than it declares")
            }
            try require(!challenge.walletIdentity.merchantIdentifier.isEmpty, "no merchant")
        },
        VerifierCase("a verification that is begun again is open as the first was, and each can be concluded") {
            bench in
            let verifier = try bench.open()
            let first = try await bench.begun(verifier)
            let second = try await bench.begun(verifier)
            try require(first.walletIdentity == second.walletIdentity, "another wallet identity")
            if verifier.description.nonceOrigin == .gateway {
                try require(first.nonce == second.nonce, "another nonce for the same request")
            } else {
                try require(first.nonce != second.nonce, "a provider's nonce twice")
            }
            try require(bench.charges() == 0, "beginning was charged as a submission")
            let evidence = try bench.present(second, .genuine)
            guard case .verified = try await bench.verdict(verifier, evidence, second).verdict else {
                throw VerifierMisbehaviour("the second one does not conclude", #line)
            }
        },
        VerifierCase("a document that is not offered is not begun") { bench in
            let verifier = try bench.open()
            let request = try bench.request(type: "org.example.none")
            let error = try await requireError { () throws(VerificationError) in
                _ = try await verifier.begin(request, in: bench.context("begin"))
            }
            try require(error.code == .requestUnsupported && !error.mayHaveBilled, "\(error.code)")
        },
        VerifierCase("what one instance began, another concludes: nothing is remembered outside the challenge") {
            bench in
            let challenge = try await bench.begun(bench.open())
            let evidence = try bench.present(challenge, .genuine)
            guard case .verified = try await bench.verdict(bench.open(), evidence, challenge).verdict else {
                throw VerifierMisbehaviour("not verified after a restart", #line)
            }
        },
        VerifierCase("a challenge whose state is not its own is an error, no verdict, and is charged to nobody") {
            bench in
            let verifier = try bench.open()
            // One that asks nobody keeps nothing there that a verdict depends on.
            guard verifier.description.reachesOut else { return }
            let own = try await bench.begun(verifier)
            let evidence = try bench.present(own, .genuine)
            let strange = Challenge(
                request: own.request, nonce: own.nonce, walletIdentity: own.walletIdentity,
                state: Sensitive(Array("another verifier's".utf8)), providerReference: own.providerReference)
            let error = try await requireError { () throws(VerificationError) in
                _ = try await verifier.conclude(evidence, for: strange, in: bench.context("submit"))
            }
            try require(error.code == .challengeUnusable && !error.mayHaveBilled, "\(error.code)")
            try require(bench.charges() == 0, "charged")
        },
    ]
}
