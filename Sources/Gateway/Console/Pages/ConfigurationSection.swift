import VerificationCore

/// The keys, by name or digest.
struct KeysSection: Sendable {
    /// Digits of a digest that tell two keys apart.
    private static let digits = 16

    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }

    var html: HTML {
        let running = visit.service.current
        let sealing = running.keys.all.map { key -> [DataTable.Cell] in
            [.code(key.id), .init(words(key.id == running.keys.current.id ? .keySeals : .keyOpens))]
        }
        let receiving = running.verifiers.values.sorted { $0.description.id.rawValue < $1.description.id.rawValue }
            .flatMap { opened in
                (opened.description.walletKeys?.keyHashes.map { ByteText.hex($0) }.sorted() ?? []).map {
                    hash -> [DataTable.Cell] in
                    [
                        .code(String(hash.prefix(Self.digits)) + "…"),
                        .init(words(.keyReceives, opened.description.id.rawValue)),
                    ]
                }
            }
        return HTML(.section, [.text(.ariaLabelledBy, "keys")]) {
            HTML(.h2, [.id("keys")]) { words(.keys) }
            HTML(.p) { words(.keysText) }
            DataTable(
                words(.keys), [.init(title: words(.keyName)), .init(title: words(.keyUse))], rows: sealing + receiving
            ).html
        }
    }
}

/// The configuration that runs, and what came of the last reload.
struct ConfigurationSection: Sendable {
    let visit: ConsoleVisit
    let canWrite: Bool

    private var words: ConsoleWords { visit.words }

    var html: HTML {
        let history = visit.gateway.reloads.history
        let settings = visit.service.current.settings
        return HTML(.section, [.text(.ariaLabelledBy, "configuration")]) {
            HTML(.h2, [.id("configuration")]) { words(.configuration) }
            HTML(.dl) {
                HTML(.dt) { words(.configurationVersion) }
                HTML(.dd) { HTML(.code) { settings.version } }
                HTML(.dt) { words(.loadedAt) }
                HTML(.dd) { visit.time(history.loadedAt) }
                HTML(.dt) { words(.lastReload) }
                HTML(.dd) { reload(history.last) }
                HTML(.dt) { words(.state) }
                HTML(.dd) { words(canWrite ? .storeReady : .storeNotReady) }
            }
            if let problems = history.last?.problems, !problems.isEmpty { table(problems) }
            if !settings.document.isEmpty {
                HTML(.details) {
                    HTML(.summary) { words(.configurationDocument) }
                    HTML(.code, [.class("document")]) { IndentedJSON.text(settings.document) }
                }
            }
        }
    }

    private func reload(_ last: ReloadReport?) -> String {
        switch last?.outcome {
        case nil: words(.neverReloaded)
        case .applied: words(.reloadApplied, last.map { visit.stamp($0.at) } ?? "–")
        case .refused: words(.reloadRefused, last.map { visit.stamp($0.at) } ?? "–")
        }
    }

    private func table(_ problems: [ReloadProblem]) -> HTML {
        DataTable(
            words(.lastReload),
            [
                .init(title: words(.place)), .init(title: words(.line), isNumber: true),
                .init(title: words(.problem), isWords: true),
            ],
            // What is wrong with a configuration is said as `sekisho check` says it.
            rows: problems.map { problem in
                [
                    .code(problem.path), .init(problem.line.map { String($0) } ?? "–"),
                    .init { HTML(.span, [.text(.lang, "en")]) { problem.problem } },
                ]
            }
        ).html
    }
}

/// Compact JSON with line breaks, for reading.
enum IndentedJSON {
    static func text(_ json: [UInt8]) -> String {
        var result: [UInt8] = []
        var depth = 0
        var isText = false
        var isEscaped = false
        func newline() {
            result.append(0x0A)
            result += [UInt8](repeating: 0x20, count: 2 * max(0, depth))
        }
        for (place, byte) in json.enumerated() {
            if isText {
                result.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                }
                continue
            }
            switch byte {
            case 0x22:
                isText = true
                result.append(byte)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                let next = place + 1 < json.count ? json[place + 1] : 0
                depth += 1
                if next != UInt8(ascii: "}"), next != UInt8(ascii: "]") { newline() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if let last = result.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { newline() }
                result.append(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                newline()
            case UInt8(ascii: ":"): result += [byte, 0x20]
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
