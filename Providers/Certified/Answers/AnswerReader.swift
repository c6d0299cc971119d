import JSONTree
import VerificationCore

/// Reads what an answer says once its outcome is known.
struct AnswerReader {
    let declaration: AnswerDeclaration
    let outcome: OutcomeDeclaration
    let values: TemplateValues
    let tree: JSONNode
    /// The provider's words for documents.
    let vocabulary: Vocabulary
    let now: Timestamp

    /// What is remembered from now on: the reference, adopted where it is new, and what the manifest keeps.
    ///
    /// A reference that is not ours, or an echo that is not, makes the answer somebody else's.
    func memory(_ known: SessionMemory, requiresKept: Bool) throws(UnreadableAnswer) -> SessionMemory {
        var memory = known
        if outcome.statesReference {
            if case .at(let pointer) = declaration.reference {
                guard let stated = try AnswerValues.identifier(pointer, in: tree) else {
                    throw UnreadableAnswer("the answer does not state its reference", at: pointer.text)
                }
                if let reference = known.reference, reference != stated {
                    throw UnreadableAnswer("the answer is about another verification", at: pointer.text)
                }
                memory.reference = stated
            }
            for echo in declaration.echoes { try check(echo) }
        }
        for keep in declaration.keeps {
            let value = try AnswerValues.identifier(keep.pointer, in: tree, limit: AnswerValues.longestKept)
            if let value { memory.kept[keep.name] = value }
            if value == nil, requiresKept {
                throw UnreadableAnswer("the answer lacks a value that later steps need", at: keep.pointer.text)
            }
        }
        return memory
    }

    private func check(_ echo: Echo) throws(UnreadableAnswer) {
        guard let ours = try? Rendering(values: values).text(echo.template) else {
            throw UnreadableAnswer("a value that the answer must repeat is not known", at: echo.pointer.text)
        }
        guard let theirs = try AnswerValues.identifier(echo.pointer, in: tree, limit: AnswerValues.longestKept),
            theirs == ours
        else { throw UnreadableAnswer("the answer does not repeat what is ours", at: echo.pointer.text) }
    }

    /// What the provider says beside its verdict.
    func facts(_ memory: SessionMemory, since known: SessionMemory) throws(UnreadableAnswer) -> ProviderFacts {
        ProviderFacts(
            reference: memory.reference, eventTime: try eventTime(), program: try text(declaration.program),
            programVersion: try text(declaration.programVersion),
            state: memory == known ? nil : memory.encoded())
    }

    /// A month's bill hangs on it. One that is years away, as where milliseconds are read as seconds, would be billed in a
    /// month that nobody looks at.
    private func eventTime() throws(UnreadableAnswer) -> Timestamp? {
        guard let place = declaration.eventTime, let time = try AnswerValues.instant(place, in: tree) else {
            return nil
        }
        guard now.advanced(by: .zero - Self.farthestEvent) <= time, time <= now.advanced(by: Self.farthestEvent) else {
            throw UnreadableAnswer("the time that it bills by lies more than a year away", at: place.pointer.text)
        }
        return time
    }

    /// Longer than any provider takes to answer, shorter than any other unit or epoch is off.
    private static let farthestEvent = Duration.seconds(366 * 86_400)

    private func text(_ pointer: JSONPointer?) throws(UnreadableAnswer) -> String? {
        guard let pointer else { return nil }
        guard let text = try AnswerValues.identifier(pointer, in: tree) else { return nil }
        guard !holdsIndividualNumber(text) else {
            throw UnreadableAnswer("a name in the answer holds what may not be kept", at: pointer.text)
        }
        return text
    }

    private func holdsIndividualNumber(_ text: String) -> Bool {
        values.request.documentType == DocumentCatalog.myNumberCard.type && IndividualNumberFilter.isHit(text)
    }

    /// A verdict that the provider calls final, or not.
    var isFinal: Bool { declaration.final?.holds(in: tree) ?? true }

    /// The verdict `verified`, or what stands against it.
    func verified() throws(UnreadableAnswer) -> (verdict: Verdict, incidents: [Incident]) {
        let request = values.request
        var report = Report()
        report.pass(.providerVerdict)
        try state(into: &report)
        // Verified, and a check failed: two statements of which one is wrong.
        guard report.failures.isEmpty else { throw UnreadableAnswer("the answer contradicts itself") }
        let document = try facts(&report)
        // What this answer never says is not missing from the document: it is no rejection.
        if let claim = declaration.claims.unsaid(of: request).first {
            throw UnreadableAnswer("this answer says nothing of a claim that the purpose requires", at: claim.rawValue)
        }
        let extraction = try ClaimExtraction(declaration.claims, from: tree, for: request)
        guard extraction.isComplete else {
            report.fail(.elements, .elementMissing)
            return (.rejected(report, document), extraction.incidents)
        }
        report.pass(.elements)
        guard
            let claims = VerifiedClaims(
                Sensitive(extraction.claims), document: document, report: report, required: .certified)
        else { throw UnreadableAnswer("a check that must pass did not") }
        return (.verified(claims, report), extraction.incidents)
    }

