import Billing
import Routing
import VerificationCore

extension SessionStatus: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .created: ("created", "作成済み")
        case .processing: ("processing", "検証中")
        case .verified: ("verified", "確認済み")
        case .rejected: ("rejected", "不合格")
        case .failed: ("failed", "失敗")
        case .expired: ("expired", "期限切れ")
        case .cancelled: ("cancelled", "取り消し")
        }
    }
}

extension Client.Role: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .app: ("app", "アプリ")
        case .operator: ("operator", "運用")
        case .finance: ("finance", "経理")
        case .auditor: ("auditor", "監査")
        }
    }
}

extension CircuitSnapshot.Name: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .closed: ("closed: calls pass", "閉（通常どおり）")
        case .open: ("open: calls are kept away", "開（遮断中）")
        case .halfOpen: ("half open: being tried", "半開（試行中）")
        }
    }
}

extension Circuit.Hold.Position: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .open: ("held open", "開に固定")
        case .closed: ("held closed", "閉に固定")
        }
    }
}

extension CheckName: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .envelope: ("Envelope's form", "暗号封筒の形式")
        case .recipientKey: ("Key it is sealed to", "宛先の鍵")
        case .sessionBinding: ("Made for this session", "このセッションとの結び付き")
        case .decryption: ("Decryption", "復号")
        case .deviceResponse: ("Structure of the answer", "応答の構造")
        case .documentType: ("Document type", "書類の種類")
        case .issuerCertificate: ("Issuer's certificate", "発行者の証明書")
        case .issuerSignature: ("Issuer's signature", "発行者の署名")
        case .validity: ("Validity of the document", "書類の有効期間")
        case .digests: ("Digests of the items", "項目のダイジェスト")
        case .deviceSignature: ("Device's signature", "端末の署名")
        case .revocation: ("Revocation", "失効の確認")
        case .elements: ("Required elements", "必要な項目")
        case .providerVerdict: ("Provider's verdict", "提供者の判定")
        }
    }
}

extension CheckOutcome: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .passed: ("passed", "合格")
        case .failed: ("failed", "不合格")
        case .notChecked: ("not checked", "未確認")
        }
    }
}

extension Reason: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .evidenceMalformed: ("What was submitted is not well formed.", "提出された内容の形式が正しくありません。")
        case .envelopeUnsupported: ("The envelope is of a kind that is not supported.", "対応していない形式の暗号封筒です。")
        case .recipientKeyUnknown:
            ("It is sealed to a key that this verifier does not have.", "この検証者が持たない鍵に宛てて暗号化されています。")
        case .sessionMismatch: ("It was made for another session.", "別のセッションのために作られたものです。")
        case .decryptionFailed: ("It could not be decrypted.", "復号できませんでした。")
        case .algorithmUnsupported: ("It uses an algorithm that is not accepted.", "受け付けない暗号方式が使われています。")
        case .documentTypeMismatch: ("It is not the document that was asked for.", "求めた種類の書類ではありません。")
        case .issuerCertificateMissing: ("The issuer's certificate is missing.", "発行者の証明書がありません。")
        case .issuerUntrusted: ("The issuer is not one that is trusted.", "信頼する発行者によるものではありません。")
        case .issuerCertificateInvalid: ("The issuer's certificate is not valid.", "発行者の証明書が正しくありません。")
        case .issuerCertificateExpired: ("The issuer's certificate has expired.", "発行者の証明書の有効期限が切れています。")
        case .issuerSignatureInvalid: ("The issuer's signature does not hold.", "発行者の署名を確認できません。")
        case .documentNotYetValid: ("The document is not valid yet.", "書類の有効期間がまだ始まっていません。")
        case .documentExpired: ("The document has expired.", "書類の有効期限が切れています。")
        case .validityInconsistent: ("The document's dates contradict each other.", "書類の日付どうしが矛盾しています。")
        case .digestMismatch: ("An item is not the one that the issuer signed.", "項目の内容が発行者の署名したものと一致しません。")
        case .elementDuplicated: ("An element stands there twice.", "同じ項目が重複しています。")
        case .deviceSignatureInvalid: ("The device's signature does not hold.", "端末の署名を確認できません。")
        case .issuerCertificateRevoked: ("The issuer's certificate was revoked.", "発行者の証明書が失効しています。")
        case .documentRevoked: ("The document was revoked.", "書類が失効しています。")
        case .elementMissing: ("Something that the purpose requires is missing.", "目的に必要な項目が足りません。")
        case .providerRejected: ("The provider said no.", "提供者が不合格と判定しました。")
        }
    }
}

