import Cryptography
import TestSupport
import Testing

@Suite struct HKDFTests {
    private struct Group: Decodable {
        let tests: [Case]
    }

    private struct Case: Decodable {
        let tcId: Int
        let ikm: Wycheproof.Hex
        let salt: Wycheproof.Hex
        let info: Wycheproof.Hex
        let size: Int
        let okm: Wycheproof.Hex
        let result: Wycheproof.Outcome
    }

    @Test(.enabled(if: Wycheproof.isAvailable("hkdf_sha256")))
    func `every Wycheproof case gives its result`() throws {
        var count = 0
        for group in try Wycheproof.load("hkdf_sha256", Group.self) {
            for test in group.tests {
                count += 1
                let output = Result {
                    try HKDF.derive(
                        ikm: test.ikm.bytes, salt: test.salt.bytes, info: test.info.bytes, length: test.size)
                }
                switch test.result {
                case .valid:
                    #expect(try output.get() == test.okm.bytes, "case \(test.tcId)")
                    #expect(test.okm.bytes.count == test.size)
                case .invalid:
                    #expect(throws: CryptographyError.unsupported, "case \(test.tcId)") { try output.get() }
                case .acceptable:
                    Issue.record("case \(test.tcId) leaves its result open")
                }
            }
        }
        #expect(count > 0)
        Vectors.ran(count, of: "wycheproof/hkdf_sha256")
    }

    @Test func `as much as the standard allows is given, and not one byte more or less than nothing`() throws {
        #expect(HKDF.maximumLength == 8160)
        let most = try HKDF.expand(prk: [1, 2, 3], info: [], length: HKDF.maximumLength)
        #expect(most.count == HKDF.maximumLength)
        #expect(try HKDF.expand(prk: [1, 2, 3], info: [], length: 33) == Array(most.prefix(33)))
        #expect(try HKDF.expand(prk: [1, 2, 3], info: [], length: 0).isEmpty)
        for length in [-1, HKDF.maximumLength + 1, .max, .min] {
            #expect(throws: CryptographyError.unsupported) {
                try HKDF.expand(prk: [1, 2, 3], info: [], length: length)
            }
        }
    }
}
