import VerificationCore

extension VerifierConformance {
    static let bounds: [VerifierCase] = [
        VerifierCase("after its deadline nothing is judged, sent or charged") { bench in
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let evidence = try bench.present(challenge, .genuine)
            let late = bench.context("submit", patience: .milliseconds(-1))
            let error = try await requireError { () throws(VerificationError) in
                _ = try await verifier.conclude(evidence, for: challenge, in: late)
            }
            try require(error.code == .cancelled && !error.mayHaveBilled, "\(error.code)")
            try require(bench.charges() == 0, "charged")
        },
        VerifierCase("a caller that is gone is given no verdict, and nothing is sent for it") { bench in
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let evidence = try bench.present(challenge, .genuine)
            let context = bench.context("submit")
            let task = Task { () async -> VerificationError? in
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(VerificationError) {
                    _ = try await verifier.conclude(evidence, for: challenge, in: context)
                    return nil
                } catch { return error }
            }
            guard let error = await task.value else { throw VerifierMisbehaviour("an answer for nobody", #line) }
            try require(error.code == .cancelled, "\(error.code)")
            try require(error.mayHaveBilled || bench.charges() == 0, "charged, and it says that nothing was")
        },
        VerifierCase("many at once are each answered for themselves") { bench in
            let verifier = try bench.open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let isForged = number.isMultiple(of: 2)
                        let challenge = try await bench.begun(verifier, "many-\(number)", nonce: UInt8(number + 1))
                        let evidence = try bench.present(challenge, isForged ? .forged : .genuine)
                        let verdict = try await bench.verdict(
                            verifier, evidence, challenge, attempt: "att_many-\(number)"
                        ).verdict
                        let isVerified = if case .verified = verdict { true } else { false }
                        try require(isVerified != isForged, "\(number) has another's answer")
                    }
                }
                try await group.waitForAll()
            }
        },
    ]

    static let silence: [VerifierCase] = [
        VerifierCase("nobody at the other end is an error that billed nothing, and never a verdict") { bench in
            guard let openAlone = bench.openAlone else { return }
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let evidence = try bench.present(challenge, .genuine)
            let alone = try openAlone()
            let error = try await requireError { () throws(VerificationError) in
                _ = try await alone.conclude(evidence, for: challenge, in: bench.context("submit"))
            }
            try require(error.code == .providerUnavailable && !error.mayHaveBilled, "\(error.code)")
            try require(bench.charges() == 0, "charged")
        },
        VerifierCase("a silent other side is given up at the deadline, as one that may have billed") { bench in
            guard let silence = bench.silence else { return }
            let verifier = try bench.open()
            let challenge = try await bench.begun(verifier)
            let evidence = try bench.present(challenge, .genuine)
            silence()
            let context = bench.context("submit", patience: .seconds(1))
            let begun = ContinuousClock.now
            let error = try await requireError { () throws(VerificationError) in
                _ = try await verifier.conclude(evidence, for: challenge, in: context)
            }
            let waited = ContinuousClock.now - begun
            try require(error.code == .providerTimeout && error.mayHaveBilled, "\(error.code)")
            // Its caller's second ended it, and not its own patience, which is far longer on purpose.
            try require(waited >= .milliseconds(950) && waited < bench.stepTimeout / 2, "\(waited)")
            try require(bench.charges() == 0, "charged")
        },
    ]
}
