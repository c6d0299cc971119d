import JSONTree
import VerificationCore

/// What holds between the parts of a manifest. Each method notes what does not.
struct ManifestRules {
    let manifest: Manifest
    let root: JSONReader

    func judge() {
        judgeBegin()
        for step in VerificationStep.allCases {
            guard let declaration = manifest.steps[step], let place = reader(of: step) else { continue }
            judgeRepeats(declaration, place)
            judgeAnswer(declaration, place)
        }
        judgeFlow()
        judgeIdempotency()
    }

    private func reader(of step: VerificationStep) -> JSONReader? {
        guard let steps = root.node["steps"], let node = steps[step.rawValue] else { return nil }
        return JSONReader(node, path: JSONPath.member(step.rawValue, of: "steps"), problems: root.problems)
    }

    /// Whether the text has a step, or the webhooks, readable or not: what is there and wrong is not said to be missing.
    private func declares(_ step: VerificationStep) -> Bool { root.node["steps"]?[step.rawValue] != nil }
    private var declaresWebhooks: Bool { root.node["webhooks"] != nil }

    /// Whether all that the text declares could be read, so that what nothing in it says is said nowhere.
    private var isWhole: Bool {
        VerificationStep.allCases.allSatisfy { !declares($0) || manifest.steps[$0] != nil }
            && (!declaresWebhooks || manifest.webhooks != nil)
    }

    private func means(_ step: VerificationStep, _ isWanted: (OutcomeDeclaration.Meaning) -> Bool) -> Bool {
        manifest.steps[step]?.outcomes.contains { isWanted($0.meaning) } ?? false
    }

    private func judgeBegin() {
        if !declares(.begin) {
            if manifest.nonce.origin == .provider {
                root.report("is the provider's: a step begin must fetch it", member: "nonce")
            }
            if manifest.wallet != .configured {
                root.report("comes from begin, and there is no such step", member: "wallet")
            }
            return
        }
        guard let place = reader(of: .begin), let begin = manifest.steps[.begin] else { return }
        if !means(.begin, { $0.word == .opened }) {
            place.report("maps nothing to opened: no session could begin", member: "outcomes")
        }
        let hasNonce = begin.answer.nonce != nil
        if manifest.nonce.origin == .provider, !hasNonce {
            place.report("has no nonce, and the provider makes it", member: "answer")
        }
        if manifest.nonce.origin == .gateway, hasNonce {
            place.report("has a nonce, and the gateway makes it (nonce.origin)", member: "answer")
        }
    }

    /// A repeat that could bill twice is refused wherever it could come from.
    private func judgeRepeats(_ step: StepDeclaration, _ place: JSONReader) {
        guard step.retry != nil else { return }
        if step.billing != nil || step.step == .submit, !manifest.isIdempotent(step.step) {
            let why = step.billing != nil ? "bills" : "hands the evidence over"
            place.report(
                "repeats a step that \(why): that needs idempotency, and the step among its steps", member: "retry")
        }
    }

    private func judgeAnswer(_ step: StepDeclaration, _ place: JSONReader) {
        let concludes = [.submit, .poll, .fetch].contains(step.step)
        let isKnownBefore = StepsSketch.before(step.step).contains {
            if $0 == step.step { return false }
            if case .at? = manifest.steps[$0]?.answer.reference { return true }
            return false
        }
        if concludes, isKnownBefore || step.step != .submit, step.answer.reference == .undeclared,
            step.answer.echoes.isEmpty
        {
            place.report(
                "does not say how an answer is known to be ours: reference, echoes, or reference: \"not_stated\"",
                member: "answer")
        }
        guard concludes else { return }
        let verifies = means(step.step) { $0.word == .verified }
        // A fetch may find that claims are given out once only; then its verdict cannot be used, and that is said there.
        if verifies, step.answer.claims.isEmpty, step.step != .fetch {
            place.report("maps to verified and reads no claims", member: "answer")
        }
        if step.answer.final != nil, !answersLater {
            place.report("can be unfinished, and there is neither poll nor webhooks", member: "answer")
        }
    }

