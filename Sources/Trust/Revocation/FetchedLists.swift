import Synchronization
public import VerificationCore

/// CRLs that are fetched while the gateway runs, by the address they come from. Whoever fetches puts them in, whoever
/// judges reads them; a reload hands them on, so that a new configuration does not begin without.
///
/// Nothing gets in unverified: a list counts once an anchor's key has made its signature, while it is current, and never
/// in place of a newer one. So it does not matter how it travelled.
public final class FetchedLists: Sendable {
    /// Why a fetch brought nothing.
    public enum Failure: String, Error, Sendable, CaseIterable {
        /// Nobody answered, or not in time.
        case unreachable
        /// The answer was another than 200: also a redirect, which is not followed.
        case refused
        /// The answer is larger than a list may be.
        case tooLarge = "too_large"
        /// What came is not one CRL.
        case malformed
        /// No anchor signed it, or none that may sign lists.
        case unattributed
        /// It is past its `nextUpdate`, has none, or is ahead of the clock.
        case stale
        /// It is older than the one that is here.
        case outdated
    }

    /// A list, and the key that it was verified under.
    struct Entry: Sendable {
        let list: RevocationList
        let authority: Certificate
        /// When it was last fetched.
        let fetchedAt: Timestamp

        /// Whether the authority's key signed the list. Only a certificate that was issued anew for the same key costs
        /// another look at the signature.
        func isIssued(by issuer: Certificate) -> Bool {
            authority == issuer || (authority.keyIdentifier == issuer.keyIdentifier && list.isIssued(by: issuer))
        }
    }

    private struct Source {
        var entry: Entry?
        var failure: Failure?
    }

    private let sources = Mutex<[String: Source]>([:])

    /// None yet.
    public init() {}

    /// Verifies what was fetched and keeps it in place of the older list.
    ///
    /// - Parameters:
    ///   - bytes: One CRL, DER or PEM.
    ///   - address: Where it was fetched.
    ///   - trust: The anchors, one of which must have signed it.
    public func accept(
        _ bytes: [UInt8], from address: String, under trust: TrustStore, at now: Timestamp
    ) throws(Failure) {
        do throws(Failure) {
            let list = try FetchedLists.list(bytes, address)
            guard let anchor = trust.anchors.first(where: { list.isIssued(by: $0.certificate) }) else {
                throw .unattributed
            }
            guard list.isCurrent(at: now) else { throw .stale }
            let entry = Entry(list: list, authority: anchor.certificate, fetchedAt: now)
            let isKept = sources.withLock { sources in
                let known = sources[address]?.entry
                // Whoever sits on the way may hold a new list back, but not bring an old one in its place.
                if let known, known.isIssued(by: entry.authority), list.thisUpdate < known.list.thisUpdate {
                    return false
                }
                sources[address] = Source(entry: entry)
                return true
            }
            if !isKept { throw .outdated }
        } catch {
            note(error, from: address)
            throw error
        }
    }

    /// Notes that a fetch brought nothing. What is here stays, until it is too old.
    public func note(_ failure: Failure, from address: String) {
        sources.withLock { $0[address, default: Source()].failure = failure }
    }

    private static func list(_ bytes: [UInt8], _ address: String) throws(Failure) -> RevocationList {
        guard bytes.count <= RevocationList.maximumLength else { throw .tooLarge }
        var problems: [TrustProblem] = []
        let blocks = TrustBlocks.blocks(
            of: TrustFiles.File(path: address, bytes: bytes), label: "X509 CRL", &problems)
        guard problems.isEmpty, blocks.count == 1, let block = blocks.first,
            let list = try? RevocationList(der: block.der, source: address)
        else { throw .malformed }
        return list
    }

    /// What is here from one address.
    func state(of address: String) -> (entry: Entry?, failure: Failure?) {
        sources.withLock { ($0[address]?.entry, $0[address]?.failure) }
    }

    /// What is here from some addresses.
    func entries(from addresses: [String]) -> [Entry] {
        sources.withLock { sources in addresses.compactMap { sources[$0]?.entry } }
    }
}

/// The addresses that lists are fetched from, and how old a list may be.
public struct FetchedSources: Sendable {
    /// The addresses.
    public let urls: [String]
    /// The longest time since a list was last fetched in which it may vouch for a certificate.
    public let maximumAge: Duration
    /// Where the lists are kept.
    public let lists: FetchedLists

    /// Addresses, a bound, and the lists.
    public init(urls: [String], maximumAge: Duration, lists: FetchedLists) {
        self.urls = urls
        self.maximumAge = maximumAge
        self.lists = lists
    }

    /// The lists under an authority's key, and which of them are recent enough to vouch.
    func entries(of authority: Certificate, at now: Timestamp) -> [(list: RevocationList, isRecent: Bool)] {
        lists.entries(from: urls).filter { $0.isIssued(by: authority) }.map { ($0.list, isRecent($0, at: now)) }
    }

    func isRecent(_ entry: FetchedLists.Entry, at now: Timestamp) -> Bool {
        now.duration(since: entry.fetchedAt) <= maximumAge
    }

    /// What has to be told of the addresses: what is missing or too old, and what the last fetch came to.
    func alarms(at now: Timestamp) -> [TrustAlarm] {
        urls.flatMap { url -> [TrustAlarm] in
            let (entry, failure) = lists.state(of: url)
            var alarms: [TrustAlarm] = []
            if let failure {
                alarms.append(TrustAlarm(.revocationListFetchFailed, source: url, subject: failure.rawValue))
            }
            guard let entry else {
                return alarms + [TrustAlarm(.revocationListMissing, source: url, subject: "")]
            }
            if !entry.list.isCurrent(at: now) || !isRecent(entry, at: now) {
                alarms.append(TrustAlarm(.revocationListStale, source: url, subject: entry.list.issuer.text))
            }
            return alarms
        }
    }
}
