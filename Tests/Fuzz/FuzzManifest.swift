import HTTPClient
import JSONTree
import VerificationCore

@testable import Certified

/// A manifest with every way of reading an answer, and the values of one session.
enum FuzzManifest {
    static let now = Timestamp(seconds: 1_796_029_200)

    static let manifest: Manifest? = ManifestReading.manifest(Array(text.utf8), problems: JSONProblemList())

    static let text = #"""
        {name: "Fuzz", endpoint: "https://api.example.com/v2",
         vocabulary: {documents: {"org.iso.23220.1.jp.mnc": "jp"}},
         nonce: {origin: "gateway", form: "base64url"},
         steps: {submit: {
             method: "POST", path: "/v", json: {data: "{evidence:base64}", session: "{session}"}, timeout: "10s",
             answer: {
                 reference: "/id", echoes: [{at: "/session", equals: "{session}"}], keep: {key: "/key"},
                 final: {at: "/final", equals: true},
                 claims: {
                     name: "/person/name", birthdate: {at: "/person/born", format: "date", pattern: "YYYY年M月D日"},
                     gender: {at: "/person/sex", values: {M: "male", F: "female"}},
                     portrait: "/person/face", age_over_20: "/person/adult", "address.formatted": "/person/address"},
                 document: {type: "/document/type", issuing_authority: "/document/by",
                     valid_until: {at: "/document/until", format: "rfc3339"}},
                 event_time: {at: "/billed", format: "epoch_milliseconds"}, program: "/program"},
             outcomes: [
                 {status: 200, when: {all: [{at: "/state", equals: "ok"}, {at: "/checks", every: {at: "/ok", equals: true}}]},
                  then: "verified"},
                 {status: 200, when: {at: "/state", equals: "no"}, then: "rejected",
                  reasons: {at: "/checks", each: "/code", codes: {"1": "digest_mismatch", "two": "document_expired"}}},
                 {status: 202, when: {not: {at: "/state", exists: true}}, then: "pending"},
                 {status: [429, 503], then: "try_again", body: "ignored"}]}}}
        """#

    static let values: TemplateValues? = {
        guard let nonce = Nonce([UInt8](repeating: 7, count: 32)), let endpoint = Endpoint("https://api.example.com/v2")
        else { return nil }
        let card = DocumentCatalog.myNumberCard
        let request = VerificationRequest(
            session: SessionID("ses_1"),
            purpose: Purpose(
                id: PurposeID("fuzz"), documentTypes: [card.type], claims: Set(card.elements.map(\.claim)),
                requiredClaims: [], retention: .zero, relyingPartyRetention: .none),
            documentType: card.type, nonce: nonce)
        return TemplateValues(
            access: ProviderAccess(
                endpoint: endpoint, credentials: [:], variables: [:], tls: TLSSettings(), pool: "fuzz",
                plaintext: .refused, proxy: nil, client: Nobody()),
            attempt: AttemptContext(
                attempt: AttemptID("att_1"), idempotencyKey: "att_1-submit", now: now,
                deadline: now.advanced(by: .seconds(60))),
            request: request, document: "jp", claims: ["name"], nonce: nonce,
            identity: WalletIdentity(merchantIdentifier: "merchant.fuzz", teamIdentifier: "TEAM"),
            evidence: Evidence(encryptedData: Sensitive([1, 2, 3])), reference: "a/../b?c#d", kept: ["key": "é\r\n"])
    }()

    private struct Nobody: OutboundSending {
        func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer {
            throw OutboundFailure(.closed, wasSent: false)
        }
    }
}