    /// The verdict `rejected`: each reason fails its own check, and the first one the provider's verdict.
    func rejected(_ source: RejectionReasons) throws(UnreadableAnswer) -> Verdict {
        var report = Report()
        try state(into: &report)
        let reasons = try reasons(source)
        for reason in reasons { if let check = reason.ownCheck { report.fail(check, reason) } }
        report.fail(.providerVerdict, reasons.first ?? .providerRejected)
        return .rejected(report, Sensitive(DocumentFacts(type: values.request.documentType)))
    }

    private func reasons(_ source: RejectionReasons) throws(UnreadableAnswer) -> [Reason] {
        switch source {
        case .fixed(let reason): return [reason]
        case .mapped(let source):
            var reasons: [Reason] = []
            for code in try codes(source) {
                guard let reason = source.codes[code] ?? source.otherwise else {
                    throw UnreadableAnswer(
                        "a rejection has a code that the manifest does not name", at: source.pointer.text)
                }
                if !reasons.contains(reason) { reasons.append(reason) }
            }
            if reasons.isEmpty, let otherwise = source.otherwise { return [otherwise] }
            guard !reasons.isEmpty else { throw UnreadableAnswer("a rejection has no code", at: source.pointer.text) }
            return reasons
        }
    }

    private func codes(_ source: ReasonSource) throws(UnreadableAnswer) -> [String] {
        guard let node = source.pointer.presentValue(in: tree) else { return [] }
        var codes: [String] = []
        for element in node.elements ?? [node] {
            // A record without a code is about something else: not every entry of a list of checks failed.
            guard let value = source.each.map({ $0.presentValue(in: element) }) ?? element else { continue }
            guard let code = JSONScalar(value)?.code else {
                throw UnreadableAnswer("a code is no text and no number", at: source.pointer.text)
            }
            codes.append(code)
        }
        return codes
    }

    private func state(into report: inout Report) throws(UnreadableAnswer) {
        for source in declaration.checks {
            guard let node = source.pointer.presentValue(in: tree) else { continue }
            guard let code = JSONScalar(node)?.code, let outcome = source.codes[code] else {
                throw UnreadableAnswer("a check has a value that the manifest does not name", at: source.pointer.text)
            }
            switch outcome {
            case .passed: report.pass(source.check)
            case .failed(let reason): report.fail(source.check, reason)
            case .notChecked: break
            }
        }
    }

    private func facts(_ report: inout Report) throws(UnreadableAnswer) -> Sensitive<DocumentFacts> {
        let places = declaration.document
        let request = values.request
        if let pointer = places.type, let stated = try AnswerValues.identifier(pointer, in: tree) {
            guard stated == vocabulary.documents[request.documentType] else {
                throw UnreadableAnswer("another document was verified than was asked for", at: pointer.text)
            }
            report.pass(.documentType)
        }
        var facts = DocumentFacts(type: request.documentType)
        facts.issuingCountry = try text(places.issuingCountry)
        facts.issuingAuthority = try text(places.issuingAuthority)
        facts.signed = try AnswerValues.instant(places.signed, in: tree)
        facts.validFrom = try AnswerValues.instant(places.validFrom, in: tree)
        facts.validUntil = try AnswerValues.instant(places.validUntil, in: tree)
        return Sensitive(facts)
    }
}

extension Reason {
    /// The check that the reason belongs to; `nil` of the provider's own.
    var ownCheck: CheckName? {
        switch self {
        case .evidenceMalformed, .envelopeUnsupported: .envelope
        case .recipientKeyUnknown: .recipientKey
        case .sessionMismatch: .sessionBinding
        case .decryptionFailed: .decryption
        case .documentTypeMismatch: .documentType
        case .issuerCertificateMissing, .issuerUntrusted, .issuerCertificateInvalid, .issuerCertificateExpired:
            .issuerCertificate
        case .issuerSignatureInvalid: .issuerSignature
        case .documentNotYetValid, .documentExpired, .validityInconsistent: .validity
        case .digestMismatch, .elementDuplicated: .digests
        case .deviceSignatureInvalid: .deviceSignature
        case .issuerCertificateRevoked, .documentRevoked: .revocation
        case .elementMissing: .elements
        // Of the signature or of a digest: the provider does not say which.
        case .algorithmUnsupported, .providerRejected: nil
        }
    }
}