    private var answersLater: Bool { declares(.poll) || declaresWebhooks }

    private func judgeFlow() {
        guard manifest.steps[.submit] != nil, let submit = reader(of: .submit) else { return }
        let concluding: [VerificationStep] = [.submit, .poll, .fetch]
        let told = manifest.webhooks?.result?.outcomes ?? []
        func isMapped(_ word: OutcomeDeclaration.Word) -> Bool {
            concluding.contains { means($0) { $0.word == word } } || told.contains { $0.meaning.word == word }
        }
        if isWhole, !isMapped(.verified) {
            submit.report("nothing maps to verified: nobody could ever be", member: "outcomes")
        }
        if isWhole, !isMapped(.rejected) {
            submit.report("nothing maps to rejected: a rejection would be a protocol error", member: "outcomes")
        }
        let isPending = concluding.contains {
            means($0) { $0.word == .pending } || manifest.steps[$0]?.answer.final != nil
        }
        if isPending, !answersLater {
            submit.report("something maps to pending, and there is neither poll nor webhooks", member: "outcomes")
        }
        if let poll = reader(of: .poll), !means(.submit, { $0.word == .pending }),
            manifest.steps[.submit]?.answer.final == nil
        {
            poll.report("nothing maps to pending in submit, so it would never be asked")
        }
        if let erase = reader(of: .erase), !means(.erase, { $0.word == .erased }) {
            erase.report("maps nothing to erased", member: "outcomes")
        }
        guard let webhooks = manifest.webhooks else { return }
        let place = root.node["webhooks"].map { JSONReader($0, path: "webhooks", problems: root.problems) }
        if webhooks.result == nil, !declares(.fetch), !declares(.poll) {
            place?.report("carry no result (outcomes), and there is neither fetch nor poll to ask for it")
        }
        let named = [VerificationStep.begin, .submit].contains {
            if case .at? = manifest.steps[$0]?.answer.reference { return true }
            return false
        }
        if isWhole, !named {
            place?.report("names a reference that no answer to begin or submit has", member: "reference")
        }
    }

    private func judgeIdempotency() {
        guard let idempotency = manifest.idempotency,
            let place = root.node["idempotency"].map({ JSONReader($0, path: "idempotency", problems: root.problems) })
        else { return }
        for step in VerificationStep.allCases where idempotency.steps.contains(step) {
            guard let declaration = manifest.steps[step] else {
                if declares(step) { continue }
                place.report("names \(step.rawValue), which is no step of this manifest", member: "steps")
                continue
            }
            let names = declaration.body.variables.contains { $0.variable == .idempotencyKey }
            if idempotency.header == nil, !names {
                place.report("the body of \(step.rawValue) does not hold {idempotency_key}", member: "in_body")
            }
            let changes = (declaration.query.map(\.template) + declaration.headers.map(\.template))
                .flatMap(\.variables).contains { $0.variable == .idempotencyKey }
            if changes, idempotency.header != nil {
                place.report("\(step.rawValue) writes the key itself as well", member: "header")
            }
        }
        for (step, declaration) in manifest.steps where idempotency.header != nil {
            let header = idempotency.header?.lowercased()
            if declaration.headers.contains(where: { $0.name.lowercased() == header }) {
                reader(of: step)?.report("writes the header of the idempotency key itself", member: "headers")
            }
        }
    }
}

extension Manifest {
    /// Whether the provider knows a repeat of a step.
    func isIdempotent(_ step: VerificationStep) -> Bool { idempotency?.steps.contains(step) ?? false }
}

extension OutcomeDeclaration.Meaning {
    /// The word for it.
    var word: OutcomeDeclaration.Word {
        switch self {
        case .opened: .opened
        case .verified: .verified
        case .rejected: .rejected
        case .pending: .pending
        case .tryAgain: .tryAgain
        case .unavailable: .unavailable
        case .error: .error
        case .neverReceived: .neverReceived
        case .erased: .erased
        }
    }
}
