import CBOR
import COSE
import Testing

@Suite struct HeaderTests {
    private static func refusalOf(protected: String, unprotected: String = "a0") throws -> COSEError? {
        let bytes = hex(protected)
        let document = try item(
            cbor { encoder in
                encoder.array(count: 4)
                encoder.byteString(bytes)
                encoder.raw(hex(unprotected))
                encoder.null()
                encoder.byteString([])
            })
        return refusal { () throws(COSEError) in try COSESign1(item: document) }
    }

    @Test func `a critical parameter that is not understood refuses the structure`() throws {
        #expect(try Self.refusalOf(protected: "a2012602 8101") == nil)
        #expect(try Self.refusalOf(protected: "a3012602811821182141aa") == nil)
        // Unknown; unknown text; named but absent; no array; empty; in the unprotected bucket.
        #expect(try Self.refusalOf(protected: "a3012602811903e71903e700") == .malformed)
        #expect(try Self.refusalOf(protected: "a301260281 6161 6161 00") == .malformed)
        #expect(try Self.refusalOf(protected: "a2012602811821") == .malformed)
        #expect(try Self.refusalOf(protected: "a201260201") == .malformed)
        #expect(try Self.refusalOf(protected: "a201260280") == .malformed)
        #expect(try Self.refusalOf(protected: "a10126", unprotected: "a1028101") == .malformed)
    }

    @Test func `a parameter that nobody knows is ignored where it is not critical`() throws {
        #expect(try Self.refusalOf(protected: "a201261903e7f6", unprotected: "a2616100 3903e7f7") == nil)
    }

    @Test func `labels are numbers or texts, each once`() throws {
        for label in ["40", "f6", "f5", "80", "a0", "f93c00", "1bffffffffffffffff"] {
            #expect(try Self.refusalOf(protected: "a1" + label + "00") == .malformed, "\(label)")
            #expect(try Self.refusalOf(protected: "a0", unprotected: "a1" + label + "00") == .malformed, "\(label)")
        }
        #expect(try Self.refusalOf(protected: "a20126180126") == .malformed)
        #expect(try Self.refusalOf(protected: "a1012600") == .malformed)
    }

    @Test func `a header of thousands of parameters is refused before any is compared`() throws {
        let many = cbor { encoder in
            encoder.map(count: 20_000)
            for label in 100..<20_100 {
                encoder.integer(Int64(label))
                encoder.null()
            }
        }
        let document = try item(
            cbor { encoder in
                encoder.array(count: 4)
                encoder.byteString(many)
                encoder.raw(many)
                encoder.null()
                encoder.byteString([])
            })
        #expect(refusal { () throws(COSEError) in try COSESign1(item: document) } == .malformed)
    }
}
