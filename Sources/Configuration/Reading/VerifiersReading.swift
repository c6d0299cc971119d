import JSONTree
import Routing
import VerificationCore

/// The ranges within which circuits can be configured.
enum CircuitRanges {
    /// Below, a burst of a second decides; above, an outage that is long over.
    static let window: ClosedRange<Duration> = .seconds(10) ... .seconds(3600)
    static let calls: ClosedRange<Int64> = 1...10_000
    static let percent: ClosedRange<Int64> = 1...100
    static let openFor: ClosedRange<Duration> = .seconds(1) ... .seconds(3600)
    static let probes: ClosedRange<Int64> = 1...100
    static let concurrency: ClosedRange<Int64> = 1...10_000
}

extension ConfigurationReading {
    func verifiers(in environment: DeploymentEnvironment) -> [VerifierID: VerifierDeclaration] {
        let context = KindContext(environment: environment, now: now, resolver: resolver)
        var verifiers: [VerifierID: VerifierDeclaration] = [:]
        for (name, reader) in named("verifiers") {
            guard let verifier = verifier(name, reader) else { continue }
            if verifier.isSimulated, environment == .production {
                reader.report("a simulator accepts what nobody signed: not in production", member: "mode")
            }
            if !isRecalled { kinds[verifier.kind]?(verifier, context, root.problems) }
            verifiers[verifier.id] = verifier
        }
        return verifiers
    }

    private func verifier(_ name: String, _ reader: JSONReader) -> VerifierDeclaration? {
        let certification = reader.optionalObject("certification").flatMap(certification)
        let exception = reader.optionalObject("certification_exception").flatMap(certificationException)
        let circuit = circuit(reader)
        guard let member = reader.required("kind"), let kind = member.string() else { return nil }
        guard isRecalled || kinds[kind] != nil else {
            member.reportUnknown(kind, "kind of verifier", among: Array(kinds.keys))
            return nil
        }
        return VerifierDeclaration(
            id: VerifierID(name), kind: kind, certification: certification, certificationException: exception,
            circuit: circuit, isSimulated: reader.node["mode"]?.string == VerifierDeclaration.simulatorMode,
            node: reader.node,
            path: reader.path)
    }

    private func circuit(_ reader: JSONReader) -> CircuitSettings {
        var settings = CircuitSettings()
        settings.concurrency = reader.optionalInteger("concurrency", in: CircuitRanges.concurrency).map(Int.init)
        guard let circuit = reader.optionalObject("circuit") else { return settings }
        settings.window = circuit.duration("window", in: CircuitRanges.window, default: settings.window)
        settings.minimumCalls = circuit.integer(
            "minimum_calls", in: CircuitRanges.calls, default: Int64(settings.minimumCalls))
        settings.failurePercent = circuit.integer(
            "failure_percent", in: CircuitRanges.percent, default: Int64(settings.failurePercent))
        settings.openFor = circuit.duration("open_for", in: CircuitRanges.openFor, default: settings.openFor)
        settings.probes = circuit.integer("probes", in: CircuitRanges.probes, default: Int64(settings.probes))
        circuit.rejectUnknownKeys()
        return settings
    }

    private func certification(_ reader: JSONReader) -> Certification? {
        defer { reader.rejectUnknownKeys() }
        let regime = reader.words("regime", limit: 64)
        let holder = reader.words("holder", limit: 200)
        let program = reader.words("program", limit: 200)
        let version = reader.words("version", limit: 64)
        let number = reader.words("number", limit: 64)
        let from = reader.timestamp("valid_from")
        let until = reader.timestamp("valid_until")
        guard let regime, let holder, let program, let version, let number, let from, let until else { return nil }
        if until < from { reader.report("lies before valid_from", member: "valid_until") }
        return Certification(
            regime: regime, holder: holder, program: program, version: version, number: number, validFrom: from,
            validUntil: until)
    }

    private func certificationException(_ reader: JSONReader) -> CertificationException? {
        defer { reader.rejectUnknownKeys() }
        let basis = reader.words("legal_basis", limit: 1000)
        guard let day = reader.date("recorded_on"), let basis else { return nil }
        // Somewhere on Earth the next day has begun up to 14 hours ago.
        let latest = CivilDate(daysSinceEpoch: now.advanced(by: .seconds(14 * 3600)).milliseconds / 86_400_000)
        if day > latest, !isRecalled { reader.report("lies in the future", member: "recorded_on") }
        return CertificationException(legalBasis: basis, recordedOn: day)
    }
}
