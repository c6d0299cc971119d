import CBOR
import COSE
import TestSupport
import Testing

/// Faults that others shipped, in what COSE is responsible for.
@Suite struct FaultTests {
    static let payload = Array(ForeignSignatures.payload.utf8)
    static let es256 = hex("a10126")

    static func key(_ encoded: String) throws -> COSEKey { try COSEKey(item: item(encoded)) }

    /// A COSE_Sign1 with shortest heads; `unprotected` is encoded CBOR.
    static func structure(
        protected: [UInt8] = es256, unprotected: String = "a0", payload: [UInt8]? = payload, signature: String
    ) throws(COSEError) -> COSESign1 {
        let encoded = cbor { encoder in
            encoder.array(count: 4)
            encoder.byteString(protected)
            encoder.raw(hex(unprotected))
            if let payload { encoder.byteString(payload) } else { encoder.null() }
            encoder.byteString(hex(signature))
        }
        guard let item = try? item(encoded) else { preconditionFailure("the test writes no CBOR") }
        return try COSESign1(item: item)
    }

    static func structureRefusal(_ text: String) throws -> COSEError? {
        let item = try item(text)
        return refusal { () throws(COSEError) in try COSESign1(item: item) }
    }

    @Test func `C01 external data that is absent is an empty string in what is signed, never null`() throws {
        let key = try Self.key(ForeignSignatures.p256)
        #expect(try Self.structure(signature: ForeignSignatures.signatureOverEmptyAAD).verify(key: key))
        #expect(try !Self.structure(signature: ForeignSignatures.signatureOverNullAAD).verify(key: key))
        #expect(
            COSESign1.sigStructure(protected: Self.es256, externalAAD: [], payload: [1])
                == hex("846a5369676e61747572653143a10126404101"))
    }

    @Test func `C03 x5chain is one string or an array of strings, leaf first`() throws {
        func chain(_ unprotected: String) throws -> [ArraySlice<UInt8>]? {
            try COSESign1(item: sign1(protected: "40", unprotected: unprotected, payload: "f6")).x5chain
        }
        #expect(try chain("a0") == nil)
        #expect(try chain("a1182141aa") == [[0xAA]])
        // C04: an array of one is read as one.
        #expect(try chain("a118218141aa") == [[0xAA]])
        #expect(try chain("a118218241aa41bb") == [[0xAA], [0xBB]])
        #expect(try chain("a118218241bb41aa") == [[0xBB], [0xAA]])
        // Wire fact 12: a developer's wallet sends an empty array. It is no certificate, and no crash.
        #expect(try chain("a1182180") == [])
        #expect(try chain("a118218140") == [[]])
        for wrong in ["f6", "f7", "01", "6161", "8101", "8141aa6161", "818141aa", "a0"] {
            #expect((try? chain("a11821" + wrong)) == nil, "\(wrong)")
        }
        let fifty = "a118219832" + String(repeating: "41aa", count: 50)
        #expect(try Self.structureRefusal("8440" + fifty + "f640") == .malformed)
    }

    @Test func `C08 a structure of another shape is refused, never an uncaught error`() throws {
        #expect(try Self.structureRefusal("8440a0f640") == nil)
        #expect(try Self.structureRefusal("d28440a0f640") == nil)
        let refused = [
            "d18440a0f640", "d8628440a0f640", "d2d28440a0f640", "8340a0f6", "8540a0f64040", "80", "a0", "40", "f6",
            "8441ffa0f640", "844180a0f640", "8443a10126f6f640", "84a0a0f640", "84f6a0f640", "8440a0f740", "8440a00140",
            "8440a0a040", "8440a0f6f6", "8440a0f66161", "8442a101a0f640",
        ]
        for text in refused {
            let malformed = (try? Self.structureRefusal(String(text))) ?? .malformed
            #expect(malformed == .malformed, "\(text)")
        }
        let empty = try Self.structure(protected: [], signature: ForeignSignatures.signatureNoAlgorithm)
        let key = try Self.key(ForeignSignatures.p256)
        #expect(refusal { () throws(COSEError) in try empty.algorithm } == .algorithmMissing)
        #expect(refusal { () throws(COSEError) in try empty.verify(key: key) } == .algorithmMissing)
    }

    @Test func `C09 wide length heads of the structure do not leak into what is signed`() throws {
        let key = try Self.key(ForeignSignatures.p256)
        let wide = cbor { encoder in
            encoder.head(.array, 4, width: .eight)
            encoder.head(.bytes, 3, width: .one)
            encoder.raw(Self.es256)
            encoder.raw([0xBF, 0xFF])
            encoder.head(.bytes, UInt64(Self.payload.count), width: .four)
            encoder.raw(Self.payload)
            encoder.head(.bytes, 64, width: .two)
            encoder.raw(hex(ForeignSignatures.signatureOverEmptyAAD))
        }
        #expect(try COSESign1(item: item(wide)).verify(key: key))
        let chunked = cbor { encoder in
            encoder.array(count: 4)
            encoder.indefiniteByteString()
            encoder.byteString(Self.es256.prefix(1))
            encoder.byteString(Self.es256.dropFirst(1))
            encoder.endIndefinite()
            encoder.map(count: 0)
            encoder.byteString(Self.payload)
            encoder.byteString(hex(ForeignSignatures.signatureOverEmptyAAD))
        }
        #expect(try COSESign1(item: item(chunked)).verify(key: key))
    }

    @Test func `C10 a payload that is both embedded and given must be the same bytes`() throws {
        let key = try Self.key(ForeignSignatures.p256)
        let good = ForeignSignatures.signatureOverEmptyAAD
        let embedded = try Self.structure(signature: good)
        #expect(try embedded.verify(key: key, payload: Self.payload[...]))
        #expect(try !embedded.verify(key: key, payload: Array("payload of the thief".utf8)[...]))
        #expect(try !embedded.verify(key: key, payload: []))
        let detached = try Self.structure(payload: nil, signature: good)
        #expect(detached.payload == nil)
        #expect(try detached.verify(key: key, payload: Self.payload[...]))
        #expect(try !detached.verify(key: key, payload: []))
        #expect(refusal { () throws(COSEError) in try detached.verify(key: key) } == .payloadMissing)
        // The thief's payload, rightly signed by the device, in place of what we expect.
        let thief = try Self.structure(
            payload: Array("payload of the thief".utf8), signature: ForeignSignatures.signatureOverAttackerPayload)
        #expect(try thief.verify(key: key))
        #expect(try !thief.verify(key: key, payload: Self.payload[...]))
    }

    @Test func `C11 a key identifier is a byte string or the structure is malformed`() throws {
        for wrong in ["f7", "f6", "6161", "01", "80"] {
            #expect(try Self.structureRefusal("8440a104" + wrong + "f640") == .malformed, "\(wrong)")
            #expect(try Self.structureRefusal("8443a104" + wrong.prefix(2) + "a0f640") == .malformed, "\(wrong)")
        }
        let long = try item("8440a1045824" + String(repeating: "ab", count: 36) + "f640")
        #expect(try COSESign1(item: long).keyIdentifier?.count == 36)
    }

    @Test func `C15 algorithm and curve go in fixed pairs, whatever the signature would say`() throws {
        let (p256, p384, p521) = (
            try Self.key(ForeignSignatures.p256), try Self.key(ForeignSignatures.p384),
            try Self.key(ForeignSignatures.p521)
        )
        let es384 = hex("a1013822")
        let es512 = hex("a1013823")
        let crossed = try Self.structure(protected: es384, signature: ForeignSignatures.es384UnderP256)
        #expect(refusal { () throws(COSEError) in try crossed.verify(key: p256) } == .algorithmUnsupported)
        let crossedBack = try Self.structure(signature: ForeignSignatures.es256UnderP384)
        #expect(refusal { () throws(COSEError) in try crossedBack.verify(key: p384) } == .algorithmUnsupported)
        #expect(try Self.structure(protected: es384, signature: ForeignSignatures.es384UnderP384).verify(key: p384))
        #expect(try Self.structure(protected: es512, signature: ForeignSignatures.es512UnderP521).verify(key: p521))
        let keys = [p256, p384, p521]
        for algorithm in COSEAlgorithm.allCases {
            for key in keys where key.algorithm != algorithm {
                #expect(
                    refusal { () throws(COSEError) in
                        try key.verify(signature: [], over: Self.payload, algorithm: algorithm)
                    } == .algorithmUnsupported)
            }
        }
    }

    @Test func `C38 the algorithm numbers are those of IANA, and no other number is read as one of them`() throws {
        let known: [(Int64, COSEAlgorithm)] = [(-7, .es256), (-8, .edDSA), (-35, .es384), (-36, .es512)]
        for (number, algorithm) in known {
            #expect(try COSEAlgorithm(item: item(cbor { $0.integer(number) })) == algorithm)
        }
        // ESP256, ESP384, ESP512, Ed25519 (RFC 9864), ES256K, PS256, RS256, the curves' brainpool numbers.
        let others: [Int64] = [-9, -51, -52, -19, -47, -37, -257, -265, -266, -267, 0, 1, 5, -6, 7, .min, .max]
        for number in others {
            let encoded = try item(cbor { $0.integer(number) })
            #expect(
                refusal { () throws(COSEError) in try COSEAlgorithm(item: encoded) } == .algorithmUnsupported,
                "\(number)")
        }
        for (text, error) in [
            ("3bffffffffffffffff", COSEError.algorithmUnsupported), ("654553323536", .algorithmUnsupported),
            ("4126", .malformed), ("f6", .malformed), ("f7", .malformed), ("8126", .malformed), ("f9c700", .malformed),
        ] {
            let encoded = try item(text)
            #expect(refusal { () throws(COSEError) in try COSEAlgorithm(item: encoded) } == error, "\(text)")
        }
    }

    @Test func `C39 a label in both buckets is malformed, and an unprotected algorithm is not read`() throws {
        // alg in both, the same and another; x5chain in both; spelt differently in each.
        for (protected, unprotected) in [
            ("a10126", "a10126"), ("a10126", "a1013822"), ("a118218141aa", "a1182141bb"), ("a1180126", "a10126"),
            ("a10126", "a119000126"), ("a1616100", "a17f6161ff00"),
        ] {
            #expect(
                refusal { () throws(COSEError) in
                    try Self.structure(protected: hex(protected), unprotected: unprotected, signature: "00")
                } == .malformed, "\(protected) \(unprotected)")
        }
        let key = try Self.key(ForeignSignatures.p256)
        for protected in [[], hex("a0"), hex("bfff")] {
            let structure = try Self.structure(
                protected: protected, unprotected: "a10126", signature: ForeignSignatures.signatureNoAlgorithm)
            #expect(refusal { () throws(COSEError) in try structure.verify(key: key) } == .algorithmMissing)
        }
    }

    @Test func `C40 labels are compared by value, however they are spelt`() throws {
        for label in ["1821", "190021", "1a00000021", "1b0000000000000021"] {
            let structure = try COSESign1(
                item: sign1(protected: "40", unprotected: "a1" + label + "41aa", payload: "f6"))
            #expect(structure.x5chain == [[0xAA]], "\(label)")
        }
        for algorithm in ["26", "3806", "390006", "3a00000006", "3b0000000000000006"] {
            for label in ["01", "1801", "190001"] {
                let protected = hex("a1" + label + algorithm)
                let structure = try Self.structure(protected: protected, signature: "00")
                #expect(try structure.algorithm == .es256, "\(label) \(algorithm)")
            }
        }
        let wide = try Self.structure(
            protected: hex("a118013806"), signature: ForeignSignatures.signatureWithWideLabel)
        #expect(try wide.verify(key: Self.key(ForeignSignatures.p256)))
        let deviceKey = cbor { encoder in
            encoder.raw(hex("a4 190001 1802 3800 1801 3801"))
            encoder.raw(hex(ForeignSignatures.p256)[6...])
        }
        // The same key with labels 1, -1 and -2 in two bytes and more; the rest as it was.
        #expect(try COSEKey(item: item(deviceKey)) == Self.key(ForeignSignatures.p256))
    }
}
