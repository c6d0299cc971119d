import VerificationCore

/// A report in a column: `envelope=passed;issuer_certificate=issuer_untrusted`. Checks that were not made are left out.
enum ReportText {
    private static let passed = "passed"

    static func write(_ report: Report) -> String {
        CheckName.allCases.compactMap { check in
            switch report[check] {
            case .passed: "\(check.rawValue)=\(passed)"
            case .failed(let reason): "\(check.rawValue)=\(reason.rawValue)"
            case .notChecked: nil
            }
        }.joined(separator: ";")
    }

    /// Reads a report. A word of neither set is damage: dropping it could turn a failure into no failure.
    static func read(_ text: String) throws(StoreError) -> Report {
        var report = Report()
        for entry in text.split(separator: ";") {
            let parts = entry.split(separator: "=")
            guard parts.count == 2, let check = CheckName(rawValue: String(parts[0])) else { throw .corrupt }
            if parts[1] == passed {
                report[check] = .passed
            } else if let reason = Reason(rawValue: String(parts[1])) {
                report[check] = .failed(reason)
            } else {
                throw .corrupt
            }
        }
        return report
    }
}
