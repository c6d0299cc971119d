import Cryptography
import Synchronization
import VerificationCore

/// Who is signed in. Kept in memory only: a restart signs everybody out.
final class ConsoleSessions: Sendable {
    /// A session without a request for so long is over: somebody left the desk.
    static let idle = Duration.seconds(30 * 60)
    /// No session lasts longer, whatever is done in it: a working day.
    static let longest = Duration.seconds(8 * 3600)
    /// As many at once: far more people than operate a gateway.
    static let most = 256
    /// As many of one client at once.
    static let mostOfClient = 64
    /// Bytes of a token: as strong as a key.
    static let tokenLength = 32

    /// One person signed in with a client's key.
    struct Session: Sendable {
        /// The client.
        let client: ClientID
        /// Its role when the session began: another role of the same client is another session.
        let role: Client.Role
        /// The digest of the key that it began with, so that a key that is taken back ends it.
        let keyHash: [UInt8]
        /// What every form that changes something repeats.
        let csrf: String
        let began: Duration
        var seen: Duration
    }

    private let sessions = Mutex<[[UInt8]: Session]>([:])

    /// Begins a session and returns its token, which is not kept.
    func begin(_ client: Client, keyHash: [UInt8], at now: Duration) -> String {
        var generator = SystemRandomNumberGenerator()
        let token = ByteText.base64URL(generator.bytes(Self.tokenLength))
        let csrf = ByteText.base64URL(generator.bytes(Self.tokenLength))
        let session = Session(
            client: client.id, role: client.role, keyHash: keyHash, csrf: csrf, began: now, seen: now)
        sessions.withLock { sessions in
            sessions = sessions.filter { !Self.isOver($0.value, at: now) }
            let own = sessions.filter { $0.value.client == client.id }
            if own.count >= Self.mostOfClient { sessions[Self.idlest(own)] = nil }
            if sessions.count >= Self.most { sessions[Self.idlest(sessions)] = nil }
            sessions[Self.key(token)] = session
        }
        return token
    }

    /// The session of a token, if it still runs by the clients of today; looking at it keeps it awake.
    func session(_ token: String, among clients: [Client], at now: Duration) -> Session? {
        let key = Self.key(token)
        return sessions.withLock { sessions in
            guard var session = sessions[key] else { return nil }
            let client = clients.first { $0.id == session.client }
            guard !Self.isOver(session, at: now), let client, client.role == session.role,
                client.keyHashes.contains(session.keyHash)
            else {
                sessions[key] = nil
                return nil
            }
            session.seen = now
            sessions[key] = session
            return session
        }
    }

    /// Ends a session.
    func end(_ token: String) {
        sessions.withLock { $0[Self.key(token)] = nil }
    }

    /// How many are kept.
    var count: Int { sessions.withLock(\.count) }

    /// A copy of the memory opens no session: only digests are kept, and looking one up tells a guesser nothing.
    private static func key(_ token: String) -> [UInt8] { Hash.sha256(Array(token.utf8)) }

    private static func isOver(_ session: Session, at now: Duration) -> Bool {
        now - session.seen >= idle || now - session.began >= longest
    }

    private static func idlest(_ sessions: [[UInt8]: Session]) -> [UInt8] {
        sessions.min { $0.value.seen < $1.value.seen }?.key ?? []
    }
}
