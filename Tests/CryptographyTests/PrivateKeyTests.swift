import Cryptography
import TestSupport
import Testing

@Suite struct PrivateKeyTests {
    private static let appleKey = "apple/sample/merchant_encryption.key"
    private static let applePoint = "apple/sample/merchant_encryption_uncompressed_public_key.txt"
    private static let applePublicKey = "apple/sample/merchant_encryption_public_key.pem"
    private static let appleCertificate = "apple/sample/merchant_encryption.crt"

    @Test(.enabled(if: Vectors.available(appleKey)))
    func `Apple's own key is read, and its public point is the one Apple gives`() throws {
        let file = try Vectors.bytes(Self.appleKey)
        let point = try #require(hex(try Vectors.text(Self.applePoint)))
        let key = try P256PrivateKey(file)
        #expect(key.publicKey.uncompressed == point)
        #expect(try P256PrivateKey(try #require(PEM.blocks(file).first).bytes).publicKey.uncompressed == point)
        let text = String(decoding: file, as: UTF8.self)
        for variant in [
            text.split(separator: "\n").joined(separator: "\r\n"), "\u{feff}\n" + text, "a note\n\n" + text + "\nmore",
            text.split(separator: "\n").map { "  \($0)\t" }.joined(separator: "\n"),
        ] {
            #expect(try P256PrivateKey(Array(variant.utf8)).publicKey.uncompressed == point)
        }
        Vectors.ran(1, of: "apple/sample/merchant_encryption.key")
    }

