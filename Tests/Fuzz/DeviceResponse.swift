import Mdoc
import VerificationCore

/// Any bytes as a DeviceResponse: without an anchor nothing verifies and no claim comes out.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDeviceResponse(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let transcript = try? SessionTranscript(raw: [0x83, 0xF6, 0xF6, 0xF6]) else { return 0 }
    let result = FuzzVerifier.verifier.verify(
        deviceResponse: input, transcript: transcript, expectedDocumentType: nil, purpose: FuzzVerifier.purpose,
        at: FuzzVerifier.now)
    precondition(!result.report.failures.isEmpty)
    precondition(result.claims.withValue { $0.isEmpty })
    return 0
}
