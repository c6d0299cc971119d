/// How an issuer's certificates are to be.
public struct IssuerOptions: Sendable {
    /// How much of ISO/IEC 18013-5 Annex B the certificates follow.
    public enum Profile: String, Sendable, CaseIterable {
        /// As Apple's sample and many real issuers: no issuerAltName, no CRL point, extended key usage not critical.
        case basic
        /// The whole of Annex B.
        case annexB = "iso18013-5"
    }

    /// The profile.
    public var profile: Profile = .annexB
    /// The root's kind of key.
    public var rootKind: KeyKind = .p256
    /// The signers' kind of key.
    public var signerKind: KeyKind = .p256
    /// An authority between root and signer (and a root that allows one).
    public var intermediate = false
    /// The country in root and signer; `nil` leaves it out.
    public var country: String? = "JP"
    /// The state in root and signer.
    public var state: String?
    /// Whether the signers' issuer name has its RDNs in the other order.
    public var reversedIssuerName = false
    /// The root's validity in days; Annex B allows 20 years.
    public var rootDays = 3650
    /// A signer's validity in days; Annex B allows 457.
    public var signerDays = 400
    /// The organisation in every name.
    public var organisation = "Sekisho Test Issuer"

    /// The whole profile on P-256, for Japan.
    public init() {}
}

/// A signer of documents: its key, its certificate, and what stands above it.
public struct Signer: Sendable {
    /// The key that signs MobileSecurityObjects.
    public var key: PrivateKey
    /// What its certificate was made from.
    public var template: CertificateTemplate
    /// `x5chain`: the signer's certificate first, never the root.
    public var chain: [[UInt8]]
}

/// An issuer of documents: its root (IACA), its signers and its revocation list.
public struct Issuer: Sendable {
    /// How it was made.
    public let options: IssuerOptions
    /// The root's key.
    public let rootKey: PrivateKey
    /// The root's certificate.
    public let root: [UInt8]
    /// The authority between root and signers, where there is one.
    public let intermediate: Signer?
    /// The signer in use.
    public let signer: Signer
    /// A signer that the revocation list names.
    public let revokedSigner: Signer
    let rootName: DistinguishedName
    /// When it was made.
    public let created: Moment
    let randomness: Randomness

    /// A new issuer, its certificates valid from a day before `now`.
    public init(
        _ options: IssuerOptions = IssuerOptions(), at now: Moment, randomness: Randomness = .system
    ) throws(WalletError) {
        try self.init(
            options, at: now, randomness: randomness, rootKey: PrivateKey(options.rootKind, randomness: randomness))
    }

    init(_ options: IssuerOptions, at now: Moment, randomness: Randomness, rootKey: PrivateKey) throws(WalletError) {
        self.options = options
        self.randomness = randomness
        self.rootKey = rootKey
        created = now
        let names = Names(options)
        rootName = names.root
        let factory = CertificateFactory(options: options, names: names, created: now, randomness: randomness)
        root = try factory.root(rootKey).signed(by: rootKey)
        var intermediate: Signer?
        if options.intermediate {
            let key = try PrivateKey(options.rootKind, randomness: randomness)
            let template = try factory.intermediate(key, under: rootKey)
            intermediate = Signer(key: key, template: template, chain: [try template.signed(by: rootKey)])
        }
        self.intermediate = intermediate
        signer = try factory.signer(Issuer.signerName, under: intermediate, rootKey: rootKey)
        revokedSigner = try factory.signer(Issuer.revokedSignerName, under: intermediate, rootKey: rootKey)
    }

    /// An issuer that was kept: its keys, its certificates, and when and how it was made.
    public init(
        restoring kept: Kept, _ options: IssuerOptions, created: Moment, randomness: Randomness = .system
    ) throws(WalletError) {
        let names = Names(options)
        let factory = CertificateFactory(options: options, names: names, created: created, randomness: randomness)
        var intermediate: Signer?
        if let (key, certificate) = kept.intermediate {
            let template = try factory.intermediate(key, under: kept.root.key)
            intermediate = Signer(key: key, template: template, chain: [certificate])
        }
        func signer(_ name: String, _ pair: Kept.Pair) throws(WalletError) -> Signer {
            let template = try factory.signer(name, pair.key, under: intermediate, rootKey: kept.root.key)
            return Signer(key: pair.key, template: template, chain: [pair.certificate] + (intermediate?.chain ?? []))
        }
        self.options = options
        self.randomness = randomness
        self.created = created
        self.intermediate = intermediate
        rootName = names.root
        rootKey = kept.root.key
        root = kept.root.certificate
        self.signer = try signer(Issuer.signerName, kept.signer)
        revokedSigner = try signer(Issuer.revokedSignerName, kept.revokedSigner)
    }

    /// What must be kept of an issuer.
    public struct Kept: Sendable {
        /// A key and its certificate.
        public typealias Pair = (key: PrivateKey, certificate: [UInt8])
        /// The root.
        public var root: Pair
        /// The authority between, where there is one.
        public var intermediate: Pair?
        /// The signer in use.
        public var signer: Pair
        /// The signer that the revocation list names.
        public var revokedSigner: Pair

        /// What was kept.
        public init(root: Pair, intermediate: Pair? = nil, signer: Pair, revokedSigner: Pair) {
            self.root = root
            self.intermediate = intermediate
            self.signer = signer
            self.revokedSigner = revokedSigner
        }
    }

    private static let signerName = "Document Signer 01"
    private static let revokedSignerName = "Document Signer 00"

    /// Another signer; `edit` may make its certificate wrong.
    public func signer(
        named name: String = "Document Signer 02", kind: KeyKind? = nil, sha1: Bool = false,
        edit: (inout CertificateTemplate) -> Void = { _ in }
    ) throws(WalletError) -> Signer {
        let names = Names(options)
        let factory = CertificateFactory(options: options, names: names, created: created, randomness: randomness)
        return try factory.signer(
            name, kind: kind, under: intermediate, rootKey: rootKey, sha1: sha1, edit: edit)
    }

    /// The list that revokes `revokedSigner`, or those named by `serials`; signed by whoever signed the signers.
    public func revocationList(
        serials: [[UInt8]]? = nil, thisUpdate: Moment? = nil, nextUpdate: Moment? = nil
    ) throws(WalletError) -> [UInt8] {
        let key = intermediate?.key ?? rootKey
        let list = RevocationListTemplate(
            issuer: intermediate?.template.subject ?? rootName, thisUpdate: thisUpdate ?? created,
            nextUpdate: nextUpdate ?? (thisUpdate ?? created).adding(days: 90),
            serials: serials ?? [revokedSigner.template.serial], authorityKeyIdentifier: try key.identifier)
        return try list.signed(by: key)
    }

    struct Names: Sendable {
        let root: DistinguishedName
        let options: IssuerOptions

        init(_ options: IssuerOptions) {
            self.options = options
            root = DistinguishedName(
                country: options.country, state: options.state, organisation: options.organisation,
                commonName: "\(options.organisation) IACA")
        }

        func named(_ name: String) -> DistinguishedName {
            DistinguishedName(
                country: options.country, state: options.state, organisation: options.organisation,
                commonName: "\(options.organisation) \(name)")
        }
    }
}
