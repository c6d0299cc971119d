public import CBOR
public import COSE

/// DeviceSigned (ISO/IEC 18013-5 section 8.3.2.1.2.2): the device's part of a document.
public struct DeviceSigned: Sendable {
    /// DeviceAuth: exactly one of its two forms.
    public enum Authentication: Sendable {
        /// `deviceSignature`.
        case signature(COSESign1)
        /// `deviceMac`.
        case mac
    }

    /// DeviceNameSpacesBytes as received: they go into DeviceAuthentication unchanged.
    public let nameSpacesBytes: ArraySlice<UInt8>
    /// The identifiers of the elements that the device asserts by itself. Their values are read by nobody: the device is
    /// not the issuer.
    public let elementIdentifiers: [String]
    /// How the device authenticates.
    public let authentication: Authentication

    /// Reads a DeviceSigned.
    public init(_ map: CBORItem) throws(MdocError) {
        do {
            let nameSpaces = try map.require("nameSpaces")
            nameSpacesBytes = nameSpaces.encoded
            elementIdentifiers = try DeviceSigned.identifiers(nameSpaces.embedded().root)
            let deviceAuth = try map.require("deviceAuth")
            switch (deviceAuth["deviceSignature"], deviceAuth["deviceMac"]) {
            case (let signature?, nil): authentication = .signature(try COSESign1(item: signature))
            case (nil, let mac?):
                guard mac.kind == .array else { throw MdocError.malformed }
                authentication = .mac
            case (nil, nil), (.some, .some): throw MdocError.malformed
            }
        } catch {
            throw .malformed
        }
    }

    private static func identifiers(_ namespaces: CBORItem) throws -> [String] {
        guard namespaces.kind == .map else { throw MdocError.malformed }
        var identifiers: [String] = []
        for (_, elements) in namespaces.pairs {
            guard elements.kind == .map else { throw MdocError.malformed }
            for (identifier, _) in elements.pairs { identifiers.append(try identifier.text()) }
        }
        return identifiers
    }
}
