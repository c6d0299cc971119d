/// Bytes of a secret that are overwritten when the last holder lets go of them.
package final class SecretBytes {
    /// The bytes; whoever keeps a copy must see to it itself.
    package private(set) var bytes: [UInt8]

    /// Takes over `bytes`, of which there should be no other copy.
    package init(_ bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    deinit {
        Wipe.bytes(&bytes)
    }
}
