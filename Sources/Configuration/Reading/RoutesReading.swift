import JSONTree
import VerificationCore

/// What rules can name, and what they are judged by.
struct RouteTargets {
    let purposes: [PurposeID: PurposeDeclaration]
    let clients: [ClientID: ClientDeclaration]
    let verifiers: [VerifierID: VerifierDeclaration]
    let environment: DeploymentEnvironment
    let now: Timestamp
}

extension ConfigurationReading {
    func routes(_ targets: RouteTargets) -> [RouteDeclaration] {
        guard let list = root.required("routes"), let readers = list.elements() else { return [] }
        var routes: [RouteDeclaration] = []
        for reader in readers where reader.isObject() {
            guard let route = route(reader, targets) else { continue }
            if routes.contains(route) { reader.report("says the same as a rule before it") }
            judge(route, at: reader, targets)
            routes.append(route)
        }
        if !readers.contains(where: isDefault) {
            list.report("needs a rule without conditions, so that every session finds a verifier")
        }
        return routes
    }

    private func isDefault(_ reader: JSONReader) -> Bool {
        reader.node.members.map { members in
            !members.contains { ["purpose", "document_type", "client"].contains($0.name) }
        } ?? false
    }

    private func route(_ reader: JSONReader, _ targets: RouteTargets) -> RouteDeclaration? {
        defer { reader.rejectUnknownKeys() }
        let purpose = mention(reader.optional("purpose"), of: "purpose", in: "purposes")
        let client = mention(reader.optional("client"), of: "client", in: "clients")
        let documentType = reader.optional("document_type")
        let type = documentType?.string()
        if let documentType, let type, DocumentCatalog.definition(of: type) == nil {
            documentType.reportUnknown(type, "known document type", among: DocumentCatalog.documents.map(\.type))
        }
        guard let verifier = mention(reader.required("verifier"), of: "verifier", in: "verifiers") else { return nil }
        return RouteDeclaration(
            purpose: purpose.map { PurposeID($0) }, documentType: type, client: client.map { ClientID($0) },
            verifier: VerifierID(verifier))
    }

    /// The name of something declared at the root.
    private func mention(_ reader: JSONReader?, of what: String, in dictionary: String) -> String? {
        guard let reader, let text = reader.string() else { return nil }
        if !isDeclared(text, in: dictionary) {
            let known = root.node[dictionary]?.members?.map(\.name) ?? []
            reader.reportUnknown(text, what, among: known)
        }
        return text
    }

    /// A rule that no session can meet is a mistake; one that sends a session where it may not go is another.
    private func judge(_ route: RouteDeclaration, at reader: JSONReader, _ targets: RouteTargets) {
        let client = route.client.flatMap { targets.clients[$0] }
        if let client, client.role != .app {
            reader.report("names a client that opens no sessions", member: "client")
        } else if let client, let purpose = route.purpose, !client.purposes.contains(purpose) {
            reader.report("names a client that may not ask for the rule's purpose", member: "client")
        }
        guard let verifier = targets.verifiers[route.verifier] else { return }
        var refusals: Set<CertificationRule.Refusal> = []
        for (id, purpose) in targets.purposes where (route.purpose ?? id) == id {
            let documents = purpose.purpose.documentTypes.filter { (route.documentType ?? $0) == $0 }
            if documents.isEmpty, route.purpose != nil {
                reader.report("is no document type of the rule's purpose", member: "document_type")
            }
            for document in documents {
                guard client?.purposes.contains(id) ?? true else { continue }
                let refusal = CertificationRule.refusal(
                    of: verifier, for: purpose, documentType: document, in: targets.environment, at: targets.now)
                if let refusal { refusals.insert(refusal) }
            }
        }
        report(refusals, at: reader)
    }

    private func report(_ refusals: Set<CertificationRule.Refusal>, at reader: JSONReader) {
        for refusal in CertificationRule.Refusal.allCases where refusals.contains(refusal) {
            switch refusal {
            case .documentDemandsCertification:
                reader.report(
                    "sends My Number Cards to a verifier without a current certification: production needs one, or a "
                        + "certification_exception with its legal basis", member: "verifier")
            case .purposeDemandsCertification:
                reader.report(
                    "serves a purpose with require_certification by a verifier without a current certification",
                    member: "verifier")
            }
        }
    }
}
