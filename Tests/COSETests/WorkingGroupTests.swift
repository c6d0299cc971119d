import CBOR
import COSE
import Foundation
import TestSupport
import Testing

/// One file of the examples of the COSE working group.
struct WorkingGroupExample: Decodable {
    struct Key: Decodable {
        let kty, crv: String
        let x, xHex, y, yHex: String?

        private enum CodingKeys: String, CodingKey {
            case kty, crv, x, y
            case xHex = "x_hex"
            case yHex = "y_hex"
        }
    }
    struct Signer: Decodable {
        let key: Key
        let external: String?
    }
    struct Several: Decodable {
        let signers: [Signer]
        let external: String?
    }
    struct Input: Decodable {
        let plaintext: String
        let sign0: Signer?
        let sign: Several?
    }
    struct Intermediate: Decodable {
        let toBeSigned: String

        private enum CodingKeys: String, CodingKey { case toBeSigned = "ToBeSign_hex" }
    }
    struct Intermediates: Decodable {
        let toBeSigned: String?
        let signers: [Intermediate]?

        private enum CodingKeys: String, CodingKey {
            case signers
            case toBeSigned = "ToBeSign_hex"
        }
    }
    struct Output: Decodable { let cbor: String }

    let title: String
    let fail: Bool?
    let input: Input
    let intermediates: Intermediates
    let output: Output
}

extension WorkingGroupExample.Key {
    /// The key as a COSE_Key.
    var encoded: [UInt8] {
        cbor { encoder in
            encoder.map(count: kty == "EC" ? 4 : 3)
            encoder.integer(1)
            encoder.integer(kty == "EC" ? 2 : 1)
            encoder.integer(-1)
            encoder.integer(["P-256": 1, "P-384": 2, "P-521": 3, "Ed25519": 6, "Ed448": 7][crv] ?? 0)
            encoder.integer(-2)
            encoder.byteString(Self.bytes(x, xHex))
            if kty == "EC" {
                encoder.integer(-3)
                encoder.byteString(Self.bytes(y, yHex))
            }
        }
    }

    private static func bytes(_ base64URL: String?, _ hexadecimal: String?) -> [UInt8] {
        if let hexadecimal { return hex(hexadecimal) }
        let standard = (base64URL ?? "").replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        return Array(Data(base64Encoded: standard + String(repeating: "=", count: -standard.count & 3)) ?? Data())
    }
}

@Suite struct WorkingGroupTests {
    static let folder = "crypto/cose"

    /// What must come out of each file.
    enum Outcome: Equatable {
        case signed, notSigned
        case refused(COSEError)
        /// The key or its pair with the algorithm is none of ours.
        case unsupported
        /// RFC 9052 allows the algorithm in the unprotected header; we do not, and the signature itself is right.
        case algorithmNotProtected
    }

    static let outcomes: [String: Outcome] = [
        "ecdsa-01": .signed, "ecdsa-02": .signed, "ecdsa-03": .signed,
        // SHA-512 with P-256: not one of the fixed pairs.
        "ecdsa-04": .unsupported, "ecdsa-sig-04": .unsupported,
        "ecdsa-sig-01": .signed, "ecdsa-sig-02": .signed, "ecdsa-sig-03": .signed,
        "eddsa-01": .signed, "eddsa-sig-01": .signed,
        // Ed448.
        "eddsa-02": .unsupported, "eddsa-sig-02": .unsupported,
        "sign-fail-01": .refused(.malformed), "sign-fail-02": .notSigned,
        "sign-fail-03": .refused(.algorithmUnsupported), "sign-fail-04": .refused(.algorithmUnsupported),
        "sign-fail-06": .notSigned, "sign-fail-07": .notSigned,
        "sign-pass-01": .algorithmNotProtected, "sign-pass-02": .signed, "sign-pass-03": .signed,
    ]

    static func examples() throws -> [(name: String, example: WorkingGroupExample)] {
        let root = try #require(Vectors.root)
        let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        let names = try #require(paths).compactMap { $0 as? String }.filter { $0.hasSuffix(".json") }.sorted()
        return try names.map { path in
            let bytes = try Vectors.bytes("\(folder)/\(path)")
            let name = String(path.split(separator: "/").last?.dropLast(5) ?? "")
            return (name, try JSONDecoder().decode(WorkingGroupExample.self, from: Data(bytes)))
        }
    }

    @Test(.enabled(if: Vectors.available(folder)))
    func `every file of the working group comes out as it must`() throws {
        let examples = try Self.examples()
        #expect(Set(examples.map(\.name)) == Set(Self.outcomes.keys), "a file without an expected outcome")
        for (name, example) in examples {
            let outcome = try #require(Self.outcomes[name])
            #expect((outcome == .notSigned || outcome.isRefused) == (example.fail ?? false), "\(name)")
            if example.input.sign != nil {
                try Self.checkSeveral(name, example, outcome)
            } else {
                try Self.checkOne(name, example, outcome)
            }
        }
        Vectors.ran(examples.count, of: "cose-working-group")
    }

