import CMicrohttpd
import Glibc

/// An answer as bytes, for the moments in which libmicrohttpd cannot give one.
enum WireResponse {
    static func bytes(_ response: HTTPResponse, withBody: Bool) -> [UInt8] {
        let phrase = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) } ?? "Refused"
        var text = "HTTP/1.1 \(response.status) \(phrase)\r\nConnection: close\r\nDate: \(date(time(nil)))\r\n"
        for (name, value) in response.endToEndHeaders { text += "\(name): \(value)\r\n" }
        text += "Content-Length: \(response.body.count)\r\n\r\n"
        return Array(text.utf8) + (withBody ? response.body : [])
    }

    /// IMF-fixdate (RFC 9110 §5.6.7).
    static func date(_ seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1900) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
