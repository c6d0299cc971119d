import CBOR
import Mdoc
import VerificationCore

/// Any bytes as an envelope: the verifier answers with a rejection that begins at a check of the envelope, and never
/// with a claim.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEnvelope(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    _ = try? AppleEnvelope(input)
    guard let nonce = Nonce([UInt8](repeating: 7, count: 32)) else { return 0 }
    let result = FuzzVerifier.verifier.verify(
        envelope: input, nonce: nonce,
        walletIdentity: WalletIdentity(merchantIdentifier: "merchant.fuzz", teamIdentifier: "TEAM"),
        expectedDocumentType: nil, purpose: FuzzVerifier.purpose, at: FuzzVerifier.now)
    precondition(!result.report.failures.isEmpty)
    precondition(result.claims.withValue { $0.isEmpty })
    return 0
}