    @Test(.enabled(if: Vectors.available(appleKey)))
    func `H17 Apple's public key and certificate are named as what they are`() throws {
        let publicKey = try Vectors.bytes(Self.applePublicKey)
        let certificate = try Vectors.bytes(Self.appleCertificate)
        #expect(throws: PrivateKeyError.publicKey) { try P256PrivateKey(publicKey) }
        #expect(throws: PrivateKeyError.certificate) { try P256PrivateKey(certificate) }
        #expect(throws: PrivateKeyError.publicKey) {
            try P256PrivateKey(try #require(PEM.blocks(publicKey).first).bytes)
        }
        #expect(throws: PrivateKeyError.certificate) {
            try P256PrivateKey(try #require(PEM.blocks(certificate).first).bytes)
        }
        // Beside the key a certificate does no harm.
        let key = try Vectors.bytes(Self.appleKey)
        #expect(
            try P256PrivateKey(certificate + [0x0a] + key).publicKey == (try P256PrivateKey(key).publicKey))
        #expect(throws: PrivateKeyError.severalKeys) { try P256PrivateKey(key + [0x0a] + key) }
        Vectors.ran(2, of: "apple/sample/merchant_encryption")
    }

    @Test(.enabled(if: Vectors.available(appleKey)))
    func `a file cut short or changed anywhere is never another key`() throws {
        let file = try Vectors.bytes(Self.appleKey)
        let point = try P256PrivateKey(file).publicKey.uncompressed
        let der = try #require(PEM.blocks(file).first).bytes
        for end in der.indices {
            #expect(throws: PrivateKeyError.self) { try P256PrivateKey(Array(der[..<end])) }
        }
        #expect(throws: PrivateKeyError.malformed) { try P256PrivateKey(der + [0]) }
        for place in der.indices {
            for bit in 0..<8 {
                var changed = der
                changed[place] ^= 1 << UInt8(bit)
                // Some octets, as the version, do not decide what the key is; none makes it another.
                if let key = try? P256PrivateKey(changed) { #expect(key.publicKey.uncompressed == point) }
            }
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isAvailable))
    func `every form of a P-256 key that openssl writes is read as the same key`() throws {
        try OpenSSLCommand.inFolder { openssl in
            let withParameters = try openssl("ecparam -name prime256v1 -genkey -out out")
            let key = try P256PrivateKey(withParameters)
            try openssl.write(withParameters, as: "key")
            for arguments in [
                "ec -in key -out out", "ec -in key -outform DER -out out", "ec -in key -no_public -out out",
                "ec -in key -conv_form compressed -out out", "ec -in key -conv_form hybrid -outform DER -out out",
                "pkcs8 -topk8 -nocrypt -in key -out out", "pkcs8 -topk8 -nocrypt -in key -outform DER -out out",
                "pkey -in key -out out", "pkey -in key -outform DER -out out",
            ] {
                let form = try openssl(arguments)
                #expect(form != withParameters)
                #expect(try P256PrivateKey(form).publicKey == key.publicKey, "\(arguments)")
            }
            let other = try P256PrivateKey(try openssl("ecparam -name prime256v1 -genkey -noout -out out"))
            #expect(other.publicKey != key.publicKey)
            #expect(try other.sharedSecret(with: key.publicKey) == (try key.sharedSecret(with: other.publicKey)))
        }
    }

    static let others: [(String, PrivateKeyError)] = [
        ("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024", .wrongAlgorithm("RSA")),
        ("genpkey -algorithm ED25519", .wrongAlgorithm("ED25519")),
        ("genpkey -algorithm X25519", .wrongAlgorithm("X25519")),
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384", .wrongCurve("P-384")),
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-521", .wrongCurve("P-521")),
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1", .wrongCurve("secp256k1")),
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:brainpoolP256r1", .wrongCurve("brainpoolP256r1")),
    ]

    @Test(.enabled(if: OpenSSLCommand.isAvailable), arguments: others)
    func `H17 a key of another kind is refused and named`(arguments: String, error: PrivateKeyError) throws {
        try OpenSSLCommand.inFolder { openssl in
            for form in ["PEM", "DER"] {
                let file = try openssl(arguments + " -outform \(form) -out out")
                #expect(throws: error, "\(form)") { try P256PrivateKey(file) }
            }
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isAvailable))
    func `H17 an encrypted key is refused as encrypted, in every form, and nothing asks for a passphrase`() throws {
        try OpenSSLCommand.inFolder { openssl in
            try openssl.write(try openssl("ecparam -name prime256v1 -genkey -noout -out out"), as: "key")
            for arguments in [
                "ec -in key -aes256 -passout pass:secret -out out",
                "pkcs8 -topk8 -in key -passout pass:secret -out out",
                "pkcs8 -topk8 -in key -passout pass:secret -outform DER -out out",
            ] {
                let file = try openssl(arguments)
                #expect(throws: PrivateKeyError.encrypted, "\(arguments)") { try P256PrivateKey(file) }
            }
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isAvailable))
    func `H17 a public point that is another key's is refused`() throws {
        try OpenSSLCommand.inFolder { openssl in
            let first = try openssl("ecparam -name prime256v1 -genkey -noout -outform DER -out out")
            let second = try openssl("ecparam -name prime256v1 -genkey -noout -outform DER -out out")
            _ = try P256PrivateKey(first)
            #expect(first.count == second.count)
            #expect(throws: PrivateKeyError.inconsistent) {
                try P256PrivateKey(Array(first.dropLast(64) + second.suffix(64)))
            }
        }
    }

    @Test func `a private number out of range is refused`() throws {
        let order = try #require(hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
        let last = Array(order.dropLast()) + [0x50]
        _ = try P256PrivateKey(scalar: last)
        for scalar in [order, [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xff, count: 32)] {
            #expect(throws: PrivateKeyError.self) { try P256PrivateKey(scalar: scalar) }
        }
        for length in [0, 31, 33] {
            #expect(throws: PrivateKeyError.malformed) {
                try P256PrivateKey(scalar: [UInt8](repeating: 1, count: length))
            }
        }
    }

    static let noKeys: [(String, PrivateKeyError)] = [
        ("", .empty), ("\n\n", .notAKey), ("hello", .notAKey), ("0", .notAKey),
        ("-----BEGIN EC PRIVATE KEY-----", .malformedPEM(line: 1)),
        ("\n-----BEGIN EC PRIVATE KEY-----\nMHcC\n", .malformedPEM(line: 2)),
        ("-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END PRIVATE KEY-----\n", .malformedPEM(line: 3)),
        ("-----BEGIN EC PRIVATE KEY-----\n-----END EC PRIVATE KEY-----\n", .malformedPEM(line: 1)),
        ("-----BEGIN EC PRIVATE KEY-----\nMH$C\n-----END EC PRIVATE KEY-----\n", .malformedPEM(line: 1)),
        ("-----BEGIN EC PRIVATE KEY-----\nMHcCA\n-----END EC PRIVATE KEY-----\n", .malformedPEM(line: 1)),
        ("-----BEGIN EC PRIVATE KEY-----\nM===\n-----END EC PRIVATE KEY-----\n", .malformedPEM(line: 1)),
        ("-----BEGIN EC PRIVATE KEY-----\nMB==\n-----END EC PRIVATE KEY-----\n", .malformedPEM(line: 1)),
        ("-----BEGIN EC PRIVATE KEY-----\nMA==MA==\n-----END EC PRIVATE KEY-----\n", .malformedPEM(line: 1)),
        ("-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----BEGIN EC PRIVATE KEY-----\n", .malformedPEM(line: 3)),
        ("-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n", .notAKey),
        ("-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n", .notAKey),
        ("-----END EC PRIVATE KEY-----\n-----BEGIN X-----\n", .malformedPEM(line: 1)),
    ]

    @Test(arguments: noKeys)
    func `what is not a key is refused with the line of the trouble`(text: String, error: PrivateKeyError) {
        #expect(throws: error) { try P256PrivateKey(Array(text.utf8)) }
    }

    @Test func `nothing shows a private key`() throws {
        let scalar = [UInt8](repeating: 0x5a, count: 32)
        let key = try P256PrivateKey(scalar: scalar)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("5a5a"))
            #expect(!text.contains("90, 90"))
            #expect(!text.contains("PKey"))
        }
        #expect("\(key)" == "***")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}
