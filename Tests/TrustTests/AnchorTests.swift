import Foundation
import Testing
import VerificationCore

@testable import Trust

/// A folder that is gone after the test.
final class Folder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }

    @discardableResult func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }
}

func pem(_ der: [UInt8], label: String = "CERTIFICATE") -> String {
    let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
}

struct AnchorTests {
    private let pair = TestPair()
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func root(_ change: (inout TestCertificate) -> Void = { _ in }) -> [UInt8] {
        pair.root.changed(change).der(key: pair.rootKey, signer: pair.rootKey)
    }

    private func load(
        _ paths: String..., profile: CertificateProfile = .basic, time: String = TestPair.noon
    ) throws(TrustError) -> (store: TrustStore, alarms: [TrustAlarm]) {
        try TrustStore.load(paths: paths.map { ($0, nil) }, profile: profile, at: at(time))
    }

    private func faults(_ paths: String...) -> [TrustProblem] {
        do throws(TrustError) {
            _ = try TrustStore.load(paths: paths.map { ($0, nil) }, at: at(TestPair.noon))
            return []
        } catch {
            return error.problems
        }
    }

    @Test func `anchors are read as DER, as PEM, and from a folder`() throws {
        let other = TestPair()
        let root = root()
        let der = try folder.write("a.der", root)
        let bundle = try folder.write(
            "b.pem",
            "Subject: whatever\n" + pem(root) + "\n# another\n"
                + pem(other.root.der(key: other.rootKey, signer: other.rootKey)))
        #expect(try load(der).store.anchors.count == 1)
        #expect(try load(bundle).store.anchors.count == 2)
        #expect(try load(folder.path).store.anchors.count == 2)
        #expect(try load(folder.path + "/").store.anchors.map(\.source) == [der, bundle])
        #expect(try load(folder.path).alarms.isEmpty)
        let windows = try folder.write("c.pem", pem(root).replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(try load(windows).store.anchors.count == 1)
    }

    @Test func `hidden entries of a folder are left out, so that a mounted secret can be one`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/..2026", withIntermediateDirectories: true)
        try folder.write("..2026/iaca.pem", pem(root()))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/..data", withDestinationPath: "..2026")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/iaca.pem", withDestinationPath: "..data/iaca.pem")
        #expect(try load(folder.path).store.anchors.count == 1)
    }

    @Test func `X17 a bad block refuses the whole file and is named`() throws {
        let good = pem(root())
        let lines = good.split(separator: "\n")
        let truncated = lines.dropLast(3).joined(separator: "\n") + "\n"
        let key = """
            -----BEGIN RSA PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-256-CBC,00

            AAAA
            -----END RSA PRIVATE KEY-----

            """
        let headed = good.replacingOccurrences(of: "CERTIFICATE-----\nM", with: "CERTIFICATE-----\nX-Note: hello\n\nM")
        let cases: [(String, String, TrustProblem.Fault, Int?)] = [
            ("key between", good + key + good, .unexpectedBlock, 2),
            ("cut off at the end", good + truncated, .malformedBlock, 2),
            ("cut off in the middle", good + truncated + good, .malformedBlock, 2),
            ("header lines", good + good + headed, .malformedBlock, 3),
            ("not base64", good + good.replacingOccurrences(of: "\nM", with: "\n*"), .malformedBlock, 2),
            ("empty block", good + "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", .malformedBlock, 2),
            (
                "another end", good.replacingOccurrences(of: "END CERTIFICATE", with: "END PUBLIC KEY"),
                .malformedBlock, 1
            ),
            ("no certificate inside", good + pem([0x30, 0x03, 1, 2, 3]), .certificate(.malformed), 2),
            ("half a certificate", good + pem(Array(root().dropLast(9))), .certificate(.malformed), 2),
            ("a request", good + pem(root(), label: "CERTIFICATE REQUEST"), .unexpectedBlock, 2),
            ("nothing", "", .noBlock, nil),
            ("no block", "hello\n", .noBlock, nil),
            ("hexadecimal text", ByteText.hex(root()), .noBlock, nil),
        ]
        for (name, text, fault, block) in cases {
            let path = try folder.write("bundle.pem", text)
            #expect(faults(path) == [TrustProblem(path: path, block: block, fault: fault)], "\(name)")
        }
        // A certificate that is there twice is no problem.
        let path = try folder.write("bundle.pem", good + good)
        #expect(try load(path).store.anchors.count == 1)
    }

    @Test func `X17 one bad file among good ones refuses all, and every bad one is named`() throws {
        try folder.write("a.pem", pem(root()))
        let second = try folder.write("b.pem", "nothing")
        let third = try folder.write("c.pem", pem([0x30, 0x00]))
        #expect(
            faults(folder.path) == [
                TrustProblem(path: second, fault: .noBlock),
                TrustProblem(path: third, block: 1, fault: .certificate(.malformed)),
            ])
    }

    @Test func `what is absent, empty, nested, no file, or too long refuses and is named`() throws {
        let absent = folder.path + "/absent.pem"
        #expect(faults(absent) == [TrustProblem(path: absent, fault: .unreadable)])
        #expect(faults(folder.path) == [TrustProblem(path: folder.path, fault: .emptyFolder)])
        #expect(faults("/dev/null") == [TrustProblem(path: "/dev/null", fault: .unreadable)])
        #expect(faults() == [TrustProblem(path: "", fault: .noUsableAnchor)])
        try FileManager.default.createDirectory(atPath: folder.path + "/inner", withIntermediateDirectories: true)
        #expect(faults(folder.path) == [TrustProblem(path: folder.path + "/inner", fault: .nestedFolder)])
        let long = try folder.write("long.pem", [UInt8](repeating: 0x20, count: TrustStore.maximumFileLength + 1))
        #expect(faults(long) == [TrustProblem(path: long, fault: .tooLong)])
        // A good file beside does not help.
        let good = try folder.write("good.pem", pem(root()))
        #expect(faults(good, absent).map(\.path) == [absent])
    }

    @Test func `X08 what is no authority, or not sound enough to be trusted, is no anchor`() throws {
        let weak = TestKey(.rsa1024)
        let cases: [(String, [UInt8], [CertificateProblem])] = [
            ("a document signer", pair.leaf(), [.notAuthority, .keyUsage]),
            ("CA:FALSE", root { $0 = $0.with(.constraints(authority: false)) }, [.notAuthority]),
            ("no constraints", root { $0 = $0.without("2.5.29.19") }, [.notAuthority]),
            ("no key usage", root { $0 = $0.without("2.5.29.15") }, [.keyUsage]),
            ("no keyCertSign", root { $0 = $0.with(.keyUsage(0, 6)) }, [.keyUsage]),
            ("SHA-1", root { $0.usesSHA1 = true }, [.signatureAlgorithm]),
            (
                "RSA", TestCertificate.root(key: weak).der(key: weak, signer: weak),
                [.signatureAlgorithm, .keyAlgorithm]
            ),
            (
                "version 1",
                root {
                    $0.version = 1
                    $0.extensions = []
                }, [.version, .notAuthority, .keyUsage]
            ),
        ]
        for (name, der, problems) in cases {
            let path = try folder.write("root.der", der)
            #expect(
                faults(path) == [TrustProblem(path: path, block: 1, fault: .unsuitable(problems))], "\(name)")
        }
        let path = try folder.write("root.der", root { $0 = $0.with(.constraints(authority: true, pathLength: 1)) })
        #expect(faults(path).isEmpty)
        #expect(throws: TrustError([TrustProblem(path: path, block: 1, fault: .unsuitable([.basicConstraints]))])) {
            try load(path, profile: .iso18013_5)
        }
    }

    @Test func `a damaged root is refused by its own signature`() throws {
        var der = root()
        der[der.count - 1] ^= 1
        let path = try folder.write("root.der", der)
        #expect(faults(path) == [TrustProblem(path: path, block: 1, fault: .damaged)])
        // A renewed root that its old key signed is no damage.
        let old = TestKey()
        let renewed = pair.root.with(.authorityKey(old.identifier)).der(key: pair.rootKey, signer: old)
        #expect(faults(try folder.write("root.der", renewed)).isEmpty)
    }

    @Test func `X08 an expired anchor is disabled with an alarm, and alone it refuses`() throws {
        let old = TestPair()
        let expired = old.root.changed { $0.notAfter = DER.utcTime("260614000000Z") }
            .der(key: old.rootKey, signer: old.rootKey)
        let path = try folder.write("old.der", expired)
        #expect(faults(path) == [TrustProblem(path: "", fault: .noUsableAnchor)])
        let good = try folder.write("good.der", root())
        let loaded = try load(path, good)
        #expect(loaded.alarms == [TrustAlarm(.trustAnchorExpired, source: path, subject: "CN=Test IACA,C=JP")])
        let verifier = SignerVerifier(trust: loaded.store, profile: .basic)
        let result = verifier.verify(chain: [old.leaf()[...]], documentType: "any", at: at(TestPair.noon))
        #expect(result.failure == .issuerCertificateExpired)
        #expect(verifier.verify(chain: [pair.leaf()[...]], documentType: "any", at: at(TestPair.noon)).failure == nil)
    }

    @Test func `X10 an anchor is announced 30 days before its end, with the days that are left`() throws {
        let path = try folder.write("root.der", root { $0.notAfter = DER.utcTime("261231120000Z") })
        let other = TestPair()
        let beside = try folder.write("beside.der", other.root.der(key: other.rootKey, signer: other.rootKey))
        func alarms(_ time: String) throws -> [TrustAlarm] { try load(path, beside, time: time).alarms }
        func expiring(_ days: Int) -> [TrustAlarm] {
            [TrustAlarm(.trustAnchorExpiring, source: path, subject: "CN=Test IACA,C=JP", daysLeft: days)]
        }
        #expect(try alarms("2026-12-01T11:59:59Z").isEmpty)
        #expect(try alarms("2026-12-01T12:00:00Z") == expiring(30))
        #expect(try alarms("2026-12-02T12:00:00Z") == expiring(29))
        #expect(try alarms("2026-12-30T12:00:00Z") == expiring(1))
        #expect(try alarms("2026-12-30T12:00:01Z") == expiring(0))
        #expect(try alarms("2026-12-31T12:00:00Z") == expiring(0))
        #expect(try alarms("2026-12-31T12:00:01Z").map(\.code) == [.trustAnchorExpired])
        #expect(try alarms("2027-01-01T12:00:00Z").map(\.code) == [.trustAnchorExpired])
        // The same store tells it when the time comes, without being read again.
        let store = try load(path, beside).store
        #expect(store.alarms(at: at("2026-12-30T12:00:00Z")) == expiring(1))
        #expect(store.isUsable(at: at("2030-01-01T00:00:00Z")))
        #expect(!store.isUsable(at: at("2040-01-01T00:00:00Z")))
    }

    @Test func `an anchor whose time has not come is announced, and never trusted before`() throws {
        let path = try folder.write("root.der", root { $0.notBefore = DER.utcTime("260701000000Z") })
        let loaded = try load(path)
        #expect(loaded.alarms.map(\.code) == [.trustAnchorNotYetValid])
        let verifier = SignerVerifier(trust: loaded.store, profile: .basic)
        func failure(_ time: String) -> Reason? {
            verifier.verify(chain: [pair.leaf()[...]], documentType: "any", at: at(time)).failure
        }
        #expect(failure("2026-06-30T23:59:59Z") == .issuerCertificateExpired)
        #expect(failure("2026-07-01T00:00:00Z") == nil)
    }

    @Test func `an anchor counts only for its document types`() throws {
        let root = root()
        let path = try folder.write("root.der", root)
        let again = try folder.write("again.der", root)
        func failure(_ paths: [(path: String, documentTypes: Set<String>?)], _ type: String) throws -> Reason? {
            let store = try TrustStore.load(paths: paths, at: at(TestPair.noon)).store
            #expect(store.anchors.count == 1)
            return SignerVerifier(trust: store, profile: .basic).verify(
                chain: [pair.leaf()[...]], documentType: type, at: at(TestPair.noon)
            ).failure
        }
        #expect(try failure([(path, ["card"])], "card") == nil)
        #expect(try failure([(path, ["card"])], "licence") == .issuerUntrusted)
        #expect(try failure([(path, [])], "card") == .issuerUntrusted)
        // The same certificate from two places is trusted for both.
        #expect(try failure([(path, ["card"]), (again, ["licence"])], "licence") == nil)
        #expect(try failure([(path, ["card"]), (again, ["licence"])], "other") == .issuerUntrusted)
        #expect(try failure([(path, ["card"]), (again, nil)], "other") == nil)
    }

    @Test func `the generation names what is trusted, and nothing else`() throws {
        let other = TestPair()
        let (first, second) = (try pair.anchor(), try other.anchor())
        func generation(_ anchors: [TrustAnchor]) throws -> String {
            try TrustStore(anchors: anchors, at: at(TestPair.noon)).generation
        }
        #expect(try generation([first, second]) == generation([second, first, first]))
        #expect(try generation([first]) != generation([second]))
        let limited = try TrustAnchor(certificate: first.certificate, documentTypes: ["card"], source: "elsewhere")
        #expect(try generation([first]) != generation([limited]))
    }

    @Test func `a problem is told with its file and block`() {
        let problem = TrustProblem(path: "trust/a.pem", block: 2, fault: .certificate(.malformed))
        #expect(problem.description == "trust/a.pem, block 2: the certificate cannot be parsed")
        #expect(TrustProblem(path: "", fault: .noUsableAnchor).description == "no usable trust anchor")
    }
}
