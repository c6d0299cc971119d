import Cryptography
public import VerificationCore

/// A key of one session's own. Destroying its wrapped form makes everything sealed with it unreadable for ever.
public struct SessionSeal: Sendable {
    /// Which part of a session is sealed; it is bound into the ciphertext, so that parts cannot be swapped.
    public enum Part: String, Sendable {
        case context, result
    }

    /// Why something cannot be opened.
    public enum Problem: Error, Sendable, Equatable {
        /// The sealing key is not among the configured ones.
        case keyMissing
        /// The bytes were not sealed by this key for this session and part.
        case damaged
    }

    /// AES-GCM's own nonce length, in bytes (NIST SP 800-38D, 8.2.1).
    private static let vectorLength = 12

    private let session: SessionID
    private let key: Sensitive<[UInt8]>
    /// The key, sealed by the gateway's current sealing key.
    public let wrapped: SealedBytes

    /// A fresh key for a session.
    public init(
        for session: SessionID, keys: SealingKeys, using generator: inout some RandomNumberGenerator
    ) throws(Problem) {
        let drawn = randomBytes(SealingKeys.keyLength, using: &generator)
        let current = keys.current
        self.session = session
        self.key = Sensitive(drawn)
        self.wrapped = SealedBytes(
            keyID: current.id,
            bytes: try Self.seal(drawn, key: current.secret, label: "key", session: session, using: &generator))
    }

    /// Opens a session's wrapped key.
    public init(opening wrapped: SealedBytes, of session: SessionID, keys: SealingKeys) throws(Problem) {
        guard let sealing = keys.key(named: wrapped.keyID) else { throw .keyMissing }
        self.session = session
        self.wrapped = wrapped
        self.key = Sensitive(try Self.open(wrapped.bytes, key: sealing, label: "key", session: session))
    }

    /// Seals a part.
    public func seal(
        _ bytes: [UInt8], as part: Part, using generator: inout some RandomNumberGenerator
    ) throws(Problem) -> SealedBytes {
        SealedBytes(
            keyID: "session",
            bytes: try Self.seal(bytes, key: key, label: part.rawValue, session: session, using: &generator))
    }

    /// Opens a part.
    public func open(_ sealed: SealedBytes, as part: Part) throws(Problem) -> [UInt8] {
        try Self.open(sealed.bytes, key: key, label: part.rawValue, session: session)
    }

    /// Seals what must outlive the session's key, with the gateway's own.
    static func sealTicket(
        _ bytes: [UInt8], of session: SessionID, keys: SealingKeys, using generator: inout some RandomNumberGenerator
    ) throws(Problem) -> SealedBytes {
        let current = keys.current
        return SealedBytes(
            keyID: current.id,
            bytes: try seal(bytes, key: current.secret, label: "ticket", session: session, using: &generator))
    }

    /// Opens what must outlive the session's key.
    static func openTicket(
        _ sealed: SealedBytes, of session: SessionID, keys: SealingKeys
    ) throws(Problem) -> [UInt8] {
        guard let sealing = keys.key(named: sealed.keyID) else { throw .keyMissing }
        return try open(sealed.bytes, key: sealing, label: "ticket", session: session)
    }

    private static func seal(
        _ bytes: [UInt8], key: Sensitive<[UInt8]>, label: String, session: SessionID,
        using generator: inout some RandomNumberGenerator
    ) throws(Problem) -> [UInt8] {
        let vector = randomBytes(vectorLength, using: &generator)
        let sealed = key.withValue {
            try? AESGCM.seal(bytes, key: $0, nonce: vector, aad: binding(label, session))
        }
        guard let sealed else { throw .damaged }
        return vector + sealed
    }

    private static func open(
        _ bytes: [UInt8], key: Sensitive<[UInt8]>, label: String, session: SessionID
    ) throws(Problem) -> [UInt8] {
        guard bytes.count > vectorLength else { throw .damaged }
        let opened = key.withValue {
            try? AESGCM.open(
                Array(bytes[vectorLength...]), key: $0, nonce: Array(bytes[..<vectorLength]),
                aad: binding(label, session))
        }
        guard let opened else { throw .damaged }
        return opened
    }

    private static func binding(_ label: String, _ session: SessionID) -> [UInt8] {
        Array("sekisho/1/\(label)/\(session.rawValue)".utf8)
    }
}
