import Cryptography
import HPKE
import Testing

/// Messages sealed here, from the key schedule: two sessions of one receiver.
@Suite struct SessionTests {
    private struct Session {
        let enc: [UInt8]
        let info: [UInt8]
        let ciphertext: [UInt8]
        let plaintext: [UInt8]

        init(ephemeral: UInt8, info: String, plaintext: [UInt8], for recipient: P256PrivateKey) throws {
            let key = try P256PrivateKey(scalar: [UInt8](repeating: ephemeral, count: 32))
            enc = key.publicKey.uncompressed
            self.info = Array(info.utf8)
            self.plaintext = plaintext
            let schedule = KeySchedule(
                .aes128GCM, sharedSecret: try DHKEM.decapsulate(enc, recipient), info: self.info)
            ciphertext = try AESGCM.seal(plaintext, key: try schedule.key(), nonce: try schedule.baseNonce())
        }
    }

    private let recipient: P256PrivateKey

    init() throws {
        recipient = try P256PrivateKey(scalar: [UInt8](repeating: 0x21, count: 32))
    }

    @Test func `H16 the data of one session does not open in another`() throws {
        let first = try Session(ephemeral: 1, info: "first", plaintext: Array("one".utf8), for: recipient)
        let second = try Session(ephemeral: 2, info: "second", plaintext: Array("two".utf8), for: recipient)
        let again = try Session(ephemeral: 1, info: "second", plaintext: Array("two".utf8), for: recipient)
        for (key, data, info) in [
            (first, second, first), (first, first, second), (second, first, first), (second, second, first),
            (first, second, second), (second, first, second), (first, again, first), (again, first, again),
        ] {
            #expect(throws: HPKEError.openFailed) {
                try HPKE.open(
                    enc: key.enc[...], ciphertext: data.ciphertext[...], recipient: recipient, info: info.info)
            }
        }
        for session in [first, second, again] {
            let opened = try HPKE.open(
                enc: session.enc[...], ciphertext: session.ciphertext[...], recipient: recipient, info: session.info)
            #expect(opened == session.plaintext)
        }
    }

    @Test(arguments: [0, 1, 1 << 20])
    func `H16 an empty message, one byte and a megabyte open`(length: Int) throws {
        let plaintext = [UInt8](repeating: 0x5a, count: length)
        let session = try Session(ephemeral: 3, info: "", plaintext: plaintext, for: recipient)
        let opened = try HPKE.open(
            enc: session.enc[...], ciphertext: session.ciphertext[...], recipient: recipient, info: session.info)
        #expect(opened == plaintext)
    }
}
