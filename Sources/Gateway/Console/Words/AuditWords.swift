import VerificationCore

extension AuditDraft.Action: ConsoleNamed {
    var texts: ConsoleTexts {
        switch self {
        case .gatewayStarted: ("Gateway started", "ゲートウェイの起動")
        case .configurationReloaded: ("Configuration reloaded", "設定の再読み込み")
        case .circuitSet: ("Circuit set", "サーキットの操作")
        case .messageRetried: ("Message tried again", "通知の再送")
        case .sessionsSearched: ("Sessions searched", "セッションの検索")
        case .checksRead: ("Course of a session read", "セッションの経過の閲覧")
        case .recordRead: ("Record of a session read", "確認記録の閲覧")
        case .deletionRead: ("Certificate of an erasure read", "消去証明の閲覧")
        case .usageRead: ("Usage read", "利用実績の閲覧")
        case .usageDownloaded: ("Usage downloaded", "利用実績のダウンロード")
        case .monthClosed: ("Month closed", "月の締め")
        case .invoiceReconciled: ("Invoice compared", "請求書の照合")
        case .adjustmentsAccepted: ("Differences accepted", "差異の受け入れ")
        case .budgetReached: ("Budget reached or changed", "予算の到達または変更")
        case .signedIn: ("Signed in to the console", "コンソールへのサインイン")
        case .signedOut: ("Signed out of the console", "コンソールからのサインアウト")
        case .auditRead: ("Audit chain read", "監査記録の閲覧")
        case .sessionErased: ("Session erased", "セッションの消去")
        case .providerErased: ("Provider told to erase", "提供者への消去依頼")
        case .sessionsPurged: ("Sessions removed", "セッションの削除")
        case .contractStarted: ("Contract started", "契約の開始")
        case .contractEnded: ("Contract ended", "契約の終了")
        case .holdPlaced: ("Legal hold placed", "保全の設定")
        case .holdReleased: ("Legal hold lifted", "保全の解除")
        case .incident: ("Incident", "要調査の事象")
        }
    }
}

/// The outcomes and reasons of audit events that have words. Others are shown as the codes that they are.
enum AuditCode: String, Sendable, CaseIterable, ConsoleNamed {
    case console, asked, failed
    case applied, refused
    case heldOpen = "held_open"
    case heldClosed = "held_closed"
    case automatic
    case requested, retention, purge
    case erased
    case givenUp = "given_up"
    case individualNumberReceived = "individual_number_received"
    case unrequestedElementReceived = "unrequested_element_received"
    case litigation
    case authorityRequest = "authority_request"
    case investigation, audit, other
    case app, auditor

    var texts: ConsoleTexts {
        switch self {
        case .console: ("on the console", "コンソールから")
        case .asked: ("asked for", "要求")
        case .failed: ("failed", "失敗")
        case .applied: ("applied", "適用")
        case .refused: ("refused", "却下")
        case .heldOpen: ("held open", "開に固定")
        case .heldClosed: ("held closed", "閉に固定")
        case .automatic: ("automatic again", "自動に戻す")
        case .requested: ("its app asked", "アプリの要求")
        case .retention: ("its time was over", "保存期間の終了")
        case .purge: ("removed before", "削除に伴う消去")
        case .erased: ("erased", "消去済み")
        case .givenUp: ("given up", "断念")
        case .individualNumberReceived: ("an Individual Number arrived and was dropped", "個人番号が届いたため破棄")
        case .unrequestedElementReceived: ("an element that was not asked for was dropped", "求めていない項目が届いたため破棄")
        case .litigation: ("lawsuit", "訴訟")
        case .authorityRequest: ("an authority asked", "当局の要請")
        case .investigation: ("investigation", "調査")
        case .audit: ("audit", "監査")
        case .other: ("other", "その他")
        case .app: ("an app", "アプリ")
        case .auditor: ("an auditor", "監査")
        }
    }
}
