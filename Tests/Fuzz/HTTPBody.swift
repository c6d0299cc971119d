import JSONTree
import VerificationCore

/// Any bytes as a request's body: what parses is written again and parses to the same text; base64 decodes and encodes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPBody(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    if let bytes = ByteText.bytes(base64: String(decoding: input, as: UTF8.self)) {
        precondition(ByteText.bytes(base64: ByteText.base64URL(bytes)) == bytes)
    }
    for syntax in JSONSyntax.allCases {
        guard let node = try? JSONNode.parse(input, syntax: syntax) else { continue }
        let problems = JSONProblemList()
        let reader = JSONReader(node, problems: problems)
        if let blob = reader.optionalString("encrypted_data") {
            let written = JSONValue.object([("encrypted_data", .string(blob))]).encoded()
            let again = try? JSONNode.parse(written, syntax: .json)
            precondition(again?["encrypted_data"]?.string == blob)
        }
        _ = reader.optionalInteger("wait", in: 0...30)
        reader.rejectUnknownKeys()
    }
    return 0
}
