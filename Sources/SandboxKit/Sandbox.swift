import Foundation
import Synchronization
import Trust
import VerificationCore

/// Three stand-in providers over HTTPS, for development: what they verify they really verify, and they misbehave when
/// told to. Production does not ship it.
public final class Sandbox: Sendable {
    private let books = Books()
    private let desk = FaultDesk()
    private let pace: Pace
    private let courier: Courier
    private let providers: [any Provider]
    private let demandingClientCertificates: Set<ProviderName>
    private let clock: @Sendable () -> Timestamp
    private let serverBox = Mutex<Servers?>(nil)
    private let configuration: SandboxConfiguration

    private struct Servers: Sendable {
        let api: ByteServer
        let control: ByteServer?
    }

    /// A sandbox that is not started; its files are read here.
    public init(_ configuration: SandboxConfiguration) throws(SandboxError) {
        self.configuration = configuration
        clock = configuration.clock
        demandingClientCertificates = configuration.demandingClientCertificates
        let trust: TrustStore
        do {
            let paths = configuration.anchors.map { (path: $0, documentTypes: Set<String>?.none) }
            trust = try TrustStore.load(paths: paths, profile: .basic, at: configuration.clock()).store
        } catch {
            throw .file("the issuer's root cannot be used: \(error)")
        }
        let shared = try Examiner(configuration.sharedMerchant, trust: trust)
        let own = try Examiner(configuration.betaMerchant, trust: trust)
        guard let webhookKey = configuration.secrets.webhookKey else {
            throw .file("the webhooks' secret must be whsec_ and base64")
        }
        var target: PlainURL?
        if let url = configuration.webhookURL {
            target = PlainURL(url)
            if target == nil { throw .file("webhooks go to http://127.0.0.1:PORT/PATH only") }
        }
        let surroundings = Surroundings(books: books, desk: desk, clock: configuration.clock)
        let pace = Pace(configuration.processing)
        self.pace = pace
        courier = Courier(secret: webhookKey, target: target, surroundings)
        let secrets = configuration.secrets
        providers = [
            AlphaProvider(AlphaProvider.Settings(key: secrets.alphaKey), shared, surroundings),
            BetaProvider(
                BetaProvider.Settings(
                    clientIdentifier: SandboxSecrets.betaClient, clientSecret: secrets.betaSecret,
                    tokenLifetime: configuration.tokenLifetime, processing: { pace[.beta] }), own, surroundings),
            GammaProvider(
                GammaProvider.Settings(
                    keyIdentifier: SandboxSecrets.gammaKey, signingSecret: secrets.gammaSecret,
                    processing: { pace[.gamma] }), shared, surroundings, courier),
        ]
    }

    /// Opens the ports and serves.
    public func start() throws(SandboxError) {
        let tls = try TLSContext(
            certificate: configuration.certificate, key: configuration.certificateKey,
            clientAuthority: configuration.authority)
        let desk = desk
        let api = try ByteServer(
            port: configuration.port, tls: tls, greet: { !desk.takeGreeting() }, handle: { [self] in deliver($0) })
        var control: ByteServer?
        if let port = configuration.controlPort {
            let desk = ControlDesk(self)
            control = try ByteServer(port: port, tls: nil, handle: { .answer(desk.answer($0)) })
        }
        api.start()
        control?.start()
        serverBox.withLock { $0 = Servers(api: api, control: control) }
    }

    /// Breaks every connection and frees the ports.
    public func stop() {
        courier.stop()
        let servers = serverBox.withLock { servers in
            defer { servers = nil }
            return servers
        }
        servers?.api.stop()
        servers?.control?.stop()
    }

    /// The port of the API; 0 while it does not serve.
    public var port: UInt16 { serverBox.withLock { $0?.api.port } ?? 0 }

    /// The port for orders; 0 where there is none.
    public var controlPort: UInt16 { serverBox.withLock { $0?.control?.port } ?? 0 }

