import CCurl
import Glibc
import VerificationCore

/// The request's fields as libcurl wants them, overwritten before their memory goes back.
final class RequestFields {
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    init?(_ request: OutboundRequest) {
        var hasType = false
        for field in request.headers {
            if field.name.lowercased() == "content-type" { hasType = true }
            let isAdded = field.value.withValue { value in
                // A field that is there and empty is written with a semicolon.
                add(value.isEmpty ? [field.name, ";"] : [field.name, ": ", value])
            }
            guard isAdded else { return nil }
        }
        // Without a value: libcurl leaves its own out. Waiting for `100 Continue` would cost a second with servers that
        // do not know it.
        guard add(["Expect:"]) && (hasType || add(["Content-Type:"])) else { return nil }
    }

    private func add(_ parts: [String]) -> Bool {
        let line = WipedBuffer()
        for part in parts {
            var part = part
            part.withUTF8 { line.append(UnsafeRawBufferPointer($0)) }
        }
        [0].withUnsafeBytes { line.append(UnsafeRawBufferPointer(rebasing: $0[..<1])) }
        guard let start = line.start else { return false }
        guard let longer = curl_slist_append(list, start.assumingMemoryBound(to: CChar.self)) else { return false }
        list = longer
        return true
    }

    deinit {
        var next = list
        while let field = next {
            if let text = field.pointee.data { sekisho_client_wipe(text, strlen(text)) }
            next = field.pointee.next
        }
        curl_slist_free_all(list)
    }
}
