import CBOR
import Testing

@Suite struct LimitTests {
    @Test func `an input above a limit is refused, one at the limit is not`() {
        let limits = CBORLimits(depth: 2, items: 4, length: 8)
        #expect(refusal(hex("83010203"), limits: limits) == nil)
        #expect(refusal(hex("8401020304"), limits: limits) == .tooManyItems)
        #expect(refusal(hex("9f010203ff"), limits: limits) == nil)
        #expect(refusal(hex("9f01020304ff"), limits: limits) == .tooManyItems)
        #expect(refusal(hex("4701020304050607"), limits: limits) == nil)
        #expect(refusal(hex("480102030405060708"), limits: limits) == .tooLong)
        #expect(refusal(hex("818101"), limits: limits) == nil)
        #expect(refusal(hex("81818101"), limits: limits) == .tooDeep)
        #expect(refusal(hex("d818818101"), limits: limits) == .tooDeep)
    }

    @Test func `limits that ask for more than the tape can tell are cut to it`() {
        let greedy = CBORLimits(depth: .max, items: .max, length: .max)
        #expect(refusal([UInt8](repeating: 0x81, count: 128) + [0], limits: greedy) == nil)
        #expect(refusal([UInt8](repeating: 0x81, count: 129) + [0], limits: greedy) == .tooDeep)
        #expect(refusal(hex("00"), limits: CBORLimits(depth: -1, items: 0, length: 10)) != nil)
    }

    @Test func `a break belongs to what a break ends`() {
        for text in ["ff", "81ff", "a1ff00", "a100ff", "c0ff", "bf00ff", "9f81ff", "9fc0ff", "d818ff"] {
            #expect([.notWellFormed, .truncated].contains(refusal(text)), "\(text)")
        }
        #expect(refusal("9fffff") == .trailingBytes)
        #expect(refusal("bf0001ff") == nil)
    }
}
