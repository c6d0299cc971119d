import Cryptography

/// A suite of RFC 9180: always DHKEM(P-256, HKDF-SHA256) and HKDF-SHA256, with one of three ends.
///
/// The wallet uses AES-128-GCM only, and ``HPKE`` offers nothing else; the others are here because the RFC's own
/// vectors have them.
package struct CipherSuite: Sendable {
    /// What seals the messages (RFC 9180 §7.3).
    package enum AEAD: UInt16, Sendable, CaseIterable {
        /// AES-128-GCM.
        case aes128GCM = 0x0001
        /// AES-256-GCM.
        case aes256GCM = 0x0002
        /// No messages, only exported secrets.
        case exportOnly = 0xffff

        var keyLength: Int {
            switch self {
            case .aes128GCM: 16
            case .aes256GCM: 32
            case .exportOnly: 0
            }
        }

        var nonceLength: Int {
            switch self {
            case .aes128GCM, .aes256GCM: AESGCM.nonceLength
            case .exportOnly: 0
            }
        }
    }

    let aead: AEAD
    let label: Labelled
    /// `LabeledExtract("", "psk_id_hash", "")`: in base mode it is the same for every message (RFC 9180 §5.1).
    let emptyPSKIDHash: [UInt8]

    private init(_ aead: AEAD) {
        self.aead = aead
        let identifiers = [0x0010, 0x0001, aead.rawValue].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        label = Labelled(suiteID: Array("HPKE".utf8) + identifiers)
        emptyPSKIDHash = label.extract(salt: [], "psk_id_hash", [])
    }

    /// The suite of the wallet.
    package static let aes128GCM = CipherSuite(.aes128GCM)
    /// The suite with the longer key.
    package static let aes256GCM = CipherSuite(.aes256GCM)
    /// The suite without messages.
    package static let exportOnly = CipherSuite(.exportOnly)
}
