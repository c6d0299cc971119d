import CBOR

/// Whatever decodes is walked whole, and its bytes are exactly the input; whatever does not decode gives nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCBORReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let document = try? CBORDocument(input) else { return 0 }
    precondition(Array(document.root.encoded) == input)
    walk(document.root)
    return 0
}

private func walk(_ root: CBORItem) {
    var waiting = [root]
    while let item = waiting.popLast() {
        switch item.kind {
        case .array: waiting.append(contentsOf: item.items)
        case .map:
            for (key, value) in item.pairs { waiting += [key, value] }
        case .tag:
            if let inner = try? item.embedded() { waiting.append(inner.root) }
        case .text: precondition((try? item.text()) != nil)
        case .bytes: precondition((try? item.bytes()) != nil)
        case .unsigned: precondition((try? item.unsigned()) != nil)
        case .negative, .boolean, .null, .undefined, .simple, .float: break
        }
    }
}
