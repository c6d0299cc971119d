/// Every sentence of the console. The switch beside it makes a missing one an error of the compiler.
enum ConsolePhrase: Sendable, CaseIterable {
    case product, skip, navigation, language, otherLanguage, signedInAs, signOut
    case signIn, signInLead, key, keyHint, keyWrong, tooManyAttempts, noConsoleForApps
    case overview, sessions, usage, audit
    case forbidden, forbiddenLead, notFound, notFoundLead, failed, failedLead, refused, refusedLead, formExpired
    case toStart, inTime
    case sessionsPerMinute, sessionsPerMinuteText, created, minute, nothingHappened, asTable, sinceStart
    case lastMinutes, latency, latencyText, median, in95, in99, submissions, window, underMilliseconds, beyond
    case verifiers, verifier, kind, ready, yes, no, circuit, held, running, calls, failures, lastFailure, simulated
    case circuitsText, openSessions, tryAgainAt, heldUntil
    case certifications, certification, holder, program, number, validUntil, daysLeft, daysOver, none, noneCertified
    case keys, keysText, keyName, keyUse, keySeals, keyOpens, keyReceives, alarms, alarm, subject, noAlarms
    case configuration, configurationVersion, loadedAt, lastReload, neverReloaded, reloadApplied, reloadRefused
    case problem, place, line, storeReady, storeNotReady, clockDisputed, state, configurationDocument
    case search, searchLead, sessionID, reference, status, reason, any, show, found, noneFound, older, client, purpose
    case createdAt, endedAt, referenceHint, invalidSearch
    case session, summary, checks, check, outcome, why, callsOfSession, callsOfSessionText, at, role, event, billed
    case verdictFrom, documentType, rule, passedOver, submittedAt, expiresAt, failure, cancelled, erasedAt, waiting
    case back, noChecksYet, noCalls, quantity, providerReference, noClaimsHere

