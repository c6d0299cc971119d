import InHouse
import JSONTree
import Testing
import VerificationCore
import WalletKit

@Suite struct InHouseConfigurationTests {
    let world: World

    init() throws {
        world = try World()
    }

    /// The problems after the key, the certificate, or both were replaced.
    private func problems(key: [UInt8]? = nil, certificate: [UInt8]? = nil) throws -> [String] {
        if let key { try world.write("wallet.key", key) }
        if let certificate { try world.write("wallet.der", certificate) }
        return try world.problems { $0 }
    }

    @Test func `a right declaration has no problem`() throws {
        #expect(try world.problems { $0 }.isEmpty)
        let pem = try world.write("root.pem", Array(Self.pem(world.wallet.issuer.root).utf8))
        #expect(try world.problems { $0.replacing(world.path("root.der"), with: pem) }.isEmpty)
    }

    @Test func `H17 a key that is not the certificate's is named as such`() throws {
        let other = try PrivateKey(.p256)
        let found = try problems(key: Array(other.pem.utf8))
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("verifiers.in-house.wallet.keys[0].certificate: is a certificate for another key"))
    }

    @Test(arguments: [KeyKind.p384, .p521, .ed25519, .brainpoolP256])
    func `H17 a key of another kind is named as such`(_ kind: KeyKind) throws {
        let found = try problems(key: Array(try PrivateKey(kind).pem.utf8))
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("verifiers.in-house.wallet.keys[0].key: cannot be used: "))
        #expect(found[0].contains("P-256"))
    }

    @Test func `H17 a certificate that is not for P-256 is named as such`() throws {
        let found = try problems(certificate: world.certificate(for: PrivateKey(.p384)))
        #expect(found == [found[0]])
        #expect(found[0].hasPrefix("verifiers.in-house.wallet.keys[0].certificate: is a certificate for a key that is"))
    }

    @Test func `H17 an encrypted key, a certificate in its place, and nonsense are named, and never quoted`() throws {
        let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n"
        #expect(try problems(key: Array(encrypted.utf8)).first?.contains("encrypted") == true)
        let certificate = Array(Self.pem(world.wallet.issuer.root).utf8)
        #expect(try problems(key: certificate).first?.contains("certificate") == true)
        let nonsense = try problems(key: Array("hunter2-hunter2".utf8))
        #expect(nonsense.count == 1)
        #expect(!nonsense[0].contains("hunter2"))
    }

    @Test func `H17 a certificate that has run out, or whose time has not come, says which`() throws {
        let key = world.wallet.merchant.key
        let expired = try problems(certificate: world.certificate(for: key, until: World.moment.adding(seconds: -1)))
        #expect(expired.count == 1)
        #expect(expired[0].contains("ran out at 2026-11-30T02:59:59Z"))
        let early = try problems(certificate: world.certificate(for: key, from: World.moment.adding(seconds: 1)))
        #expect(early.count == 1)
        #expect(early[0].contains("not valid before 2026-11-30T03:00:01Z"))
    }

    @Test func `an old key whose certificate ran out is kept while another is in force`() throws {
        let fresh = try PrivateKey(.p256)
        let key = try world.write("fresh.key", Array(fresh.pem.utf8))
        let certificate = try world.write("fresh.der", world.certificate(for: fresh))
        try world.write(
            "wallet.der", world.certificate(for: world.wallet.merchant.key, until: World.moment.adding(days: -1)))
        let edit: (String) -> String = {
            $0.replacing("keys: [", with: "keys: [{ key: { file: \"\(key)\" }, certificate: \"\(certificate)\" },")
        }
        #expect(try world.problems(edit).isEmpty)
        let alarms = try world.open(edit).health(at: World.now).alarms
        #expect(alarms.map(\.code) == ["wallet_certificate_expired"])
        #expect(alarms.first?.subject == world.path("wallet.der"))
        #expect(alarms.first?.daysLeft == -1)
    }

    @Test func `all problems come at once, each with its place and line`() throws {
        let list = JSONProblemList()
        InHouseProvider.check(
            try world.declaration { _ in
                """
                {
                  kind: "in_house",
                  mode: "simulato",
                  certificate_profile: "strict",
                  wallet: {
                    merchant_identifier: "",
                    keys: [{ key: { file: "/nowhere/key" }, certificat: "x" }, { key: "literal" }],
                  },
                  trust: [{ path: "/nowhere/trust", document_types: ["org.iso.18013.5.1.mdl"] }],
                  revocation: { crls: [], policy: "good" },
                  trusts: 1,
                }
                """
            }, in: world.context, problems: list)
        let problems = Dictionary(
            list.problems.map { ($0.path.replacing("verifiers.in-house.", with: ""), $0.line) }, uniquingKeysWith: max)
        let expected: [String: Int] = [
            "mode": 3, "certificate_profile": 4, "wallet.merchant_identifier": 6, "wallet.team_identifier": 5,
            "wallet.keys[0].key": 7, "wallet.keys[0].certificat": 7, "wallet.keys[1].key": 7, "trust[0].path": 9,
            "trust[0].document_types[0]": 9, "revocation.crls": 10, "revocation.policy": 10, "trusts": 11,
        ]
        for (path, line) in expected { #expect(problems[path] == line, "\(path)") }
        #expect(!list.problems.contains { $0.problem.contains("literal") })
        #expect(throws: JSONProblems.self) { try world.open { $0.replacing("kind", with: "kin") } }
    }

    @Test func `trust fails closed: no anchor, an empty list, an empty folder, a damaged file`() throws {
        let root = "trust: [{ path: \"\(world.path("root.der"))\" }],"
        #expect(
            try world.problems { $0.replacing(root, with: "") }.first?.hasPrefix("verifiers.in-house.trust: ") == true)
        #expect(try world.problems { $0.replacing(root, with: "trust: [],") }.count == 1)
        let damaged = try world.write("damaged.der", Array(world.wallet.issuer.root.dropLast(5)))
        let found = try world.problems { $0.replacing(world.path("root.der"), with: damaged) }
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("verifiers.in-house.trust[0].path: ") == true)
        #expect(found.first?.contains("damaged.der") == true)
        for edit in ["", "trust: [],"] {
            #expect(throws: JSONProblems.self) { try world.open { $0.replacing(root, with: edit) } }
        }
        #expect(throws: JSONProblems.self) {
            try world.open { $0.replacing(world.path("root.der"), with: damaged) }
        }
    }

    @Test(arguments: [(29, 29), (1, 1), (0, 0)])
    func `X10 a certificate's end is announced thirty days ahead`(_ days: Int, _ left: Int) throws {
        let end = World.moment.adding(days: 60)
        try world.write("wallet.der", world.certificate(for: world.wallet.merchant.key, until: end))
        let verifier = try world.open()
        let now = Timestamp(seconds: end.adding(days: -days).seconds)
        let alarms = verifier.health(at: now).alarms.filter { $0.code.hasPrefix("wallet_certificate") }
        #expect(alarms.map(\.code) == ["wallet_certificate_expiring"])
        #expect(alarms.first?.daysLeft == left)
        #expect(verifier.health(at: Timestamp(seconds: end.adding(days: -31).seconds)).alarms.isEmpty)
        let after = verifier.health(at: Timestamp(seconds: end.adding(seconds: 1).seconds))
        #expect(after.alarms.map(\.code) == ["wallet_certificate_expired"])
    }

    @Test func `X10 a verifier is not ready once its last anchor has run out`() throws {
        let verifier = try world.open()
        #expect(verifier.health(at: World.now).isReady)
        let end = World.moment.adding(days: 3650)
        let soon = verifier.health(at: Timestamp(seconds: end.adding(days: -29).seconds))
        #expect(soon.isReady)
        #expect(soon.alarms.contains { $0.code == "trust_anchor_expiring" && $0.subject == world.path("root.der") })
        let after = verifier.health(at: Timestamp(seconds: end.adding(seconds: 1).seconds))
        #expect(!after.isReady)
        #expect(after.alarms.contains { $0.code == "trust_anchor_expired" })
    }

    private static func pem(_ der: [UInt8]) -> String {
        "-----BEGIN CERTIFICATE-----\n" + ByteText.base64(der) + "\n-----END CERTIFICATE-----\n"
    }
}
