public import InHouse
import Testing
import VerificationCore
public import VerifierConformance
import WalletKit

extension InHouseVerifier: Conforming {}

/// The one suite of every kind, on our own verifier.
@Suite struct InHouseConformanceTests {
    @Test(arguments: VerifierConformance.cases) func `in-house`(_ requirement: VerifierCase) async throws {
        let world = try World()
        try await requirement.run(
            VerifierBench(
                open: { try world.open() }, now: { World.now },
                present: { challenge, presentation in
                    var elements = ["givenName", "familyName", "address", "portrait", "sex"]
                    if presentation != .withoutBirthdate { elements.append("dateOfBirth") }
                    if presentation == .withIndividualNumber { elements.append("documentNumber") }
                    let request = world.wallet.merchant.request(nonce: challenge.nonce.bytes, elements: elements)
                    let fault = presentation == .forged ? try Fault.named("value_changed") : nil
                    return Evidence(
                        encryptedData: Sensitive(try world.wallet.present(request, fault: fault, at: World.moment)))
                },
                isRepeatable: true, required: .inHouse(revocation: false), name: "葛\u{E0100}城\u{3000}𠮷乃"))
    }
}