    /// COSE_Sign1 (`sign0` is its older name in these files).
    private static func checkOne(_ name: String, _ example: WorkingGroupExample, _ outcome: Outcome) throws {
        let signer = try #require(example.input.sign0)
        let document = try item(example.output.cbor)
        let external = hex(signer.external ?? "")
        if outcome == .unsupported {
            try checkUnsupported(name, signer.key, try COSESign1(item: document).algorithm)
            return
        }
        let key = try COSEKey(item: item(signer.key.encoded))
        switch outcome {
        case .signed, .notSigned:
            let structure = try COSESign1(item: document)
            #expect(structure.payload == Array(example.input.plaintext.utf8)[...] || example.fail == true)
            #expect(try structure.verify(key: key, externalAAD: external) == (outcome == .signed), "\(name)")
            #expect(try !structure.verify(key: key, externalAAD: external + [0]), "\(name)")
            if outcome == .signed {
                #expect(
                    COSESign1.sigStructure(
                        protected: structure.protectedBytes, externalAAD: external,
                        payload: example.input.plaintext.utf8)
                        == hex(example.intermediates.toBeSigned ?? ""), "\(name)")
            }
        case .refused(let error):
            #expect(
                refusal { () throws(COSEError) in
                    try COSESign1(item: document).verify(key: key, externalAAD: external)
                } == error, "\(name)")
        case .algorithmNotProtected:
            let structure = try COSESign1(item: document)
            #expect(refusal { () throws(COSEError) in try structure.verify(key: key) } == .algorithmMissing)
            #expect(structure.protectedBytes == hex("a0")[...])
            let message = hex(example.intermediates.toBeSigned ?? "")
            #expect(
                message == COSESign1.sigStructure(protected: [], externalAAD: [], payload: example.input.plaintext.utf8)
            )
            #expect(try key.verify(signature: structure.signature, over: message, algorithm: .es256))
        case .unsupported:
            Issue.record("handled above")
        }
    }

    /// COSE_Sign has several signers and is no structure of ours: it is refused as a COSE_Sign1, and its keys and
    /// signatures are checked all the same, over the structure of RFC 9052 §4.4 with the context "Signature".
    private static func checkSeveral(_ name: String, _ example: WorkingGroupExample, _ outcome: Outcome) throws {
        let document = try item(example.output.cbor)
        #expect(refusal { () throws(COSEError) in try COSESign1(item: document) } == .malformed, "\(name)")
        let parts = Array(try document.tag(98).array())
        let signatures = Array(try parts[3].array())
        let signers = try #require(example.input.sign).signers
        let expected = try #require(example.intermediates.signers)
        try #require(signatures.count == signers.count && expected.count == signers.count && !signers.isEmpty)
        for index in signers.indices {
            let signature = Array(try signatures[index].array())
            let algorithm = try COSEAlgorithm(item: signature[0].contents().root.require(1))
            let message = try cbor(
                ["Signature"], [parts[0], signature[0]], hex(signers[index].external ?? ""), parts[2])
            #expect(message == hex(expected[index].toBeSigned), "\(name)")
            if outcome == .unsupported {
                try checkUnsupported(name, signers[index].key, algorithm)
                continue
            }
            let key = try COSEKey(item: item(signers[index].key.encoded))
            let bytes = try signature[2].bytes()
            #expect(try key.verify(signature: bytes, over: message, algorithm: algorithm), "\(name)")
            #expect(try !key.verify(signature: bytes, over: message + [0], algorithm: algorithm), "\(name)")
        }
    }

    private static func checkUnsupported(
        _ name: String, _ key: WorkingGroupExample.Key, _ algorithm: COSEAlgorithm
    ) throws {
        let encoded = try item(key.encoded)
        if key.crv == "Ed448" {
            #expect(refusal { () throws(COSEError) in try COSEKey(item: encoded) } == .algorithmUnsupported, "\(name)")
            return
        }
        let key = try COSEKey(item: encoded)
        #expect(
            refusal { () throws(COSEError) in try key.verify(signature: [], over: [], algorithm: algorithm) }
                == .algorithmUnsupported, "\(name)")
    }

    private static func cbor(
        _ context: [String], _ protected: [CBORItem], _ external: [UInt8], _ payload: CBORItem
    ) throws -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.array(count: context.count + protected.count + 2)
        for text in context { encoder.text(text) }
        for item in protected { encoder.byteString(try item.bytes()) }
        encoder.byteString(external)
        encoder.byteString(try payload.bytes())
        return encoder.bytes
    }
}

extension WorkingGroupTests.Outcome {
    var isRefused: Bool { if case .refused = self { true } else { false } }
}