extension FailureCode: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .interrupted: ("The gateway stopped while it verified.", "検証中にゲートウェイが停止しました。")
        case .providerTimeout: ("The verifier gave no answer in time.", "期限までに検証者の応答がありませんでした。")
        case .providerUnavailable: ("The verifier could not be reached.", "検証者に接続できませんでした。")
        case .providerProtocolError:
            ("The verifier answered something that is not understood.", "検証者の応答を解釈できませんでした。")
        case .revocationUnavailable: ("Revocation data was not to be had.", "失効情報を取得できませんでした。")
        case .verifierGone: ("The verifier is gone or has changed.", "検証者がなくなったか、変更されました。")
        case .internal: ("A fault of the gateway's own.", "ゲートウェイ内部の不具合です。")
        }
    }
}

extension OutageReason: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .unsuitable: ("not configured for the document", "この書類に対応する設定がない")
        case .circuitOpen: ("circuit open", "サーキットが開")
        case .heldOpen: ("held open by an operator", "運用者が開に固定")
        case .concurrencyFull: ("as many calls run as may", "同時実行数の上限")
        case .certificationNotCurrent: ("no current certification", "有効な認定がない")
        case .notReady: ("not ready", "準備ができていない")
        case .beginFailed: ("could not begin the session", "セッションを開始できなかった")
        case .budgetSpent: ("budget spent", "予算の上限に到達")
        }
    }
}

extension AttemptRole: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .primary: ("primary", "主")
        case .fallback: ("fallback", "代替")
        case .shadow: ("shadow", "並行確認")
        }
    }
}

extension AttemptOutcome: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .verified: ("verified", "確認済み")
        case .rejected: ("rejected", "不合格")
        case .failed: ("failed", "失敗")
        }
    }
}

extension BillableClass: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .sessionCreated: ("session created", "セッション作成")
        case .evidenceSubmitted: ("evidence submitted", "証拠の提出")
        case .completedAny: ("verdict reached", "判定の完了")
        case .completedPass: ("verified", "合格の判定")
        case .completedFail: ("rejected", "不合格の判定")
        case .resubmission: ("resubmission", "再提出")
        case .statusCheck: ("status check", "状態の照会")
        case .dataRefetch: ("data fetched again", "データの再取得")
        case .nonBillable: ("not billable", "課金対象外")
        }
    }
}

extension LedgerDraft.Kind: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .started: ("started", "開始")
        case .ended: ("ended", "終了")
        case .uncertain: ("uncertain", "結果不明")
        case .resolved: ("resolved", "解決")
        case .adjusted: ("adjusted", "調整")
        case .closed: ("closed", "締め")
        }
    }
}

extension Reconciliation.Class: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .matched: ("Matched", "一致")
        case .amountDiffers: ("Amount differs", "金額の差異")
        case .monthDiffers: ("Month differs", "月の差異")
        case .theirsOnly: ("Theirs only", "請求書のみ")
        case .oursOnly: ("Ours only", "台帳のみ")
        case .duplicateAtTheirs: ("Duplicate at theirs", "請求の重複")
        case .uncertainResolved: ("Uncertain, now resolved", "結果不明の解決")
        case .unpricedAtOurs: ("Unpriced at ours", "価格未設定")
        }
    }

    /// What it means, in a sentence.
    var meaning: ConsolePhrase {
        switch self {
        case .matched: .meansMatched
        case .amountDiffers: .meansAmountDiffers
        case .monthDiffers: .meansMonthDiffers
        case .theirsOnly: .meansTheirsOnly
        case .oursOnly: .meansOursOnly
        case .duplicateAtTheirs: .meansDuplicate
        case .uncertainResolved: .meansUncertain
        case .unpricedAtOurs: .meansUnpriced
        }
    }
}
