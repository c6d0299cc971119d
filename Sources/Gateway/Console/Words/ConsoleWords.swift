/// Says things in a language. Every sentence of the console comes through here.
struct ConsoleWords: Sendable {
    let language: ConsoleLanguage

    /// A phrase, with values in the places `%1`, `%2`.
    func callAsFunction(_ phrase: ConsolePhrase, _ values: String...) -> String {
        var text = pick(phrase.texts)
        for (index, value) in values.enumerated() {
            text = text.split(separator: "%\(index + 1)", omittingEmptySubsequences: false).joined(separator: value)
        }
        return text
    }

    /// What a code of the core means.
    func callAsFunction(_ code: some ConsoleNamed) -> String { pick(code.texts) }

    private func pick(_ texts: ConsoleTexts) -> String {
        switch language {
        case .english: texts.english
        case .japanese: texts.japanese
        }
    }
}

/// The same in both languages.
typealias ConsoleTexts = (english: String, japanese: String)

/// A code that has words for people beside it.
protocol ConsoleNamed {
    /// The words.
    var texts: ConsoleTexts { get }
}
