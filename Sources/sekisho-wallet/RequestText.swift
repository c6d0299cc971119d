import JSONTree
import WalletKit

/// The gateway's `wallet_request` as the app hands it to the phone.
enum RequestText {
    /// Reads the object itself, or the session that holds it.
    static func read(_ bytes: [UInt8], team: String) throws -> WalletRequest {
        let node: JSONNode
        do {
            node = try JSONNode.parse(bytes, syntax: .json)
        } catch {
            throw CommandFailure.failed("the request is not JSON: \(error)")
        }
        let request = node["wallet_request"] ?? node
        guard let merchant = request["merchant_identifier"]?.string, let nonce = request["nonce"]?.string,
            let type = request["document_type"]?.string, let elements = request["elements"]?.elements
        else {
            throw CommandFailure.failed(
                "the request has no merchant_identifier, nonce, document_type and elements: is it an error's answer?")
        }
        guard let decoded = decode(nonce), (1...64).contains(decoded.count) else {
            throw CommandFailure.failed("the nonce is not base64url of 1 to 64 bytes")
        }
        return WalletRequest(
            merchantIdentifier: merchant, teamIdentifier: request["team_identifier"]?.string ?? team, nonce: decoded,
            documentType: type, elements: elements.compactMap(\.string))
    }

    static func base64URL(_ bytes: [UInt8]) -> String {
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let padded = Array(part) + [0, 0]
            let bits = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
            for index in 0...part.count { text.append(alphabet[bits >> (18 - 6 * index) & 63]) }
        }
        return text
    }

    private static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits = 0
        var held = 0
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | value
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(bits >> held & 0xFF))
                bits &= (1 << held) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}
