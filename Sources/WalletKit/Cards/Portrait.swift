/// A portrait that is a real JPEG: a drawn face of 96 by 128 pixels, made longer by comment segments.
public enum Portrait: String, Sendable, CaseIterable {
    /// 3,000 bytes, as a card's chip holds it.
    case small
    /// 60,000 bytes, as a phone may send it.
    case large

    /// How many bytes it has.
    public var count: Int {
        switch self {
        case .small: 3000
        case .large: 60_000
        }
    }

    /// The image.
    public var bytes: [UInt8] {
        let image = Portrait.drawing
        // One COM segment behind the start marker: FF FE, two bytes of length that count themselves, text.
        let length = count - image.count - 2
        guard length > 2, length <= 0xFFFF else { return image }
        let text = (0..<length - 2).map { 0x20 + UInt8($0 % 95) }
        return image[..<2] + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + text + image[2...]
    }

    private static let drawing: [UInt8] = Base64.decode(encoded.utf8) ?? []

    private static let encoded = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxO
        UlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P
        T09PT09PT0//wAARCACAAGADASIAAhEBAxEB/8QAGwABAAIDAQEAAAAAAAAAAAAAAAQGAgMFBwH/xAA1EAABAwMBBQYDBwUAAAAA
        AAABAAIDBAURMQYSIUFRExYiU2GSgZHSFCNScaHB0TIzQuHw/8QAGAEBAAMBAAAAAAAAAAAAAAAAAAIDBAH/xAAfEQACAwACAwEB
        AAAAAAAAAAAAAQIDESExBBITQTL/2gAMAwEAAhEDEQA/ALmiIrCsIiIAiLmVG0Nnpt3tLhC7ezjsz2nz3c4QHTRcqn2ks1Q8sjr4
        gQM/eAsHzcAF02PbIxr43NcxwBa5pyCOoQGSIiAIiIAiIgCi3GvprbRvqqt+6xvAAauPIAcypS8w2oujrndpMFvYQExxbrt4EA/1
        dOPpyx0XG8OpaYXi/wBfdXvEkro6cnwwMOGgcNfxaA8eemFykRQJhTrZeK+1vzSTuazOXRu4sdpqPgBkcfVQUQHq9mu9NeKMTQHd
        e3hJETxYf3HQ/wCwugvJbRcpbVcY6uIb27wczJAe06g/9qAvWGPbIxr43NcxwBa5pyCOoU09INYZIiLpwIiIDn3+q+x2OsnBe1wj
        LWlhwQ53hB+ZC8oXrtyoYrlQSUc7ntjkxksIB4EHn+S4Pci1+fWe9v0quclHsshFvooCK/8Aci2efWe9v0p3Itnn1nvb9Kr+sSfz
        ZQEV/wC5Fs8+s97fpTuRbPPrPe36U+sR82UBelbGVX2nZ6JpL3Ogc6Jxcc+ox6AED4KJ3Itnn1nvb9K7VntVPaKV1PTPkexzy8mQ
        gnJAHIDorISUuiE4tdk5ERWFYREQBYrJYrPf+F9P6cHa623C5W5kVvkyGuzJDkN7UcuJ6a4/cBdS2QVNNboIa2o+0Tsbh8nU/vjT
        PPGVKRUbxhdnOmudsj4JGQydlI5pDX7u9unHA454Ve2UtN1t09W+4T5jkccM3t/tHZ/uZ5Z+Z56BWVETxYM50LIaLFZK6jtlV3SC
        Ii0mcIiIAvh1X1DxULI+0cJwl6vTXJv9m7st3fwd3e0zyyoVPdIHExVThT1DB42yeEZ4aHTHTip6wliimbuzRskaDnDmgjKxdcM2
        Joiz3WjhDd2UTPccNZF4iT8FJpzK6BhqGNZKR4mtOQCkUEMOexhjj3tdxoGVsQNoDVZIBhFsqh6x5MdkvZhERWEAiIgCIsJZY4Yz
        JNIyNjdXPIAHxQGeq0CYcx8lzKrai1079xr5Jzkg9k3IGPU4z8Mqas3kLMZooe6bjMOQK3M4tB6hQ1CbtNbY6iSmnMsRiJaXOZlp
        IOOGMn9Fzx1rZ294kdpFrgnhqGF9PNHK0HBcxwcM9OC2LUZgiIgCIq5tTe3UbBR0cgE7x944HjGOX5E/p8QV1LWDdedpaegLoKYC
        eoBLXDOGsOOZ58eQ9eIVMrK6qrpBJVzvlI0B0H5DQaKMiuUUiDYVw700HlVPtb/Kp6KFlUbP6JwscOi4d6aDyqn2t/lVWslbPWzz
        MBDZJHOAOuCcrSiV0xrexE7JT7N1NVT0kwlppXxPHNp154PUcNFbrNtTFMGwXIiKQAAS/wCLznn+Hl6a6KlopuKZDT1lFUdlL27f
        bbquQbuMQPceOfwfx8uitypaxk0aK2pbR0U1S/GImF2C7GTyGfU8F5lUTy1M7553l8jzlzjzVx21nDLZDAHlrpZc7oz4mgHOfiWq
        kqyC40iwiIrDgREQBERAEREBkx7mPa9ji1zTkOBwQeq9IsdcbhaoZ3kGTG7Jgg+IcOONM649V5qrXsPOA+rp3POSGvazjjhkE/q1
        QmuDqP/Z
        """
}
