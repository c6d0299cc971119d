import Mdoc
import Testing
import VerificationCore
import WalletKit

/// Group 2 of the faults of others: digests.
@Suite struct DigestFaultsTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture.licence.get()
    }

    private func reason(_ edit: (inout Plan) throws -> Void) throws -> Reason? {
        let result = try fixture.verify { try edit(&$0) }
        #expect(result.isVerified == result.failures.isEmpty)
        #expect(result.isVerified || result.claims.withValue { $0.isEmpty })
        return result.report[.digests].reason
    }

    @Test func `D01 one changed letter under a genuine MobileSecurityObject is a digest mismatch`() throws {
        let reason = try reason { plan in
            plan.forgeItem = { item in
                if item["elementIdentifier"] == .text("family_name") { item["elementValue"] = .text("O'Connor") }
            }
        }
        #expect(reason == .digestMismatch)
    }

    @Test func `D01 two items whose values were swapped are a digest mismatch`() throws {
        let reason = try reason { plan in
            let family = plan.card["family_name", in: Card.Licence.namespace]
            let given = plan.card["given_name", in: Card.Licence.namespace]
            plan.forgeItem = { item in
                if item["elementIdentifier"] == .text("family_name") { item["elementValue"] = given }
                if item["elementIdentifier"] == .text("given_name") { item["elementValue"] = family }
            }
        }
        #expect(reason == .digestMismatch)
    }

    @Test func `D01 an item of another person's document is a digest mismatch`() throws {
        let stranger = try Fixture(.mdl)
        var foreign: Item?
        _ = try stranger.verify { plan in
            plan.editDisclosed = { foreign = $0.first?.1.first }
        }
        let item = try #require(foreign)
        let reason = try reason { plan in plan.editDisclosed = { $0[0].1[0] = item } }
        #expect(reason == .digestMismatch)
    }

    @Test(arguments: [EncodingStyle.KeyOrder.reversed, .lengthFirst])
    func `D02 the digest is over the bytes received, in whatever order their keys stand`(
        _ order: EncodingStyle.KeyOrder
    ) throws {
        #expect(try reason { $0.style.keyOrder = order } == nil)
        #expect(try reason { $0.style.wide = true } == nil)
        #expect(try reason { $0.style.indefinite = true } == nil)
        #expect(try reason { $0.editItem = { $0["x-unknown"] = .array([.null]) } } == nil)
    }

    @Test func `D04 a digest over the inner bytes alone, without tag 24 and head, is a digest mismatch`() throws {
        // The item is disclosed bare, so its digest (made over the wrapped form) no longer covers what is received.
        let result = try fixture.verify { plan in
            plan.editDisclosed = { namespaces in
                guard case .raw(let wrapped) = namespaces[0].1[0] else { return }
                namespaces[0].1[0] = .embedded(Item.embedded(Array(wrapped.dropFirst(4))).encoded())
            }
        }
        #expect(!result.isVerified)
        #expect(result.report[.deviceResponse].reason != nil || result.report[.digests].reason == .digestMismatch)
    }

    @Test func `D05 digests without an item are fine, items without a digest are not`() throws {
        #expect(try reason { $0.decoys = 200 } == nil)
        let result = try reason { plan in
            plan.editObject = { object in
                guard case .map(let namespaces) = object["valueDigests"] else { return }
                object["valueDigests"] = .map(
                    namespaces.map { namespace in
                        guard case .map(let digests) = namespace.value else { return namespace }
                        return Item.Pair(namespace.key, .map(Array(digests.dropFirst())))
                    })
            }
        }
        #expect(result == .digestMismatch)
    }

    @Test func `D06 a null in place of a value is a digest mismatch, and never an empty name`() throws {
        let forged = try fixture.verify { plan in
            plan.forgeItem = { item in
                if item["elementIdentifier"] == .text("family_name") { item["elementValue"] = .null }
            }
        }
        #expect(forged.report[.digests] == .failed(.digestMismatch))
        // Even where the issuer signed it, null is nothing.
        let signed = try fixture.verify { $0.card["family_name", in: Card.Licence.namespace] = .null }
        #expect(signed.failures == ["elements: element_missing"])
    }

    @Test(arguments: ["SHA-1", "MD5", "sha-256", "SHA256", "SHA-512/256", "SHA3-256", "", "SHA-256 "])
    func `D07 only SHA-256, SHA-384 and SHA-512 are digest algorithms, in exactly that spelling`(
        _ name: String
    ) throws {
        let result = try fixture.verify { $0.digestName = name }
        #expect(result.failures == ["device_response: algorithm_unsupported"])
        #expect(result.report[.digests] == .notChecked)
    }

    @Test func `D07 an absent or mistyped digest algorithm is malformed`() throws {
        for value in [nil, Item.null, .unsigned(1), .bytes([1])] {
            let result = try fixture.verify { $0.editObject = { $0["digestAlgorithm"] = value } }
            #expect(result.report[.deviceResponse] == .failed(.evidenceMalformed))
        }
    }

    @Test func `D07 SHA-384 and SHA-512 verify, and another function's digests never do`() throws {
        #expect(try reason { $0.digest = .sha384 } == nil)
        #expect(try reason { $0.digest = .sha512 } == nil)
        #expect(try reason { $0.digestName = "SHA-512" } == .digestMismatch)
        #expect(
            try reason {
                $0.digest = .sha512
                $0.digestName = "SHA-256"
            } == .digestMismatch)
    }

    @Test(arguments: [2_147_483_648, 4_245_825_587, 4_294_967_295, 4_294_967_297, UInt64.max - 100])
    func `D08 digest identifiers are 64 bits wide`(_ first: UInt64) throws {
        #expect(try reason { $0.firstDigestID = first } == nil)
    }

    @Test func `D08 an identifier that collides after truncation finds no digest`() throws {
        let reason = try reason { plan in
            plan.forgeItem = { item in
                if case .unsigned(let id) = item["digestID"] { item["digestID"] = .unsigned(id + 1 << 32) }
            }
        }
        #expect(reason == .digestMismatch)
    }

    @Test(arguments: [(0, false), (8, false), (15, false), (16, true), (20, true), (64, true)])
    func `D11 random has at least 16 bytes`(_ length: Int, _ accepted: Bool) throws {
        #expect(try reason { $0.randomLength = length } == (accepted ? nil : .digestMismatch))
    }

    @Test func `D11 the Document's type and the MobileSecurityObject's are the same, in both directions`() throws {
        for edit in [
            { (plan: inout Plan) in plan.presentedType = "eu.europa.ec.eudi.pid.1" },
            { (plan: inout Plan) in plan.issuedType = "eu.europa.ec.eudi.pid.1" },
        ] {
            #expect(try fixture.verify(nil, edit).failures == ["document_type: document_type_mismatch"])
        }
    }

    @Test func `N06 a digest identifier of zero is an identifier`() throws {
        #expect(try reason { $0.firstDigestID = 0 } == nil)
    }
}