    var texts: ConsoleTexts {
        switch self {
        case .product: ("Sekisho console", "関所コンソール")
        case .skip: ("Skip to content", "本文へ移動")
        case .navigation: ("Pages", "ページ一覧")
        case .language: ("Language", "表示言語")
        case .otherLanguage: ("日本語", "English")
        case .signedInAs: ("Signed in as %1 (%2)", "%1（%2）としてサインイン中")
        case .signOut: ("Sign out", "サインアウト")
        case .signIn: ("Sign in", "サインイン")
        case .signInLead:
            (
                "Use the key of an operator, finance or auditor client. The key is not kept: it opens a session that ends after 30 minutes without use, and after 8 hours in any case.",
                "運用・経理・監査いずれかのクライアントのキーを入力してください。キーは保存されません。30分間操作がないか、8時間が過ぎるとセッションは終了します。"
            )
        case .key: ("Client key", "クライアントキー")
        case .keyHint: ("The same key that the client sends as Bearer token.", "Bearer トークンとして送るものと同じキーです。")
        case .keyWrong: ("No client that may use the console has this key.", "このキーでコンソールを利用できるクライアントはありません。")
        case .tooManyAttempts:
            ("Too many failed attempts. Try again in %1 seconds.", "サインインの失敗が続いたため、%1秒後にもう一度お試しください。")
        case .noConsoleForApps: ("The key of an app opens nothing here.", "アプリのキーではコンソールを開けません。")
        case .overview: ("Overview", "概況")
        case .sessions: ("Sessions", "セッション")
        case .usage: ("Usage", "利用と費用")
        case .audit: ("Audit", "監査")
        case .forbidden: ("Not yours to see", "閲覧できません")
        case .forbiddenLead: ("This page belongs to another role.", "このページは別の役割のためのものです。")
        case .notFound: ("Not found", "見つかりません")
        case .notFoundLead: ("There is nothing at this address.", "このアドレスには何もありません。")
        case .failed: ("It did not work", "処理できませんでした")
        case .failedLead:
            (
                "The gateway could not answer. Nothing was changed. Try again; the log has the request %1.",
                "ゲートウェイが応答できませんでした。何も変更されていません。もう一度お試しください。ログのリクエスト番号は %1 です。"
            )
        case .refused: ("Not understood", "受け付けられません")
        case .refusedLead: ("The request was not one that this page makes.", "このページから送られる形式のリクエストではありません。")
        case .formExpired:
            (
                "The form is no longer valid. Nothing was changed. Open the page again and repeat it.",
                "フォームの有効期限が切れています。何も変更されていません。ページを開き直してやり直してください。"
            )
        case .toStart: ("Go to the start page", "最初のページへ")
        case .inTime: ("Times are Japan Standard Time.", "時刻は日本標準時です。")
        case .sessionsPerMinute: ("Sessions a minute", "毎分のセッション数")
        case .sessionsPerMinuteText:
            (
                "Sessions that ended in each of the last 60 minutes, by status. %1 ended in all.",
                "直近60分間に終了したセッションの状態別の数です。合計は%1件です。"
            )
        case .created: ("Created", "作成")
        case .minute: ("Minute", "時刻（分）")
        case .nothingHappened: ("No session ended in the last 60 minutes.", "直近60分間に終了したセッションはありません。")
        case .asTable: ("The same as a table", "同じ内容の表")
        case .sinceStart: ("Counted since this process began.", "このプロセスの起動後に数えたものです。")
        case .lastMinutes: ("Last %1 minutes", "直近%1分")
        case .latency: ("Latency of submissions", "検証の応答時間")
        case .latencyText:
            ("From the submission's arrival to its answer.", "提出を受け取ってから応答するまでの時間です。")
        case .median: ("Half took less than", "半数が下回った時間")
        case .in95: ("95 in 100 took less than", "95%が下回った時間")
        case .in99: ("99 in 100 took less than", "99%が下回った時間")
        case .submissions: ("Submissions", "提出数")
        case .window: ("Window", "期間")
        case .underMilliseconds: ("%1 ms", "%1ミリ秒")
        case .beyond: ("more than 30 s", "30秒超")
        case .verifiers: ("Verifiers and their circuits", "検証者とサーキット")
        case .verifier: ("Verifier", "検証者")
        case .kind: ("Kind", "種別")
        case .ready: ("Ready", "準備")
        case .yes: ("yes", "はい")
        case .no: ("no", "いいえ")
        case .circuit: ("Circuit", "サーキット")
        case .held: ("Held by an operator", "運用者による固定")
        case .running: ("Running", "実行中")
        case .calls: ("Calls", "呼び出し")
        case .failures: ("Failures", "失敗")
        case .lastFailure: ("Last failure", "直近の失敗")
        case .simulated: ("simulated", "模擬")
        case .circuitsText:
            (
                "Calls and failures are those of each circuit's own window.",
                "呼び出しと失敗は、それぞれのサーキットの集計期間内の数です。"
            )
        case .openSessions: ("Open sessions", "進行中のセッション")
        case .tryAgainAt: ("tried again at %1", "%1に再試行")
        case .heldUntil: ("until %1: %2", "%1まで：%2")
        case .certifications: ("Certifications", "認定")
        case .certification: ("Certification", "認定")
        case .holder: ("Holder", "認定を受けた者")
        case .program: ("Program", "プログラム")
        case .number: ("Number", "番号")
        case .validUntil: ("Valid until", "有効期限")
        case .daysLeft: ("%1 days left", "残り%1日")
        case .daysOver: ("ended %1 days ago", "%1日前に終了")
        case .none: ("none", "なし")
        case .noneCertified: ("No verifier has a certification.", "認定のある検証者はありません。")
        case .keys: ("Keys", "鍵")
        case .keysText:
            ("Keys are shown by name or digest, never themselves.", "鍵そのものは表示されず、名前またはダイジェストだけが示されます。")
        case .keyName: ("Key", "鍵")
        case .keyUse: ("Use", "用途")
        case .keySeals: ("seals and opens sessions", "セッションの封印と開封")
        case .keyOpens: ("only opens older sessions", "古いセッションの開封のみ")
        case .keyReceives: ("receives what the wallet seals (%1)", "ウォレットからの暗号文の受信（%1）")
        case .alarms: ("Alarms", "警告")
        case .alarm: ("Alarm", "警告")
        case .subject: ("About", "対象")
        case .noAlarms: ("No verifier gives alarm.", "警告はありません。")
        case .configuration: ("Running configuration", "稼働中の設定")
        case .configurationVersion: ("Version", "バージョン")
        case .loadedAt: ("Loaded", "読み込み")
        case .lastReload: ("Last reload", "直近の再読み込み")
        case .neverReloaded: ("not reloaded since the start", "起動後の再読み込みなし")
        case .reloadApplied: ("applied at %1", "%1に適用")
        case .reloadRefused:
            ("refused at %1: what ran before goes on", "%1に却下（以前の設定で稼働中）")
        case .problem: ("Problem", "問題点")
        case .place: ("Place", "場所")
        case .line: ("Line", "行")
        case .storeReady: ("The store takes writes.", "保存先は書き込み可能です。")
        case .storeNotReady: ("The store does not take writes.", "保存先に書き込めません。")
        case .clockDisputed:
            (
                "Wall clock and monotonic clock disagree: housekeeping pauses.",
                "時計どうしが一致しないため、定期処理を停止しています。"
            )
        case .state: ("State", "状態")
        case .configurationDocument: ("The whole configuration, without secrets", "設定の全文（秘密情報を除く）")
        case .search: ("Search", "検索")
        case .searchLead:
            ("What is left empty is not looked at. Newest first.", "空欄の項目は条件になりません。新しい順に表示します。")
        case .sessionID: ("Session", "セッションID")
        case .reference: ("App's reference", "アプリの参照番号")
        case .status: ("Status", "状態")
        case .reason: ("Reason", "理由")
        case .any: ("any", "すべて")
        case .show: ("Show", "表示")
        case .found: ("Sessions found", "検索結果")
        case .noneFound: ("No session matches.", "該当するセッションはありません。")
        case .older: ("Older", "さらに古いもの")
        case .client: ("Client", "クライアント")
        case .purpose: ("Purpose", "目的")
        case .createdAt: ("Created", "作成")
        case .endedAt: ("Ended", "終了")
        case .referenceHint:
            (
                "Looked up by digest; it is not shown, and not written to any address or log.",
                "ダイジェストで照合します。表示されず、アドレスやログにも残りません。"
            )
        case .invalidSearch: ("The search was not understood: %1", "検索条件を解釈できません：%1")
        case .session: ("Session %1", "セッション %1")
        case .summary: ("Summary", "要約")
        case .checks: ("Checks, in order", "確認の結果（順番どおり）")
        case .check: ("Check", "確認事項")
        case .outcome: ("Outcome", "結果")
        case .why: ("Why", "理由")
        case .callsOfSession: ("Calls to verifiers", "検証者への呼び出し")
        case .callsOfSessionText: ("As the ledger has them.", "台帳の記録のとおりです。")
        case .at: ("At", "時刻")
        case .role: ("Role", "役割")
        case .event: ("Event", "事象")
        case .billed: ("Billed as", "課金区分")
        case .verdictFrom: ("Verdict from", "判定した検証者")
        case .documentType: ("Document", "書類")
        case .rule: ("Routing rule", "経路の規則")
        case .passedOver: ("Passed over", "見送った検証者")
        case .submittedAt: ("Submitted", "提出")
        case .expiresAt: ("Takes a submission until", "提出期限")
        case .failure: ("Failure", "失敗の理由")
        case .cancelled: ("Cancelled because", "取り消しの理由")
        case .erasedAt: ("Erased", "消去")
        case .waiting: ("Waits for", "待機中")
        case .back: ("Back to the list", "一覧へ戻る")
        case .noChecksYet: ("There is no verdict, so no check has an outcome.", "判定がないため、確認の結果はありません。")
        case .noCalls: ("No call was made.", "呼び出しはありません。")
        case .quantity: ("Quantity", "数量")
        case .providerReference: ("Provider's reference", "提供者の参照番号")
        case .noClaimsHere:
            (
                "What was confirmed about the person is the app's alone and is not on this page.",
                "本人について確認された内容はアプリだけのもので、このページにはありません。"
            )
        }
    }
}
