import VerificationCore

/// What a provider sends at the end of a month, each in a form of its own, as providers do.
enum Invoice {
    /// The invoice of one provider as CSV (RFC 4180).
    static func csv(_ provider: ProviderName, _ charges: [Charge]) -> String {
        let lines = charges.filter { $0.provider == provider }.map { charge in
            switch provider {
            case .alpha:
                [
                    charge.reference, japanese(charge.at), charge.billableClass, charge.amount, charge.clientReference,
                ]
            case .beta:
                [
                    charge.reference, RFC3339.text(charge.at), charge.billableClass, charge.amount,
                    charge.clientReference,
                ]
            case .gamma:
                [charge.reference, String(charge.at.milliseconds / 1000), charge.billableClass, charge.amount]
            }
        }
        return ([header(provider)] + lines).map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func header(_ provider: ProviderName) -> [String] {
        switch provider {
        case .alpha: ["管理番号", "処理日時", "区分", "金額", "受付番号"]
        case .beta: ["verification", "charged_at", "item", "amount_jpy", "client_reference"]
        case .gamma: ["check_id", "unix_time", "code", "fee"]
        }
    }

    /// `YYYY/MM/DD HH:MM:SS` in Japan's time.
    static func japanese(_ time: Timestamp) -> String {
        let text = RFC3339.text(time.advanced(by: .seconds(9 * 3600)))
        return String(text.prefix(19).map { $0 == "-" ? "/" : $0 == "T" ? " " : $0 })
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.contains(where: { ",\"\r\n".contains($0) }) else { return cell }
        return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
