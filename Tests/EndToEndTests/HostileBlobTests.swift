import Foundation
import Testing
import VerificationCore
import WalletKit

/// Blobs that were made to exhaust a reader, as evidence and sealed inside of evidence.
@Suite(.serialized) struct HostileBlobTests {
    private static func repeated(_ bytes: [UInt8], upTo length: Int) -> [UInt8] {
        Array([[UInt8]](repeating: bytes, count: length / bytes.count).joined())
    }

    /// Arrays in arrays, each of which declares exactly what is left.
    private static func chain(_ length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count + 5 <= length {
            let left = UInt32(length - bytes.count - 5)
            bytes.append(0x9A)
            for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(left >> shift & 0xFF)) }
        }
        return bytes
    }

    private static let size = 400_000

    static let hostile: [(String, [UInt8])] = {
        var all: [(String, [UInt8])] = [
            "9a7fffffff", "9bffffffffffffffff", "bb0000000100000000", "5b7fffffffffffffff", "7b7fffffffffffffff",
            "5f5b7fffffffffffffff", "9f", "bf", "5f", "7f", "d8", "c0", "f8",
        ].map { ("C22 C24 " + $0, ByteText.bytes(hex: $0) ?? []) }
        for length in [20_000, 40_000, size] { all.append(("C23 chain of \(length)", chain(length))) }
        for opening: [UInt8] in [[0x81], [0xA1, 0x00], [0xC1], [0x9F], [0xBF, 0x00], [0x7F], [0x5F], [0xD8, 0x18]] {
            all.append(("C25 \(ByteText.hex(opening))", repeated(opening, upTo: size)))
        }
        let many = UInt32(size - 5)
        let head = [24, 16, 8, 0].map { UInt8(many >> $0 & 0xFF) }
        all.append(("an array of numbers", [0x9A] + head + [UInt8](repeating: 0, count: size - 5)))
        // A map whose keys are all the same number, and one whose keys are all different.
        all.append(("a map of one key", [0xBF] + repeated([0x00, 0x00], upTo: size) + [0xFF]))
        var keys: [UInt8] = [0xBF]
        for key in 0..<60_000 as Range<UInt32> {
            keys += [0x1A] + [24, 16, 8, 0].map { UInt8(key >> $0 & 0xFF) } + [0x00]
        }
        all.append(("a map of many keys", keys + [0xFF]))
        all.append(("zeros", [UInt8](repeating: 0, count: size)))
        return all
    }()

    @Test func `C22 C23 C24 C25 nothing that is sent, or sealed, makes the gateway fall or grow`() async throws {
        let gateway = try RunningGateway()
        try await gateway.start()
        let good = try await gateway.presented()
        _ = try await gateway.call("POST", "/v1/sessions/\(good.id)/submission", body: good.submission)
        let before = try gateway.peakBytes()
        for (name, bytes) in Self.hostile {
            for isSealed in [false, true] {
                let session = try await gateway.call(
                    "POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
                let body =
                    isSealed
                    ? try gateway.forged(for: session) { $0.editPlaintext = { $0 = bytes } }
                    : RunningGateway.submission(bytes)
                let began = ContinuousClock.now
                let answer = try await gateway.call("POST", "/v1/sessions/\(session.id)/submission", body: body)
                #expect(answer.sessionStatus == "rejected", "\(name): \(answer.text.prefix(500))")
                let result = try #require(answer.json["result"] as? [String: Any], "\(name)")
                #expect(result["claims"] is NSNull, "\(name)")
                #expect((result["reasons"] as? [String])?.contains("evidence_malformed") == true, "\(name)")
                #expect(ContinuousClock.now - began < .seconds(30), "\(name)")
            }
        }
        let grown = try gateway.peakBytes() - before
        print("HOSTILE \(Self.hostile.count) blobs, the gateway grew by \(grown >> 10) KiB at most")
        #expect(grown < 48 << 20)
        // The same process still verifies, and everything hostile is in the ledger as a rejection.
        let after = try await gateway.presented()
        let answer = try await gateway.call("POST", "/v1/sessions/\(after.id)/submission", body: after.submission)
        #expect(answer.sessionStatus == "verified")
        #expect(try await gateway.stop() == 0)
        #expect(try gateway.sql("SELECT count(*) FROM ledger") == String(2 * (2 * Self.hostile.count + 2)))
    }
}
