import Foundation
import Testing

@Suite(.serialized) struct OpenAPITests {
    private struct Tried {
        let method: String
        let template: String
        let path: String
        var body: String?
        var key = "demo-app-key"
    }

    /// What operators call.
    private func operatorCalls(about session: String) -> [Tried] {
        let until = ISO8601DateFormatter().string(from: Date().addingTimeInterval(600))
        let circuit = "/v1/verifiers/{id}/circuit"
        let hold = #"{"state":"held_closed","until":"\#(until)","reason":"as a test"}"#
        let calls: [(method: String, template: String, path: String, body: String?)] = [
            ("GET", "/v1/sessions", "/v1/sessions?limit=2&status=verified&status=created", nil),
            ("GET", "/v1/sessions", "/v1/sessions?limit=none", nil),
            ("GET", "/v1/sessions/{id}/checks", "/v1/sessions/\(session)/checks", nil),
            ("GET", "/v1/sessions/{id}/checks", "/v1/sessions/ses_none/checks", nil),
            ("POST", circuit, "/v1/verifiers/in-house/circuit", hold),
            ("GET", "/v1/verifiers", "/v1/verifiers", nil),
            ("POST", circuit, "/v1/verifiers/in-house/circuit", #"{"state":"automatic"}"#),
            ("POST", circuit, "/v1/verifiers/none/circuit", #"{"state":"automatic"}"#),
            ("POST", circuit, "/v1/verifiers/in-house/circuit", #"{"state":"held_open"}"#),
            ("POST", "/v1/verifiers/{id}/webhooks", "/v1/verifiers/in-house/webhooks", "{}"),
            ("GET", "/v1/routes", "/v1/routes", nil),
            ("GET", "/v1/shadow", "/v1/shadow?from=2026-01-01", nil),
            ("POST", "/v1/config/reload", "/v1/config/reload", nil),
            ("GET", "/readyz", "/readyz", nil),
            ("GET", "/v1/outbox", "/v1/outbox", nil),
            ("POST", "/v1/outbox/{id}/retry", "/v1/outbox/msg_none/retry", nil),
        ]
        return calls.map {
            Tried(method: $0.method, template: $0.template, path: $0.path, body: $0.body, key: "demo-operator-key")
        } + [Tried(method: "GET", template: "/v1/outbox", path: "/v1/outbox", key: "demo-finance-key")]
    }

    /// What finance calls.
    private func financeCalls() -> [Tried] {
        let (month, past) = (RunningGateway.month, "2020-01")
        let invoice = "/v1/usage/reconciliations"
        let calls: [(method: String, template: String, path: String, body: String?)] = [
            ("GET", "/v1/usage", "/v1/usage?month=\(month)&by=verifier,client,purpose,day", nil),
            ("GET", "/v1/usage", "/v1/usage?month=\(month)&format=csv", nil),
            ("GET", "/v1/usage", "/v1/usage?month=\(month)&format=table", nil),
            ("GET", "/v1/usage", "/v1/usage?month=never", nil),
            ("GET", "/v1/usage/attempts", "/v1/usage/attempts?month=\(month)&limit=1", nil),
            ("GET", "/v1/usage/attempts", "/v1/usage/attempts?month=\(month)&format=csv", nil),
            ("POST", "/v1/usage/closings", "/v1/usage/closings", #"{"month":"\#(month)"}"#),
            ("POST", "/v1/usage/closings", "/v1/usage/closings", #"{"month":"\#(past)","note":"empty"}"#),
            ("GET", "/v1/usage/closings", "/v1/usage/closings", nil),
            ("GET", "/v1/usage", "/v1/usage?month=\(past)", nil),
            ("GET", "/v1/usage/closings/{month}", "/v1/usage/closings/\(past)", nil),
            ("GET", "/v1/usage/closings/{month}", "/v1/usage/closings/\(month)", nil),
            ("POST", invoice, invoice + "?verifier=alpha&month=\(month)", "{}"),
        ]
        return calls.map {
            Tried(method: $0.method, template: $0.template, path: $0.path, body: $0.body, key: "demo-finance-key")
        } + [Tried(method: "GET", template: "/v1/usage", path: "/v1/usage?month=2026-11")]
    }

    @Test func `what the server answers is what the OpenAPI document promises`() async throws {
        let gateway = try RunningGateway()
        try await gateway.start()
        let good = try await gateway.presented()
        let bad = try await gateway.presented(["--fault", "resealed_old_response"])
        let plain = try await gateway.presented()
        let session = "/v1/sessions/{id}"
        let order = #"{"purpose":"account-opening","reference":"r"}"#
        let calls = [
            Tried(method: "GET", template: "/healthz", path: "/healthz"),
            Tried(method: "GET", template: "/readyz", path: "/readyz"),
            Tried(method: "GET", template: "/metrics", path: "/metrics"),
            Tried(method: "GET", template: "/openapi.json", path: "/openapi.json"),
            Tried(method: "POST", template: "/v1/sessions", path: "/v1/sessions", body: order),
            Tried(method: "POST", template: "/v1/sessions", path: "/v1/sessions", body: "{"),
            Tried(method: "POST", template: "/v1/sessions", path: "/v1/sessions", body: "{}"),
            Tried(method: "POST", template: "/v1/sessions", path: "/v1/sessions", body: order, key: "no"),
            Tried(method: "POST", template: "/v1/sessions", path: "/v1/sessions", body: order, key: "demo-finance-key"),
            Tried(method: "GET", template: session, path: "/v1/sessions/\(good.id)"),
            Tried(method: "GET", template: session, path: "/v1/sessions/ses_none"),
            Tried(method: "GET", template: session, path: "/v1/sessions/\(good.id)?wait=99"),
            Tried(
                method: "POST", template: session + "/submission", path: "/v1/sessions/\(good.id)/submission",
                body: good.submission),
            Tried(
                method: "POST", template: session + "/submission", path: "/v1/sessions/\(good.id)/submission",
                body: good.submission),
            Tried(
                method: "POST", template: session + "/submission", path: "/v1/sessions/\(bad.id)/submission",
                body: bad.submission),
            Tried(
                method: "POST", template: session + "/submission", path: "/v1/sessions/\(plain.id)/submission",
                body: #"{"encrypted_data":"!"}"#),
            Tried(method: "GET", template: session, path: "/v1/sessions/\(good.id)"),
            Tried(method: "GET", template: session, path: "/v1/sessions/\(bad.id)"),
            Tried(
                method: "GET", template: session + "/verified-claims", path: "/v1/sessions/\(good.id)/verified-claims"),
            Tried(
                method: "GET", template: session + "/verified-claims", path: "/v1/sessions/\(bad.id)/verified-claims"),
            Tried(
                method: "POST", template: session + "/cancel", path: "/v1/sessions/\(plain.id)/cancel",
                body: #"{"outcome":"user_declined"}"#),
            Tried(
                method: "POST", template: session + "/cancel", path: "/v1/sessions/\(good.id)/cancel",
                body: #"{"outcome":"user_declined"}"#),
            Tried(method: "GET", template: session, path: "/v1/sessions/\(plain.id)"),
        ]
        let compliance: [(method: String, template: String, body: String?, key: String)] = [
            ("GET", "/record", nil, "demo-app-key"), ("GET", "/record", nil, "demo-auditor-key"),
            ("GET", "/record", nil, "demo-operator-key"), ("GET", "/deletion", nil, "demo-app-key"),
            ("POST", "/events", #"{"event":"contract_ended","at":"2026-01-01T00:00:00Z"}"#, "demo-app-key"),
            ("POST", "/hold", #"{"reason":"audit"}"#, "demo-auditor-key"),
            ("POST", "/hold", #"{"reason":"audit"}"#, "demo-auditor-key"),
            ("DELETE", "", nil, "demo-app-key"), ("DELETE", "/hold", nil, "demo-operator-key"),
            ("DELETE", "/hold", nil, "demo-operator-key"), ("DELETE", "", nil, "demo-app-key"),
            ("GET", "/deletion", nil, "demo-app-key"), ("GET", "/record", nil, "demo-app-key"),
        ]
        let more = compliance.map {
            Tried(
                method: $0.method, template: session + $0.template, path: "/v1/sessions/\(good.id)" + $0.template,
                body: $0.body, key: $0.key)
        }
        let last = [
            Tried(method: "GET", template: "/v1/audit", path: "/v1/audit?limit=3", key: "demo-auditor-key"),
            Tried(method: "GET", template: "/v1/audit", path: "/v1/audit", key: "demo-operator-key"),
            Tried(method: "GET", template: session, path: "/v1/sessions/\(good.id)"),
            Tried(
                method: "GET", template: session + "/verified-claims", path: "/v1/sessions/\(good.id)/verified-claims"),
        ]
        var lines = ""
        for call in calls + more + last + operatorCalls(about: good.id) + financeCalls() {
            let raw = try #require(
                await gateway.attempt(call.method, call.path, body: call.body, key: call.key), "\(call.path)")
            let line: [String: Any] = [
                "method": call.method, "template": call.template, "status": raw.status,
                "content_type": raw.contentType, "body": raw.text, "request": call.body ?? "",
            ]
            lines += String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self) + "\n"
        }
        _ = try await gateway.stop()
        let (status, output) = try gateway.tool("script/check-openapi", input: lines)
        if status == 77 {
            print(output)
        } else {
            #expect(status == 0, "\(output)")
        }
    }
}
