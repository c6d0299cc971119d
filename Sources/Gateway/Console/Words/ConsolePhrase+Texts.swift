extension ConsolePhrase {
    /// The sentence in both languages: English, then Japanese.
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
        case .cookieLost:
            (
                "The browser did not keep the session's cookie. It does so over https alone (or on localhost), and where cookies are allowed.",
                "ブラウザーがセッションのクッキーを保存しませんでした。https（または localhost）で接続し、クッキーを許可してください。"
            )
        case .tooManyAttempts:
            ("Too many failed attempts. Try again in %1 seconds.", "サインインの失敗が続いたため、%1秒後にもう一度お試しください。")
        case .noConsoleForApps: ("The key of an app opens nothing here.", "アプリのキーではコンソールを開けません。")
        case .budgets: ("Budgets", "予算")
        case .budgetsText:
            (
                "Promised is what open sessions may still use: at the hard limit a verifier gets no more of them. A call counts in the period in which it began.",
                "予約済みには、受付中のセッションが使う見込みを含みます。上限に達した検証者には新しいセッションを割り当てません。呼び出しは開始した期間に計上します。"
            )
        case .period: ("Period", "期間")
        case .counted: ("Counted", "計上するもの")
        case .used: ("Used", "使用済み")
        case .promised: ("Promised", "予約済みを含む")
        case .softLimit: ("Soft limit", "警告値")
        case .hardLimit: ("Hard limit", "上限")
        case .allOfThem: ("all", "すべて")
        case .withinBudget: ("within", "範囲内")
        case .softReached: ("soft limit reached", "警告値に到達")
        case .hardReached: ("hard limit reached", "上限に到達")
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
        case .inTime: ("Times are those of %1.", "時刻は %1 のものです。")
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
        case .lastMinute: ("Last minute", "直近1分")
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
        case .call: ("Call", "呼び出し")
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
        case .dayLeft: ("1 day left", "残り1日")
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
        case .usageOf: ("Usage and cost, %1", "利用と費用（%1）")
        case .month: ("Month", "月")
        case .previous: ("Previous:", "前の月：")
        case .next: ("Next:", "次の月：")
        case .monthClosed: ("Closed at %1 by %2. These figures do not change any more.", "%1に%2が締めました。この月の数字はもう変わりません。")
        case .closedUnsettled:
            (
                "%1 calls were open or uncertain when it was closed. What becomes of them is a correction of a later month.",
                "締めた時点で%1件の呼び出しが未了または結果不明でした。その後の結果は翌月以降の訂正になります。"
            )
        case .monthRuns: ("The month is not over: these figures grow.", "月の途中のため、数字はまだ変わります。")
        case .monthOpen: ("The month is over and not closed.", "月は終わっていますが、まだ締めていません。")
        case .noPrices:
            ("There are no prices for %1. Their calls are in no amount below.", "%1の価格が設定されていません。以下の金額には含まれません。")
        case .downloads: ("Downloads", "ダウンロード")
        case .csvByVerifier: ("CSV by provider", "CSV（提供者別）")
        case .csvByDay: ("CSV by provider and day", "CSV（提供者別・日別）")
        case .statement: ("Statement", "締めの明細書")
        case .closeMonth: ("Close %1", "%1を締める")
        case .closeLead:
            (
                "Closing freezes the month: its statement is written once and its hash goes into the ledger. It cannot be undone.",
                "締めると月の内容が確定します。明細書は一度だけ作成され、そのハッシュが台帳に記録されます。取り消しはできません。"
            )
        case .note: ("Note (optional)", "備考（任意）")
        case .noteHint:
            ("It is kept in the ledger for good. Write nothing about a person.", "台帳に永久に残ります。個人に関することは書かないでください。")
        case .closeWithUnsettled:
            ("Close it although calls are open or uncertain", "未了または結果不明の呼び出しがあっても締める")
        case .closeSure: ("I have compared the figures; close the month for good", "数字を確認しました。この月を確定します")
        case .notClosed: ("The month was not closed.", "月を締められませんでした。")
        case .notEnded: ("It has not ended everywhere that it is billed.", "課金の対象となるすべての時間帯で月が終わっていません。")
        case .closedAlready: ("It is closed already.", "すでに締められています。")
        case .closeFirst: ("Close %1 first: it has calls and is open.", "先に%1を締めてください（呼び出しがあり、まだ締めていません）。")
        case .overtaken:
            ("Events were written meanwhile, again and again. Try again.", "処理中に新しい記録が続いたためです。もう一度お試しください。")
        case .clocksDisagree:
            ("The machine's clocks disagree about the time.", "時計どうしが一致しないためです。")
        case .unsettledCall: ("The call that starts here is open or uncertain.", "ここから始まる呼び出しが未了または結果不明です。")
        case .notClosedUnsettled:
            (
                "The month was not closed: %1 calls are open or uncertain (%2 listed).",
                "月を締められませんでした。未了または結果不明の呼び出しが%1件あります（%2件を表示）。"
            )
        case .noCallsInMonth: ("There were no calls in this month.", "この月の呼び出しはありません。")
        case .expectedInvoices: ("What each provider should ask for", "提供者ごとの請求見込額")
        case .expectedInvoicesText:
            ("By the price book, each rounded once as an invoice is.", "価格表に基づく額です。請求書と同じく、端数処理は一度だけ行います。")
        case .perProvider: ("By provider", "提供者別")
        case .perProviderText:
            (
                "Exact amounts before tax; flat fees and minimum fees are in the table above. Half, and 95 in 100, of the submissions took no longer than the times beside them.",
                "税抜きの正確な金額です。定額料金と最低料金は上の表に含まれます。応答時間は、提出の50%と95%が収まった値です。"
            )
        case .perDay: ("By day", "日別")
        case .attempts: ("Attempts", "試行")
        case .amountIn: ("Amount before tax, %1", "税抜きの金額（%1）")
        case .totalToPay: ("To pay, with tax", "支払見込額（税込）")
        case .taxIncluded: ("of it %1 tax", "うち税額 %1")
        case .verified: ("Verified", "確認済み")
        case .rejected: ("Rejected", "不合格")
        case .failedCount: ("Failed", "失敗")
        case .costPerVerified: ("Cost per verified session", "確認済み1件あたりの費用")
        case .primaryOnly: ("before tax, without fallbacks and shadows", "税抜き、代替と並行確認を除く")
        case .uncertain: ("Uncertain", "結果不明")
        case .uncertainText: ("may have billed; in no amount", "課金の可能性あり（金額には含まれません）")
        case .unpriced: ("Unpriced", "価格未設定")
        case .unpricedText: ("have no price; in no amount", "価格がないため金額には含まれません")
        case .billable: ("Billable", "課金対象")
        case .terms: ("Flat fee and minimum", "定額・最低料金の分")
        case .net: ("Before tax", "税抜き")
        case .tax: ("Tax", "税額")
        case .total: ("Total", "合計")
        case .sum: ("Sum", "合計")
        case .amount: ("Amount", "金額")
        case .day: ("Day", "日")
        case .corrections: ("Corrections", "訂正")
        case .correctionsText:
            (
                "Money that this month settles for months that are closed, or that was agreed with a provider. It is in no amount above.",
                "締めた月の分としてこの月に精算する額、または提供者と合意した額です。上の金額には含まれません。"
            )
        case .lateUnpriced: ("%1 late calls have no price.", "遅れて確定した呼び出しのうち%1件には価格がありません。")
        case .correctedMonth: ("Month corrected", "訂正の対象月")
        case .adjustment: ("adjustment", "調整")
        case .lateCall: ("settled late", "遅れて確定")
        case .half: ("Half within", "50%の応答時間")
        case .most: ("95 in 100 within", "95%の応答時間")
        case .others: ("others", "その他")
        case .attemptsPerDay: ("Attempts a day by provider", "提供者別の1日あたりの試行数")
        case .amountPerDay: ("Amount a day by provider, %1", "提供者別の1日あたりの金額（%1）")
        case .sameAsTable: ("The same figures stand in the table by day.", "同じ数字が日別の表にあります。")
        case .loadInvoice: ("Compare an invoice", "請求書との照合")
        case .noInvoiceFormats:
            ("No manifest says what its provider's invoice looks like.", "請求書の形式を定めたマニフェストがありません。")
        case .loadInvoiceLead:
            (
                "Load the provider's invoice for this month as CSV. Every line is compared with the ledger; nothing is written until you agree.",
                "この月の請求書をCSVで読み込むと、すべての行を台帳と照合します。同意するまで何も記録されません。"
            )
        case .invoiceFile: ("Invoice (CSV)", "請求書（CSV）")
        case .compare: ("Compare", "照合する")
        case .invoiceUnreadable: ("The invoice could not be read.", "請求書を読み取れませんでした。")
        case .invoiceOf: ("Invoice of %1 for %2", "%1の請求書（%2）")
        case .backToMonth: ("Back to %1", "%1へ戻る")
        case .accepted: ("Corrections written to the ledger: %1.", "%1件の訂正を台帳に記録しました。")
        case .invoiceAgrees: ("All %1 lines agree with the ledger.", "%1行すべてが台帳と一致しました。")
        case .invoiceDiffers: ("Of the %1 lines and our calls, not all agree.", "請求書の%1行と台帳の呼び出しに、一致しないものがあります。")
        case .differencesFile: ("Differences as CSV", "差異のCSV")
        case .totalsByClass: ("Totals by class", "区分ごとの合計")
        case .finding: ("Class", "区分")
        case .meaning: ("Meaning", "意味")
        case .lines: ("Lines", "行数")
        case .difference: ("Difference", "差額")
        case .lineOfInvoice: ("Line", "行")
        case .theirs: ("Invoice", "請求書")
        case .ours: ("Ledger", "台帳")
        case .moreInFile: ("%1 more are in the CSV.", "ほか%1件はCSVに含まれます。")
        case .accept: ("Accept the invoice's account", "請求書の内容を受け入れる")
        case .acceptLead:
            (
                "For the classes that you choose, corrections are written that bring our account to the invoice's. What you do not choose stays as it is, to be talked about with the provider.",
                "選んだ区分について、台帳を請求書に合わせる訂正を記録します。選ばない区分はそのまま残り、提供者との協議の対象になります。"
            )
        case .acceptWhich: ("Classes", "区分")
        case .acceptNote: ("Why", "理由")
        case .meansMatched: ("Both sides say the same.", "双方が一致しています。")
        case .meansAmountDiffers: ("The same call, another amount or quantity.", "同じ呼び出しで、金額または数量が異なります。")
        case .meansMonthDiffers: ("The same call, in another month by our calendar.", "同じ呼び出しですが、こちらの暦では別の月です。")
        case .meansTheirsOnly: ("On the invoice, and not billed by our account.", "請求書にあり、台帳では課金されていません。")
        case .meansOursOnly: ("With us, and not on the invoice.", "台帳にあり、請求書にはありません。")
        case .meansDuplicate: ("Billed once more for the same call.", "同じ呼び出しが重ねて請求されています。")
        case .meansUncertain:
            ("A call whose answer was lost: the invoice says what became of it.", "結果不明だった呼び出しについて、請求書から結果が分かりました。")
        case .meansUnpriced: ("The same call; our price book has no price for it.", "同じ呼び出しですが、価格表に価格がありません。")
        case .auditLead:
            (
                "Who did and saw what, and what happened by itself. Nothing of a person stands here; looking at this page is written down too.",
                "誰が何を行い、何を閲覧したか、また自動的に何が起きたかの記録です。個人に関することは含まれません。このページの閲覧も記録されます。"
            )
        case .chain: ("The chain", "記録の連鎖")
        case .chainHolds: ("The chain holds: all %1 events are as they were written.", "連鎖は正常です。%1件の記録はすべて書き込まれたままです。")
        case .chainPartly:
            (
                "So far the chain holds: %1 of %2 events are proved. Prove it as a whole to see the rest.",
                "ここまでの連鎖は正常です（%2件のうち%1件を検証済み）。残りは全体の検証で確認してください。"
            )
        case .chainBroken:
            (
                "The chain is broken. The first event that is changed, missing or out of place: %1.",
                "連鎖が壊れています。変更・欠落・順序の誤りがある最初の記録は%1番です。"
            )
        case .chainSince: ("Proved from the first event at", "最初の記録からの検証")
        case .chainHead: ("Hash of event %1", "記録%1番のハッシュ")
        case .chainText:
            (
                "Write the hash down somewhere else, dated: it shows later that the end of the chain was not cut off. A whole proof also finds what was changed since the last one.",
                "ハッシュを日付とともに別の場所に控えてください。連鎖の末尾が切り取られていないことを後で示せます。前回の検証後の改変は、全体の検証で見つかります。"
            )
        case .proveAnew: ("Prove the whole chain", "連鎖全体を検証する")
        case .auditEvents: ("Events, newest first", "記録（新しい順）")
        case .noAuditEvents: ("No event matches.", "該当する記録はありません。")
        case .auditFile: ("Up to %1 of these as JSON", "この条件の記録をJSONで保存（最大%1件）")
        case .action: ("Action", "行為")
        case .actor: ("By", "行為者")
        case .actorHint:
            (
                "A client's name; gateway for what happened by itself, system for a start or a signal.",
                "クライアント名です。ゲートウェイ自身が行ったものは gateway、起動や外部からの指示は system です。"
            )
        case .sequence: ("No.", "番号")
        case .hash: ("Hash", "ハッシュ")
        case .auditCount: ("How many", "件数")
        }
    }
}
