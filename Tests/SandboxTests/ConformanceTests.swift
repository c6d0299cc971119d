public import Certified
import SandboxKit
import Testing
import VerificationCore
public import VerifierConformance
import WalletKit

extension CertifiedVerifier: Conforming {}

/// The one suite of every kind, on the verifier that a manifest describes, in front of each provider of the sandbox.
@Suite struct ConformanceTests {
    private func run(_ requirement: VerifierCase, _ provider: ProviderName) async throws {
        let place = try Playground()
        try await requirement.run(place.bench(provider))
    }

    @Test(arguments: VerifierConformance.cases) func `alpha`(_ requirement: VerifierCase) async throws {
        try await run(requirement, .alpha)
    }

    @Test(arguments: VerifierConformance.cases) func `beta`(_ requirement: VerifierCase) async throws {
        try await run(requirement, .beta)
    }

    @Test(arguments: VerifierConformance.cases) func `gamma`(_ requirement: VerifierCase) async throws {
        try await run(requirement, .gamma)
    }
}

extension Playground {
    /// What the suite needs of a provider.
    func bench(_ provider: ProviderName) -> VerifierBench {
        VerifierBench(
            open: { try self.verifier(provider) },
            openAlone: { try self.verifier(provider, port: 1) },
            now: Self.now,
            present: { challenge, presentation in
                var elements = Self.elements
                if presentation == .withoutBirthdate { elements.removeAll { $0 == "dateOfBirth" } }
                if presentation == .withIndividualNumber {
                    self.sandbox.place(FaultOrder(.individualNumber, of: provider, at: .submit))
                }
                let fault = presentation == .forged ? try WalletKit.Fault.named("value_changed") : nil
                let isBeta = challenge.walletIdentity == SandboxFolder.betaIdentity
                let nonce = challenge.nonce.bytes
                let bytes =
                    try isBeta
                    ? self.betaBlob(nonce, fault: fault, elements: elements)
                    : self.blob(nonce, fault: fault, elements: elements)
                return Evidence(encryptedData: Sensitive(bytes))
            },
            silence: { self.sandbox.place(FaultOrder(.timeout(charged: false), of: provider, at: .submit)) },
            stepTimeout: Self.patient,
            charges: { self.sandbox.charges.count { $0.billableClass != "session" } },
            isRepeatable: provider == .alpha, required: .certified, name: "葛\u{E0100}城\u{3000}𠮷乃")
    }
}
