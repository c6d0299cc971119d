import Cryptography
import Testing
import VerificationCore

@Suite struct SigningTests {
    private static let message = Array("header.claims".utf8)

    @Test func `RFC 7515 A.2: the published RS256 signature comes out, byte for byte`() throws {
        let key = try SigningPrivateKey(DER.sequence(RFC7515.rsa.map { try DER.integer($0) }), for: .rs256)
        let expected = try #require(ByteText.bytes(base64: RFC7515.rsaSignature))
        #expect(try key.signature(of: Array(RFC7515.rsaInput.utf8)) == expected)
        #expect(try key.signature(of: Array((RFC7515.rsaInput + "x").utf8)) != expected)
    }

    @Test func `RFC 7515 A.3: a signature by the published ES256 key is its public key's, as the published one is`()
        throws
    {
        let scalar = try #require(ByteText.bytes(base64: RFC7515.ecD))
        let key = try SigningPrivateKey(DER.p256(scalar), for: .es256)
        let point = try ECPublicKey(
            curve: .p256, x: try #require(ByteText.bytes(base64: RFC7515.ecX)),
            y: try #require(ByteText.bytes(base64: RFC7515.ecY)))
        let input = Array(RFC7515.ecInput.utf8)
        let published = try #require(ByteText.bytes(base64: RFC7515.ecSignature))
        #expect(point.verify(signature: published, over: input, hash: .sha256))
        for _ in 0..<64 {
            let made = try key.signature(of: input)
            #expect(made.count == 64)
            #expect(point.verify(signature: made, over: input, hash: .sha256))
            #expect(!point.verify(signature: made, over: input + [0x20], hash: .sha256))
        }
    }

    static let kinds: [(SignatureAlgorithm, String, String)] = [
        (.es256, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256", "-sha256"),
        (.es384, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384", "-sha384"),
        (.rs256, "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048", "-sha256"),
        (
            .ps256, "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072",
            "-sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32"
        ),
    ]

    @Test(.enabled(if: OpenSSLCommand.isAvailable), arguments: kinds)
    func `openssl accepts what is signed, in every form of the key's file, and nothing that was altered`(
        algorithm: SignatureAlgorithm, make: String, options: String
    ) throws {
        try OpenSSLCommand.inFolder { openssl in
            let file = try openssl(make + " -out out")
            try openssl.write(file, as: "key")
            try openssl.write(try openssl("pkey -in key -pubout -out out"), as: "public")
            try openssl.write(Self.message, as: "message")
            for form in [
                "pkey -in key -out out", "pkey -in key -outform DER -out out", "pkey -in key -traditional -out out",
            ] {
                let key = try SigningPrivateKey(try openssl(form), for: algorithm)
                let raw = try key.signature(of: Self.message)
                let signature = algorithm.rawValue.hasPrefix("ES") ? DER.signature(raw) : raw
                try openssl.write(signature, as: "signature")
                let verify = "dgst \(options) -verify public -signature signature -out out message"
                let said = try openssl(verify)
                #expect(String(decoding: said, as: UTF8.self).contains("Verified OK"), "\(form)")
                try openssl.write(Array("header.claimz".utf8), as: "message")
                #expect(throws: (any Error).self) { try openssl(verify) }
                try openssl.write(Self.message, as: "message")
            }
        }
    }

    static let wrong: [(SignatureAlgorithm, String, PrivateKeyError)] = [
        (.es256, "EC -pkeyopt ec_paramgen_curve:P-384", .wrongKind("EC on P-384", needed: "EC on P-256")),
        (.es384, "EC -pkeyopt ec_paramgen_curve:P-256", .wrongKind("EC on P-256", needed: "EC on P-384")),
        (.es256, "EC -pkeyopt ec_paramgen_curve:secp256k1", .wrongKind("EC on secp256k1", needed: "EC on P-256")),
        (.es256, "RSA -pkeyopt rsa_keygen_bits:2048", .wrongKind("RSA", needed: "EC on P-256")),
        (.rs256, "EC -pkeyopt ec_paramgen_curve:P-256", .wrongKind("EC", needed: "RSA")),
        (.rs256, "ED25519", .wrongKind("ED25519", needed: "RSA")),
        (.ps256, "RSA-PSS -pkeyopt rsa_keygen_bits:2048", .wrongKind("RSA-PSS", needed: "RSA")),
        (.ps256, "RSA -pkeyopt rsa_keygen_bits:1024", .tooShort(bits: 1024, least: 2048)),
    ]

    @Test(.enabled(if: OpenSSLCommand.isAvailable), arguments: wrong)
    func `H17 a key that the algorithm does not sign with is refused and named`(
        algorithm: SignatureAlgorithm, kind: String, error: PrivateKeyError
    ) throws {
        try OpenSSLCommand.inFolder { openssl in
            let file = try openssl("genpkey -algorithm \(kind) -out out")
            #expect(throws: error) { try SigningPrivateKey(file, for: algorithm) }
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isAvailable))
    func `what is no private key is refused as what it is`() throws {
        try OpenSSLCommand.inFolder { openssl in
            let key = try openssl("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out out")
            try openssl.write(key, as: "key")
            let open = try openssl("pkey -in key -pubout -out out")
            let encrypted = try openssl("pkcs8 -topk8 -in key -passout pass:secret -out out")
            for algorithm in SignatureAlgorithm.allCases {
                #expect(throws: PrivateKeyError.publicKey) { try SigningPrivateKey(open, for: algorithm) }
                #expect(throws: PrivateKeyError.encrypted) { try SigningPrivateKey(encrypted, for: algorithm) }
                #expect(throws: PrivateKeyError.severalKeys) { try SigningPrivateKey(key + key, for: algorithm) }
                #expect(throws: PrivateKeyError.empty) { try SigningPrivateKey([], for: algorithm) }
                #expect(throws: PrivateKeyError.notAKey) { try SigningPrivateKey(Self.message, for: algorithm) }
            }
        }
    }

    @Test func `nothing shows a signing key`() throws {
        let key = try SigningPrivateKey(DER.p256([UInt8](repeating: 0x5A, count: 32)), for: .es256)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("5a5a") && !text.contains("90, 90") && !text.contains("PKey"))
        }
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}

/// As much DER as these tests write.
private enum DER {
    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }

    static func integer(_ base64URL: String) throws -> [UInt8] {
        integer(try #require(ByteText.bytes(base64: base64URL)))
    }

    static func integer(_ number: some Collection<UInt8>) -> [UInt8] {
        let digits = Array(number.drop { $0 == 0 })
        return value(0x02, digits.first.map { $0 < 0x80 } ?? false ? digits : [0] + digits)
    }

    /// SEQUENCE of r and s.
    static func signature(_ raw: [UInt8]) -> [UInt8] {
        sequence([integer(raw.prefix(raw.count / 2)), integer(raw.suffix(raw.count / 2))])
    }

    /// ECPrivateKey (RFC 5915 §3).
    static func p256(_ scalar: [UInt8]) -> [UInt8] {
        sequence([
            [0x02, 0x01, 0x01], value(0x04, scalar),
            [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07],
        ])
    }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count
        let head: [UInt8] =
            length < 0x80
            ? [UInt8(length)]
            : length < 0x100 ? [0x81, UInt8(length)] : [0x82, UInt8(length >> 8), UInt8(length & 0xFF)]
        return [tag] + head + content
    }
}
