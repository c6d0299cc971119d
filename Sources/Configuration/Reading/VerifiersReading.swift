import JSONTree
import VerificationCore

extension ConfigurationReading {
    func verifiers(in environment: DeploymentEnvironment) -> [VerifierID: VerifierDeclaration] {
        let context = KindContext(environment: environment, now: now, resolver: resolver)
        var verifiers: [VerifierID: VerifierDeclaration] = [:]
        for (name, reader) in named("verifiers") {
            guard let verifier = verifier(name, reader) else { continue }
            if verifier.isSimulated, environment == .production {
                reader.report("a simulator accepts what nobody signed: not in production", member: "mode")
            }
            kinds[verifier.kind]?(verifier, context, root.problems)
            verifiers[verifier.id] = verifier
        }
        return verifiers
    }

    private func verifier(_ name: String, _ reader: JSONReader) -> VerifierDeclaration? {
        let certification = reader.optionalObject("certification").flatMap(certification)
        let exception = reader.optionalObject("certification_exception").flatMap(certificationException)
        guard let member = reader.required("kind"), let kind = member.string() else { return nil }
        guard kinds[kind] != nil else {
            member.reportUnknown(kind, "kind of verifier", among: Array(kinds.keys))
            return nil
        }
        return VerifierDeclaration(
            id: VerifierID(name), kind: kind, certification: certification, certificationException: exception,
            isSimulated: reader.node["mode"]?.string == VerifierDeclaration.simulatorMode, node: reader.node,
            path: reader.path)
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
        if day > latest { reader.report("lies in the future", member: "recorded_on") }
        return CertificationException(legalBasis: basis, recordedOn: day)
    }
}
