import Testing
import VerificationCore
import WebhookSignatures

@Suite struct SecretTests {
    @Test func `a Standard Webhooks secret has its prefix and 24 to 64 bytes`() {
        func reads(_ text: String) -> Bool { WebhookSecret(standard: Array(text.utf8)) != nil }
        func text(_ count: Int) -> String { "whsec_" + ByteText.base64([UInt8](repeating: 7, count: count)) }
        #expect(reads(text(24)) && reads(text(32)) && reads(text(64)))
        #expect(!reads(text(23)) && !reads(text(65)) && !reads("whsec_") && !reads(""))
        #expect(!reads(String(text(32).dropFirst(6))))
        #expect(!reads("WHSEC_" + text(32).dropFirst(6)) && !reads(text(32) + "\n") && !reads(text(32) + "!"))
        #expect(!reads("whpk_" + text(32).dropFirst(6)), "a public key is no secret")
    }

    @Test func `another secret has 16 to 1024 bytes, and there are one to four at once`() throws {
        func secret(_ count: Int) -> WebhookSecret? { WebhookSecret(bytes: [UInt8](repeating: 7, count: count)) }
        #expect(secret(15) == nil && secret(1025) == nil && secret(16) != nil && secret(1024) != nil)
        let one = try #require(secret(32))
        #expect(WebhookSecrets([]) == nil && WebhookSecrets(Array(repeating: one, count: 5)) == nil)
        #expect(WebhookSecrets(Array(repeating: one, count: 4)) != nil)
    }

    @Test func `a fresh secret reads, and is another every time`() throws {
        var generator = SystemRandomNumberGenerator()
        let texts = (0..<32).map { _ in
            WebhookSecret.standardText(using: &generator).withValue { $0 }
        }
        #expect(Set(texts).count == 32)
        for text in texts { #expect(WebhookSecret(standard: Array(text.utf8)) != nil) }
    }

    @Test func `nothing shows a secret`() throws {
        let secret = try #require(WebhookSecret(bytes: Array("canary-canary-canary".utf8)))
        let secrets = try #require(WebhookSecrets([secret]))
        var dumped = ""
        dump(secrets, to: &dumped)
        for text in ["\(secret)", "\(secrets)", String(reflecting: secrets), dumped] {
            #expect(!text.contains("canary") && !text.contains("99, 97"))
        }
    }
}
