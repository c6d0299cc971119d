import VerificationCore

extension VerifierConformance {
    static let judging: [VerifierCase] = [
        VerifierCase("a genuine answer is verified, with every required check passed and none failed") { bench in
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let (verdict, incidents, _) = try await bench.verdict(
                verifier, bench.present(challenge, .genuine), challenge)
            guard case .verified(let claims, let report) = verdict else {
                throw VerifierMisbehaviour("rejected: \(verdict.report.failures)", #line)
            }
            try require(report.allPassed(bench.required.names), "\(report)")
            try require(report.reasons.isEmpty, "\(report.reasons)")
            try require(!incidents.contains(.individualNumberReceived), "\(incidents)")
            for check in CheckName.allCases where !bench.required.names.contains(check) {
                try require(report[check].reason == nil, "\(check)")
            }
            try require(claims.claims.withValue { $0[ClaimName("name")] } == .text(bench.name), "the name is another")
            try require(claims.document.withValue(\.type) == VerifierBench.document, "the document is another")
        },
        VerifierCase("only the purpose's claims come back, though more was presented") { bench in
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let (verdict, _, _) = try await bench.verdict(verifier, bench.present(challenge, .genuine), challenge)
            guard case .verified(let claims, _) = verdict else { throw VerifierMisbehaviour("rejected", #line) }
            let names = claims.claims.withValue { Set($0.keys) }
            try require(names == VerifierBench.purpose.claims, "\(names)")
        },
        VerifierCase("a forged answer is a verdict, with its reason and without a claim") { bench in
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let (verdict, _, _) = try await bench.verdict(verifier, bench.present(challenge, .forged), challenge)
            guard case .rejected(let report, _) = verdict else { throw VerifierMisbehaviour("verified", #line) }
            try require(!report.failures.isEmpty && !report.reasons.isEmpty, "rejected for nothing")
            try require(!report.allPassed(bench.required.names), "rejected, and every check passed")
        },
        VerifierCase("the genuine answer to another session is rejected") { bench in
            let verifier = try bench.open()
            let own = try await bench.begun(verifier, "1", nonce: 1)
            let other = try await bench.begun(verifier, "2", nonce: 2)
            let evidence = try bench.present(other, .genuine)
            guard case .rejected(let report, _) = try await bench.verdict(verifier, evidence, own).verdict else {
                throw VerifierMisbehaviour("verified for another session", #line)
            }
            try require(report.reasons.contains(.sessionMismatch), "\(report.reasons)")
        },
        VerifierCase("an answer that lacks a required claim is rejected under elements, and nothing else") { bench in
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let (verdict, _, _) = try await bench.verdict(
                verifier, bench.present(challenge, .withoutBirthdate), challenge)
            guard case .rejected(let report, _) = verdict else { throw VerifierMisbehaviour("verified", #line) }
            try require(report[.elements] == .failed(.elementMissing), "\(report.reasons)")
            try require(report.failures == [.elements], "\(report.failures)")
        },
        VerifierCase("a マイナンバー is an incident, and never a claim") { bench in
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let (verdict, incidents, _) = try await bench.verdict(
                verifier, bench.present(challenge, .withIndividualNumber), challenge)
            guard case .verified(let claims, _) = verdict else { throw VerifierMisbehaviour("rejected", #line) }
            // Where it is put under a name that the purpose does not ask for, nobody even looks at it.
            try require(
                Set(incidents).isSubset(of: [.individualNumberReceived, .unrequestedElementReceived]), "\(incidents)")
            let text = claims.claims.withValue { "\($0)" }
            try require(!text.contains("123456789018"), "it is among the claims")
            try require(
                claims.claims.withValue { Set($0.keys) }.isSubset(of: VerifierBench.purpose.claims), "more claims")
        },
        VerifierCase("evidence that is nothing, broken or cut is never verified, and never an error of ours") { bench in
            let verifier = try bench.open()
            let pattern = try bench.present(try await bench.begun(verifier, "0"), .genuine)
            let whole = pattern.encryptedData.withValue { $0 }
            let broken: [[UInt8]] = [
                [], [0], Array("no evidence".utf8), Array(whole.prefix(whole.count / 2)), Array(whole.dropLast()),
                whole + [0], [UInt8](repeating: 0xFF, count: 4000),
            ]
            for (number, bytes) in broken.enumerated() {
                let challenge = try await bench.begun(verifier, "broken-\(number)")
                do throws(VerificationError) {
                    let conclusion = try await verifier.conclude(
                        Evidence(encryptedData: Sensitive(bytes)), for: challenge,
                        in: bench.context("submit", attempt: "att_broken-\(number)"))
                    if case .verdict(.verified, _, _) = conclusion {
                        throw VerificationError(.internal, "broken evidence was verified")
                    }
                } catch {
                    // The other side may refuse the form of it; that is no verdict, and no fault of ours.
                    try require(error.code == .providerProtocolError, "\(number): \(error.code)")
                }
            }
        },
        VerifierCase("the same submission again is answered alike, and charged once") { bench in
            guard bench.isRepeatable else { return }
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let evidence = try bench.present(challenge, .genuine)
            for _ in 0..<3 {
                guard case .verified = try await bench.verdict(verifier, evidence, challenge).verdict else {
                    throw VerifierMisbehaviour("answered otherwise", #line)
                }
            }
            try require(bench.charges() <= 1, "charged \(bench.charges()) times")
        },
        VerifierCase("nothing of the person stands in what a verdict or an error says of itself") { bench in
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let evidence = try bench.present(challenge, .genuine)
            let (verdict, _, _) = try await bench.verdict(verifier, evidence, challenge)
            for text in ["\(verdict)", String(reflecting: verdict), "\(evidence)", "\(challenge)"] {
                try require(!text.contains(bench.name), "the name is told")
            }
            var dumped = ""
            dump(verdict, to: &dumped)
            try require(!dumped.contains(bench.name), "the name is dumped")
        },
        VerifierCase("what the other side keeps is erased there, once or twice") { bench in
            let verifier = try bench.open()
            guard let erasing = verifier as? any ErasingVerifier, verifier.description.steps.contains(.erase) else {
                return
            }
            let challenge = try await bench.begun(verifier)
            let known = try await bench.verdict(verifier, bench.present(challenge, .genuine), challenge).challenge
            for _ in 0..<2 { try await erasing.erase(known, in: bench.context("erase")) }
        },
    ]
}