    private func deliver(_ request: Request) -> Delivery {
        guard let first = request.segments.first, let provider = providers.first(where: { $0.name.rawValue == first }),
            let step = provider.step(of: request)
        else { return .answer(.text(404, "no such resource")) }
        if demandingClientCertificates.contains(provider.name), !request.hasClientCertificate {
            return .answer(.text(403, "a client certificate is needed"))
        }
        let fault = desk.take(provider.name, step)
        let place = books.received(
            CallRecord(
                provider: provider.name, step: step, idempotencyKey: provider.idempotencyKey(of: request),
                fault: fault?.name, status: nil, at: clock()))
        let date = Date(timeIntervalSince1970: Double(clock().milliseconds) / 1000)
        if let fault, fault.comesBeforeWork, let delivery = Answer(200).spoilt(by: fault, now: date) {
            return delivery
        }
        let answer = provider.answer(request, step: step, fault: fault)
        books.answered(place, status: answer.status)
        return fault.flatMap { answer.spoilt(by: $0, now: date) } ?? .answer(answer)
    }
}

extension Sandbox {
    /// Asks for a misbehaviour.
    public func place(_ order: FaultOrder) {
        // Made now, because that takes seconds, and the answer is to be large and not late.
        if order.fault == .gzipBomb { _ = GzipBomb.bytes }
        desk.place(order)
    }

    /// Takes every such wish back.
    public func clearFaults() { desk.clear() }

    /// Begins the chances of orders by chance anew.
    public func seed(_ seed: UInt64) { desk.seed(seed) }

    /// Forgets calls and charges, and every order; verifications and tokens stay.
    public func forget() {
        desk.clear()
        books.clear()
    }

    /// Sets how long a provider works on a blob from now on.
    public func setProcessing(_ duration: Duration, of provider: ProviderName) { pace[provider] = duration }

    /// Sends gamma's webhooks to `http://127.0.0.1:PORT/PATH` from now on; `false` where that is no such place.
    public func sendWebhooks(to url: String) -> Bool {
        guard let target = PlainURL(url) else { return false }
        courier.aim(at: target)
        return true
    }

    /// Every call that reached a provider, and every webhook that left, in order.
    public var calls: [CallRecord] { books.calls }

    /// How many calls of a step reached a provider.
    public func count(_ provider: ProviderName, _ step: ProviderStep) -> Int {
        books.calls.count { $0.provider == provider && $0.step == step }
    }

    /// Everything that was charged, in order.
    public var charges: [Charge] { books.charges }

    /// A provider's invoice over everything that it charged, as CSV in a form of its own.
    public func invoice(of provider: ProviderName) -> String { Invoice.csv(provider, books.charges) }
}

extension Fault {
    /// Whether the provider does no work, and so bills nothing.
    var comesBeforeWork: Bool {
        switch self {
        case .timeout(let charged), .resetAfterReading(let charged), .htmlError(let charged): !charged
        case .tooManyRequests, .unavailable, .redirect: true
        case .slow, .resetBeforeReading, .wrongReference, .unknownStatus, .gzipBomb, .badJSON, .truncatedJSON,
            .duplicateKeys, .byteOrderMark, .emptyAnswer, .noContent, .cutBody, .individualNumber, .revised,
            .lateWebhook, .duplicateWebhook, .wronglySignedWebhook, .webhookForAnother, .lostWebhook,
            .tokenExpiresAtOnce, .tokenLifetime:
            false
        }
    }
}

/// How long each provider works; it can be changed while they do.
private final class Pace: Sendable {
    private let standard: Duration
    private let own = Mutex<[ProviderName: Duration]>([:])

    init(_ standard: Duration) {
        self.standard = standard
    }

    subscript(_ provider: ProviderName) -> Duration {
        get { own.withLock { $0[provider] } ?? standard }
        set { own.withLock { $0[provider] = newValue } }
    }
}
