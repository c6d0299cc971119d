/// The name of a claim: OpenID Connect's where it has one, dotted for members of `address`.
public struct ClaimName: Hashable, Sendable, RawRepresentable, Comparable, CustomStringConvertible {
    /// `name`, `birthdate`, `address.formatted`, `age_over_20`, …
    public let rawValue: String

    /// A claim name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A claim name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }

    /// Orders by the text.
    public static func < (left: ClaimName, right: ClaimName) -> Bool { left.rawValue < right.rawValue }

    /// The NN of `age_over_NN`, 0 to 99; `nil` for any other claim.
    public var ageThreshold: Int? {
        guard rawValue.hasPrefix("age_over_"), rawValue.utf8.count == 11 else { return nil }
        return decimal(Array(rawValue.utf8.suffix(2)))
    }
}

/// The value of a claim, exactly as it was issued.
public indirect enum ClaimValue: Sendable, Hashable {
    /// Text, never normalised. Dates are text too (`YYYY-MM-DD`).
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// True or false.
    case boolean(Bool)
    /// An image, with its media type as found from its first bytes.
    case image(mediaType: String, data: [UInt8])
    /// An ordered list.
    case list([ClaimValue])
    /// Named members, in the order of the document.
    case record([ClaimMember])
}

/// One member of a claim that has several.
public struct ClaimMember: Sendable, Hashable {
    /// Its name, as in the document.
    public let name: String
    /// Its value.
    public let value: ClaimValue

    /// A member.
    public init(name: String, value: ClaimValue) {
        self.name = name
        self.value = value
    }
}

/// Claims by name.
public typealias ClaimSet = [ClaimName: ClaimValue]

/// What the gateway may say of the document behind a verdict.
public struct DocumentFacts: Sendable, Hashable {
    /// The document type, such as `org.iso.23220.1.jp.mnc`.
    public var type: String
    /// The issuing country, where the document or its signer's certificate names one.
    public var issuingCountry: String?
    /// The issuing authority, likewise.
    public var issuingAuthority: String?
    /// ValidityInfo's `signed`.
    public var signed: Timestamp?
    /// ValidityInfo's `validFrom`.
    public var validFrom: Timestamp?
    /// ValidityInfo's `validUntil`.
    public var validUntil: Timestamp?
    /// SHA-256 of the MobileSecurityObject's bytes. Leads back to a person: erased with the claims.
    public var mobileSecurityObjectDigest: [UInt8]?
    /// The document signer's certificate, where the document names one.
    public var signer: SignerFacts?

    /// Facts of which only the type is known.
    public init(type: String) {
        self.type = type
    }
}

/// What identifies a document signer's certificate.
public struct SignerFacts: Sendable, Hashable {
    /// The subject, as RFC 4514 text.
    public let subject: String
    /// The issuer, as RFC 4514 text.
    public let issuer: String
    /// The serial number in lower-case hexadecimal.
    public let serialNumber: String
    /// SHA-256 of the DER certificate.
    public let fingerprint: [UInt8]
    /// The last instant of the certificate's validity.
    public let notAfter: Timestamp

    /// Facts about a signer.
    public init(subject: String, issuer: String, serialNumber: String, fingerprint: [UInt8], notAfter: Timestamp) {
        self.subject = subject
        self.issuer = issuer
        self.serialNumber = serialNumber
        self.fingerprint = fingerprint
        self.notAfter = notAfter
    }
}
