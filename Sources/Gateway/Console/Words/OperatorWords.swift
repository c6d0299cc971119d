import Billing
import Routing
import VerificationCore

extension CircuitFailure: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .providerUnavailable: FailureCode.providerUnavailable.texts
        case .providerTimeout: FailureCode.providerTimeout.texts
        case .providerProtocolError: FailureCode.providerProtocolError.texts
        }
    }
}

extension VerificationStep: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .begin: ("to be begun", "検証の開始")
        case .submit: ("to be handed over", "証拠の引き渡し")
        case .poll: ("the provider's verdict", "提供者の判定")
        case .fetch: ("what became of a lost answer", "失われた応答の結果")
        case .erase: ("the provider's erasure", "提供者での消去")
        }
    }
}

extension CancelSession.Outcome: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .userDeclined: ("The person declined.", "本人が提示しませんでした。")
        case .documentUnavailable: ("The document was not in the wallet.", "ウォレットに書類がありませんでした。")
        case .walletError: ("The wallet had an error.", "ウォレットでエラーが起きました。")
        case .other: ("Something else.", "その他の理由です。")
        }
    }
}

/// The kinds of verifiers that have words; another is shown as the code that it is.
enum VerifierKind: String, Sendable, CaseIterable, ConsoleNamed {
    case inHouse = "in_house"
    case certified

    var texts: ConsoleTexts {
        switch self {
        case .inHouse: ("in-house", "自社検証")
        case .certified: ("certified provider", "認定提供者")
        }
    }
}

/// Alarms of verifiers that have words; another is shown as the code that it is.
enum AlarmCode: String, Sendable, CaseIterable, ConsoleNamed {
    case trustAnchorExpired = "trust_anchor_expired"
    case trustAnchorExpiring = "trust_anchor_expiring"
    case trustAnchorNotYetValid = "trust_anchor_not_yet_valid"
    case revocationListStale = "revocation_list_stale"
    case revocationListUnattributed = "revocation_list_unattributed"
    case revocationListFetchFailed = "revocation_list_fetch_failed"
    case revocationListMissing = "revocation_list_missing"
    case walletCertificateNotYetValid = "wallet_certificate_not_yet_valid"
    case walletCertificateExpired = "wallet_certificate_expired"
    case walletCertificateExpiring = "wallet_certificate_expiring"

    var texts: ConsoleTexts {
        switch self {
        case .trustAnchorExpired: ("A trust anchor has expired.", "信頼の起点となる証明書の有効期限が切れています。")
        case .trustAnchorExpiring: ("A trust anchor expires soon.", "信頼の起点となる証明書の有効期限が近づいています。")
        case .trustAnchorNotYetValid: ("A trust anchor is not valid yet.", "信頼の起点となる証明書の有効期間がまだ始まっていません。")
        case .revocationListStale: ("A revocation list is too old.", "失効リストが古くなっています。")
        case .revocationListUnattributed: ("A revocation list is no anchor's.", "失効リストの発行者が信頼の起点にありません。")
        case .revocationListFetchFailed: ("A revocation list could not be fetched.", "失効リストを取得できませんでした。")
        case .revocationListMissing: ("A revocation list is missing.", "失効リストがありません。")
        case .walletCertificateNotYetValid:
            ("A wallet key's certificate is not valid yet.", "ウォレット鍵の証明書の有効期間がまだ始まっていません。")
        case .walletCertificateExpired: ("A wallet key's certificate has expired.", "ウォレット鍵の証明書の有効期限が切れています。")
        case .walletCertificateExpiring: ("A wallet key's certificate expires soon.", "ウォレット鍵の証明書の有効期限が近づいています。")
        }
    }
}

extension InvoiceReader.Problem.Code: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .notInEncoding: ("not in the encoding that the manifest names", "マニフェストの文字コードと異なる")
        case .tooLarge: ("too large", "ファイルが大きすぎる")
        case .tooManyLines: ("too many lines", "行数が多すぎる")
        case .notCSV: ("no CSV", "CSVとして読めない")
        case .columnMissing: ("a column is missing", "列がない")
        case .columnTwice: ("a column stands there twice", "同じ列が重複している")
        case .cellMissing: ("a cell is missing", "値がない")
        case .cellUnnamed: ("a cell more than there are columns", "列名のない値がある")
        case .timeUnreadable: ("the time cannot be read", "日時を読み取れない")
        case .amountUnreadable: ("the amount cannot be read", "金額を読み取れない")
        case .quantityUnreadable: ("the quantity cannot be read", "数量を読み取れない")
        case .classUnknown: ("the class is not in the manifest", "区分がマニフェストにない")
        case .referenceMissing: ("the reference is missing", "参照番号がない")
        }
    }
}
