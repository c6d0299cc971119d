import Configuration
import JSONTree
import Routing
import Testing
import VerificationCore

/// A configuration that ran is read again from what was kept of it.
@Suite struct RecallTests {
    @Test func `a canonical form is read again without a secret, and says the same`() throws {
        let folder = try Folder()
        let text = try ExamplesTests.reference(in: folder)
        let loaded = try Scene.loader(["SEKISHO_MERCHANT_KEY_2025": "x"]).load(Array(text.utf8), at: Scene.now)
        // No variable, no file: what was read once is not fetched again.
        let recalled = try ConfigurationLoader(kinds: [:], resolver: SecretResolver(variables: [:]))
            .recall(loaded.canonicalForm, at: Timestamp(seconds: 4_000_000_000))
        #expect(recalled.version == loaded.version)
        #expect(recalled.environment == .production && recalled.http == loaded.http && recalled.store == loaded.store)
        #expect(recalled.routes.rules.map(\.name) == loaded.routes.rules.map(\.name))
        #expect(recalled.routes.rules.map(\.targets) == loaded.routes.rules.map(\.targets))
        #expect(recalled.clients == loaded.clients && recalled.purposes == loaded.purposes)
        #expect(Set(recalled.verifiers.keys) == Set(loaded.verifiers.keys))
        #expect(recalled.verifiers.mapValues(\.certification) == loaded.verifiers.mapValues(\.certification))
        #expect(recalled.sealingKeyNames == ["2026-11", "2025-11"])
    }

    @Test func `what never was a configuration is not recalled`() {
        for text in ["", "{}", "[]", "{ environment: \"x\" }"] {
            #expect(throws: JSONProblems.self) { try Scene.loader().recall(Array(text.utf8), at: Scene.now) }
        }
    }
}
