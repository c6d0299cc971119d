import Testing
import VerificationCore

@testable import Trust

struct FetchedListTests {
    private static let address = "http://crl.example/root.crl"
    private let pair = TestPair()
    private let lists = FetchedLists()
    /// The serial of `TestCertificate`.
    private let serial: [UInt8] = [0x4B, 0x1D]

    private func trust(_ anchor: TrustAnchor? = nil) throws -> TrustStore {
        try TrustStore(anchors: [anchor ?? pair.anchor()], at: at(TestPair.noon))
    }

    private func sources(_ files: [RevocationList] = []) -> RevocationSources {
        RevocationSources(
            lists: files,
            fetched: FetchedSources(urls: [Self.address], maximumAge: .seconds(3600), lists: lists), policy: .fail)
    }

    private func accept(_ list: TestList, signer: TestKey? = nil, at time: String = TestPair.noon) throws {
        try lists.accept(
            list.der(signer: signer ?? pair.rootKey), from: Self.address, under: trust(), at: at(time))
    }

    private func failure(_ bytes: [UInt8], at time: String = TestPair.noon) throws -> FetchedLists.Failure? {
        let trust = try trust()
        do throws(FetchedLists.Failure) {
            try lists.accept(bytes, from: Self.address, under: trust, at: at(time))
            return nil
        } catch {
            return error
        }
    }

    private func outcome(
        after time: Duration = .zero, files: [RevocationList] = []
    ) throws -> RevocationOutcome {
        try verifier([pair.anchor()], revocation: sources(files)).verify(
            chain: [pair.leaf()[...]], documentType: "any", at: at(TestPair.noon).advanced(by: time)
        ).revocation
    }

    @Test func `a list that was fetched counts from then on, also for a signer that was seen before`() throws {
        let verifier = try verifier([pair.anchor()], revocation: sources())
        func outcome() -> RevocationOutcome {
            verifier.verify(chain: [pair.leaf()[...]], documentType: "any", at: at(TestPair.noon)).revocation
        }
        #expect(outcome() == .undetermined)
        try accept(TestList())
        #expect(outcome() == .good)
        try accept(TestList(thisUpdate: DER.utcTime("260602000000Z"), serials: [serial]))
        #expect(outcome() == .revoked)
    }

    @Test func `X13 what was fetched replaces nothing before it is verified`() throws {
        try accept(TestList(serials: [serial]))
        let stranger = TestKey()
        func signed(_ list: TestList) -> [UInt8] { list.der(signer: pair.rootKey) }
        let huge = [UInt8](repeating: 0x30, count: RevocationList.maximumLength + 1)
        var cases: [(bytes: [UInt8], expected: FetchedLists.Failure)] = []
        for text in ["<html><body>404</body></html>", "", "0"] { cases.append((Array(text.utf8), .malformed)) }
        cases.append((Array(signed(TestList()).dropLast()), .malformed))
        cases.append((TestList().der(signer: stranger), .unattributed))
        cases.append((signed(TestList(usesSHA1: true)), .unattributed))
        cases.append((signed(TestList(nextUpdate: nil)), .stale))
        cases.append((signed(TestList(nextUpdate: DER.utcTime("260610000000Z"))), .stale))
        cases.append((signed(TestList(thisUpdate: DER.utcTime("260616000000Z"))), .stale))
        cases.append((signed(TestList(thisUpdate: DER.utcTime("260531000000Z"))), .outdated))
        cases.append((huge, .tooLarge))
        for (bytes, expected) in cases {
            #expect(try failure(bytes) == expected)
            #expect(try outcome() == .revoked, "\(expected) replaced the list")
            let alarms = try sources().alarms(under: trust(), at: at(TestPair.noon))
            #expect(alarms.map(\.code) == [.revocationListFetchFailed])
            #expect(alarms.first?.subject == expected.rawValue)
            #expect(alarms.first?.source == Self.address)
        }
        // A good one ends the alarm.
        try accept(TestList())
        #expect(try sources().alarms(under: trust(), at: at(TestPair.noon)).isEmpty)
        #expect(try outcome() == .good)
    }

    @Test func `X12 a list that was not fetched for too long is never good, and what it names stays revoked`() throws {
        #expect(try sources().alarms(under: trust(), at: at(TestPair.noon)).map(\.code) == [.revocationListMissing])
        try accept(TestList())
        #expect(try outcome(after: .seconds(3600)) == .good)
        #expect(try outcome(after: .seconds(3601)) == .undetermined)
        let late = at(TestPair.noon).advanced(by: .seconds(3601))
        #expect(try sources().alarms(under: trust(), at: late).map(\.code) == [.revocationListStale])
        // The same list, fetched again, is recent again.
        let again = TestList().der(signer: pair.rootKey)
        try lists.accept(again, from: Self.address, under: trust(), at: late)
        #expect(try outcome(after: .seconds(3601)) == .good)
        // However recently it was fetched, its own end holds.
        #expect(try outcome(after: .seconds(30 * 86_400)) == .undetermined)
        try accept(TestList(serials: [serial]))
        #expect(try outcome(after: .seconds(7200)) == .revoked)
    }

    @Test func `a fetched list and a file count together, the newer before the older`() throws {
        let file = try TestList(serials: [serial]).list(signer: pair.rootKey)
        #expect(try outcome(files: [file]) == .revoked)
        try accept(TestList(thisUpdate: DER.utcTime("260602000000Z")))
        #expect(try outcome(files: [file]) == .good)
        let newer = try TestList(thisUpdate: DER.utcTime("260603000000Z"), serials: [serial]).list(signer: pair.rootKey)
        #expect(try outcome(files: [newer]) == .revoked)
        // The same list twice: the file vouches though the fetched one has become too old.
        let same = try TestList(thisUpdate: DER.utcTime("260602000000Z")).list(signer: pair.rootKey)
        #expect(try outcome(after: .seconds(7200), files: [same]) == .good)
    }

    @Test func `a list is nothing to a verifier whose anchor did not sign it`() throws {
        let other = TestPair()
        try accept(TestList(serials: [serial]))
        let judged = try verifier([other.anchor()], revocation: sources()).verify(
            chain: [other.leaf()[...]], documentType: "any", at: at(TestPair.noon))
        #expect(judged.failure == nil)
        #expect(judged.revocation == .undetermined)
    }
}
