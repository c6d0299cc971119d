import Configuration
import HTTPClient
import JSONTree
import Trust

/// Reads `revocation`: lists in files, lists to be fetched, and the policy for what they do not tell.
struct RevocationReading {
    /// How old a fetched list may be: a day, where nothing else is said, as most lists are issued daily or less often.
    static let standardAge = Duration.seconds(24 * 3600)
    /// Younger than ten minutes would be fetched without end; older than a month is no bound.
    static let ages = Duration.seconds(600) ... .seconds(31 * 24 * 3600)
    /// More addresses than an issuer's handful is a mistake.
    static let mostURLs = 64

    let reader: JSONReader
    let lists: FetchedLists

    func sources() -> RevocationSources? {
        defer { reader.rejectUnknownKeys() }
        let policy = reader.optional("policy").map { $0.enumeration(as: RevocationPolicy.self) } ?? .fail
        let urls = reader.optional("urls").map(addresses)
        let age = reader.duration("max_age", in: Self.ages, default: Self.standardAge)
        guard let urls else {
            if let place = reader.optional("max_age") {
                place.report("bounds the age of fetched lists: there is no \"urls\"")
            }
            guard let list = reader.required("crls") else { return nil }
            return files(list, nil, policy)
        }
        guard let urls else { return nil }
        let fetched = FetchedSources(urls: urls, maximumAge: age, lists: lists)
        guard let list = reader.optional("crls") else {
            return policy.map { RevocationSources(lists: [], fetched: fetched, policy: $0) }
        }
        return files(list, fetched, policy)
    }

    private func files(
        _ list: JSONReader, _ fetched: FetchedSources?, _ policy: RevocationPolicy?
    ) -> RevocationSources? {
        guard let readers = list.elements() else { return nil }
        if readers.isEmpty { list.report("must not be empty; leave it out where there is no list") }
        let entries = readers.compactMap { entry in entry.path(entry.string()).map { (path: $0, reader: entry) } }
        guard let policy, !entries.isEmpty, entries.count == readers.count else { return nil }
        do throws(TrustError) {
            return try RevocationSources.load(paths: entries.map(\.path), fetched: fetched, policy: policy)
        } catch {
            for problem in error.problems {
                (entries.first { problem.isIn($0.path) }?.reader ?? list).report(problem.description)
            }
            return nil
        }
    }

    /// The addresses; `nil` where one cannot be fetched from.
    private func addresses(_ list: JSONReader) -> [String]? {
        guard let readers = list.elements() else { return nil }
        if readers.isEmpty || readers.count > Self.mostURLs { list.report("must hold 1 to \(Self.mostURLs) addresses") }
        var urls: [String] = []
        for entry in readers {
            guard let url = entry.string() else { continue }
            if !HTTPClient.accepts(RevocationFetcher.request(url)) {
                entry.report("must be an http or https address, without a user or a fragment")
            } else if urls.contains(url) {
                entry.report("is there twice")
            } else {
                urls.append(url)
            }
        }
        return urls.count == readers.count && !urls.isEmpty ? urls : nil
    }
}
