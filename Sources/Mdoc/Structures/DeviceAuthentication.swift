import CBOR

/// DeviceAuthentication (ISO/IEC 18013-5 section 9.1.3.4): what the device signs.
public enum DeviceAuthentication {
    /// DeviceAuthenticationBytes: `#6.24(bstr .cbor ["DeviceAuthentication", SessionTranscript, DocType,
    /// DeviceNameSpacesBytes])`. Transcript and namespaces are spliced as they are; the transcript is not wrapped in tag 24.
    public static func bytes(
        transcript: SessionTranscript, documentType: String, nameSpacesBytes: ArraySlice<UInt8>
    ) -> [UInt8] {
        let heads = 64
        let length = transcript.bytes.count + documentType.utf8.count + nameSpacesBytes.count + heads
        var inner = CBOREncoder(capacity: length)
        inner.array(count: 4)
        inner.text("DeviceAuthentication")
        inner.raw(transcript.bytes)
        inner.text(documentType)
        inner.raw(nameSpacesBytes)
        var outer = CBOREncoder(capacity: length)
        outer.tag(24)
        outer.byteString(inner.bytes)
        return outer.bytes
    }
}
