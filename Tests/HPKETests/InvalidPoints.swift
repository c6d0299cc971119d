import Foundation
import TestSupport

/// The points of the Wycheproof file that are not uncompressed points on P-256.
enum InvalidPoints {
    private struct File: Decodable {
        struct Group: Decodable {
            let tests: [Case]
        }
        struct Case: Decodable {
            let `public`: RFC9180.Hex
            let result: String
        }
        let testGroups: [Group]
    }

    static func load() throws -> [[UInt8]] {
        let bytes = try Vectors.bytes("crypto/wycheproof/ecdh_secp256r1_ecpoint_test.json")
        let file = try JSONDecoder().decode(File.self, from: Data(bytes))
        return file.testGroups.flatMap(\.tests).filter { $0.result != "valid" }.map(\.public.bytes)
    }
}
