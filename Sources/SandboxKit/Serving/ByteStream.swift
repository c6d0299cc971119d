/// A connection as bytes: plain, or under TLS. One thread owns it.
protocol ByteStream: AnyObject {
    /// The next bytes; empty at the end, and where the connection broke.
    func read() -> [UInt8]
    /// Writes all the bytes; `false` where the peer is gone.
    func write(_ bytes: [UInt8]) -> Bool
    /// Ends the connection as one ends it politely.
    func finish()
}
