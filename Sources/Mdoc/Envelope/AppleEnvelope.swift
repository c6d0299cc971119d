import CBOR

/// The envelope in which Apple Wallet seals its answer to an app (Apple, "Verifying Wallet identity requests").
///
/// `{algorithm: "APPLE-HPKE-v1", params: {mode: 0, pkEm, pkRHash, infoHash}, data}`, in any order of keys.
public struct AppleEnvelope: Sendable {
    /// The only algorithm there is.
    public static let algorithm = "APPLE-HPKE-v1"
    /// HPKE's base mode (RFC 9180 section 5).
    public static let baseMode: UInt64 = 0
    /// An uncompressed point of P-256: 04, X and Y.
    public static let pointLength = 65

    /// `pkEm`: the sender's ephemeral key, HPKE's `enc`.
    public let ephemeralKey: ArraySlice<UInt8>
    /// `pkRHash`: SHA-256 of the recipient's uncompressed point.
    public let recipientKeyHash: ArraySlice<UInt8>
    /// `infoHash`: SHA-256 of the SessionTranscript that the wallet sealed to.
    public let infoHash: ArraySlice<UInt8>
    /// `data`: ciphertext and tag.
    public let ciphertext: ArraySlice<UInt8>

    /// Reads an envelope of exactly these bytes.
    public init(_ bytes: [UInt8]) throws(EnvelopeError) {
        do {
            let root = try CBORDocument(bytes).root
            let parameters = try root.require("params")
            let point = try parameters.require("pkEm").bytes()
            let algorithm = try root.require("algorithm").text()
            let mode = try parameters.require("mode").unsigned()
            recipientKeyHash = try parameters.require("pkRHash").bytes()
            infoHash = try parameters.require("infoHash").bytes()
            ciphertext = try root.require("data").bytes()
            guard algorithm == AppleEnvelope.algorithm, mode == AppleEnvelope.baseMode else {
                throw EnvelopeError.unsupported
            }
            // Compressed, hybrid and identity encodings are no HPKE encapsulation of P-256 (RFC 9180 section 7.1.1).
            guard point.count == AppleEnvelope.pointLength, point.first == 0x04 else { throw EnvelopeError.malformed }
            ephemeralKey = point
        } catch let error as EnvelopeError {
            throw error
        } catch {
            throw .malformed
        }
    }
}

/// Why an envelope cannot be opened.
public enum EnvelopeError: Error, Sendable, Equatable {
    /// It is not the structure that Apple documents.
    case malformed
    /// It names an algorithm or a mode that is not ours.
    case unsupported
}
