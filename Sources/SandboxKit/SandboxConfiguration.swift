public import VerificationCore

/// What a sandbox is made of.
public struct SandboxConfiguration: Sendable {
    /// The port of the providers' API, on loopback under TLS; 0 takes a free one.
    public var port: UInt16 = 0
    /// The port for orders and questions, on loopback without TLS; 0 takes a free one, `nil` opens none.
    public var controlPort: UInt16?
    /// The files of the server's certificate and key, and of the authority behind it, all PEM.
    public var certificate: String
    public var certificateKey: String
    public var authority: String
    /// The providers that want the client's certificate.
    public var demandingClientCertificates: Set<ProviderName> = []
    /// The files with the issuers' roots.
    public var anchors: [String]
    /// The merchant of alpha and gamma: the relying party's own, whose key they were given.
    public var sharedMerchant: SandboxMerchant
    /// The merchant of beta: the provider's own.
    public var betaMerchant: SandboxMerchant
    /// What callers must know.
    public var secrets: SandboxSecrets
    /// Where gamma's webhooks go: `http://127.0.0.1:PORT/PATH`; nowhere while it is `nil`.
    public var webhookURL: String?
    /// How long beta and gamma work on a blob.
    public var processing = Duration.milliseconds(200)
    /// How long a token of beta's lives.
    public var tokenLifetime = Duration.seconds(3600)
    /// The providers' clock.
    public var clock: @Sendable () -> Timestamp

    /// A configuration; the rest has defaults.
    public init(
        certificate: String, certificateKey: String, authority: String, anchors: [String],
        sharedMerchant: SandboxMerchant, betaMerchant: SandboxMerchant, secrets: SandboxSecrets,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.certificate = certificate
        self.certificateKey = certificateKey
        self.authority = authority
        self.anchors = anchors
        self.sharedMerchant = sharedMerchant
        self.betaMerchant = betaMerchant
        self.secrets = secrets
        self.clock = clock
    }
}

/// What callers of the providers must know.
public struct SandboxSecrets: Sendable {
    /// Alpha's key, for `X-Alpha-Key`.
    public var alphaKey: Sensitive<String>
    /// Beta's client secret; its identifier is ``betaClient``.
    public var betaSecret: Sensitive<String>
    /// The secret that signs requests to gamma; its identifier is ``gammaKey``.
    public var gammaSecret: Sensitive<String>
    /// The secret that signs gamma's webhooks: `whsec_` and base64.
    public var webhookSecret: Sensitive<String>

    /// The client's identifier at beta.
    public static let betaClient = "sekisho-gateway"
    /// The key's identifier at gamma.
    public static let gammaKey = "gk_sekisho"
    /// What a Standard Webhooks secret begins with.
    static let webhookPrefix = "whsec_"

    /// Secrets.
    public init(
        alphaKey: Sensitive<String>, betaSecret: Sensitive<String>, gammaSecret: Sensitive<String>,
        webhookSecret: Sensitive<String>
    ) {
        self.alphaKey = alphaKey
        self.betaSecret = betaSecret
        self.gammaSecret = gammaSecret
        self.webhookSecret = webhookSecret
    }

    /// The bytes of the webhooks' secret.
    var webhookKey: Sensitive<[UInt8]>? {
        webhookSecret.withValue { text in
            guard text.hasPrefix(Self.webhookPrefix) else { return nil }
            return ByteText.bytes(base64: text.dropFirst(Self.webhookPrefix.count)).map(Sensitive.init)
        }
    }
}
