import Cryptography
import Foundation
import HPKE
import TestSupport
import Testing

/// The vectors of RFC 9180 Appendix A for base mode with P-256 and HKDF-SHA256.
enum RFC9180 {
    static let path = "crypto/hpke/rfc9180_base_p256_hkdfsha256.json"

    struct Vector: Decodable {
        let mode: Int
        let kemId: Int
        let kdfId: Int
        let aeadId: UInt16
        let info: Hex
        let skRm: Hex
        let skEm: Hex
        let pkRm: Hex
        let pkEm: Hex
        let enc: Hex
        let sharedSecret: Hex
        let keyScheduleContext: Hex
        let secret: Hex
        let key: Hex
        let baseNonce: Hex
        let exporterSecret: Hex
        let encryptions: [Encryption]
        let exports: [Export]

        var suite: CipherSuite {
            get throws {
                switch try #require(CipherSuite.AEAD(rawValue: aeadId)) {
                case .aes128GCM: .aes128GCM
                case .aes256GCM: .aes256GCM
                case .exportOnly: .exportOnly
                }
            }
        }
    }

    struct Encryption: Decodable {
        let aad: Hex
        let ct: Hex
        let nonce: Hex
        let pt: Hex
    }

    struct Export: Decodable {
        let exporterContext: Hex
        let length: Int
        let exportedValue: Hex

        private enum CodingKeys: String, CodingKey {
            case exporterContext, exportedValue
            case length = "L"
        }
    }

    struct Hex: Decodable {
        let bytes: [UInt8]

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let bytes = hex(text) else { throw CocoaError(.coderReadCorrupt) }
            self.bytes = bytes
        }
    }

    static func load() throws -> [Vector] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode([Vector].self, from: Data(Vectors.bytes(path)))
    }
}

/// The bytes of hexadecimal text.
func hex(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
        guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else {
            return nil
        }
        bytes.append(byte)
    }
    return bytes
}

@Suite(.enabled(if: Vectors.available(RFC9180.path))) struct RFC9180Tests {
    @Test func `every intermediate value of every vector is the RFC's`() throws {
        let vectors = try RFC9180.load()
        #expect(vectors.count == 3)
        for vector in vectors {
            #expect(vector.mode == 0 && vector.kemId == 0x0010 && vector.kdfId == 0x0001)
            let recipient = try P256PrivateKey(scalar: vector.skRm.bytes)
            #expect(recipient.publicKey.uncompressed == vector.pkRm.bytes)
            #expect(try P256PrivateKey(scalar: vector.skEm.bytes).publicKey.uncompressed == vector.enc.bytes)
            #expect(try DHKEM.decapsulate(vector.enc.bytes, recipient) == vector.sharedSecret.bytes)
            let schedule = KeySchedule(
                try vector.suite, sharedSecret: vector.sharedSecret.bytes, info: vector.info.bytes)
            #expect(schedule.context == vector.keyScheduleContext.bytes)
            #expect(schedule.secret.bytes == vector.secret.bytes)
            #expect(try schedule.key() == vector.key.bytes)
            #expect(try schedule.baseNonce() == vector.baseNonce.bytes)
            #expect(try schedule.exporterSecret() == vector.exporterSecret.bytes)
        }
    }

    @Test func `every encryption opens in its order, and only in its place`() throws {
        var opened = 0
        for vector in try RFC9180.load() {
            let recipient = try P256PrivateKey(scalar: vector.skRm.bytes)
            var inOrder = try ReceiverContext(
                try vector.suite, enc: vector.enc.bytes, recipient: recipient, info: vector.info.bytes)
            var next: UInt64 = 0
            for encryption in vector.encryptions {
                let sequence = try Self.sequence(of: encryption, in: vector)
                if sequence == next {
                    // A message that does not open leaves the number as it was.
                    #expect(throws: HPKEError.openFailed) {
                        try inOrder.open(encryption.ct.bytes.dropLast() + [0], aad: [])
                    }
                    let plaintext = try inOrder.open(encryption.ct.bytes, aad: encryption.aad.bytes)
                    #expect(plaintext == encryption.pt.bytes)
                    next += 1
                }
                var placed = try ReceiverContext(
                    try vector.suite, enc: vector.enc.bytes, recipient: recipient, info: vector.info.bytes,
                    sequence: sequence)
                #expect(try placed.open(encryption.ct.bytes, aad: encryption.aad.bytes) == encryption.pt.bytes)
                // The next number does not open the same message again.
                #expect(throws: HPKEError.openFailed) {
                    try placed.open(encryption.ct.bytes, aad: encryption.aad.bytes)
                }
                opened += 1
            }
        }
        #expect(opened == 24)
        Vectors.ran(opened, of: "hpke/rfc9180 encryptions")
    }

    /// The file gives no numbers but the nonces, which are the base nonce and the number combined.
    private static func sequence(of encryption: RFC9180.Encryption, in vector: RFC9180.Vector) throws -> UInt64 {
        let both = zip(encryption.nonce.bytes, vector.baseNonce.bytes).map { $0 ^ $1 }
        try #require(both.count == 12 && both.prefix(4).allSatisfy { $0 == 0 })
        return both.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test func `every export is the RFC's, and depends on its context`() throws {
        var exported = 0
        for vector in try RFC9180.load() {
            let context = try ReceiverContext(
                try vector.suite, enc: vector.enc.bytes, recipient: try P256PrivateKey(scalar: vector.skRm.bytes),
                info: vector.info.bytes)
            for export in vector.exports {
                let value = try context.export(export.exporterContext.bytes, length: export.length)
                #expect(value == export.exportedValue.bytes)
                let other = try context.export(export.exporterContext.bytes + [1], length: export.length)
                #expect(other != value)
                exported += 1
            }
            #expect(throws: HPKEError.unsupported) { try context.export([], length: HKDF.maximumLength + 1) }
            #expect(throws: HPKEError.unsupported) { try context.export([], length: 70_000) }
            #expect(throws: HPKEError.unsupported) { try context.export([], length: -1) }
        }
        #expect(exported == 9)
        Vectors.ran(exported, of: "hpke/rfc9180 exports")
    }

    @Test func `the open in one shot is the first message of the wallet's suite only`() throws {
        for vector in try RFC9180.load() {
            let recipient = try P256PrivateKey(scalar: vector.skRm.bytes)
            for encryption in vector.encryptions {
                let result = Result {
                    try HPKE.open(
                        enc: vector.enc.bytes[...], ciphertext: encryption.ct.bytes[...], recipient: recipient,
                        info: vector.info.bytes, aad: encryption.aad.bytes)
                }
                if vector.aeadId == 1, encryption.nonce.bytes == vector.baseNonce.bytes {
                    #expect(try result.get() == encryption.pt.bytes)
                } else {
                    #expect(throws: HPKEError.openFailed) { try result.get() }
                }
            }
        }
    }

    @Test func `a suite without messages opens none, and the last number is the end`() throws {
        for vector in try RFC9180.load() {
            let recipient = try P256PrivateKey(scalar: vector.skRm.bytes)
            var last = try ReceiverContext(
                try vector.suite, enc: vector.enc.bytes, recipient: recipient, info: vector.info.bytes, sequence: .max)
            let expected: HPKEError = vector.aeadId == 0xffff ? .unsupported : .messageLimitReached
            #expect(throws: expected) { try last.open([UInt8](repeating: 0, count: 16), aad: []) }
        }
    }
}
