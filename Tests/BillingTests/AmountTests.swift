import Billing
import Testing

@Suite struct AmountTests {
    @Test(arguments: [
        ("0", "0"), ("0.5", "0.5"), ("80", "80"), ("-12.250", "-12.25"), ("0.000001", "0.000001"),
        ("999999999999999.999999", "999999999999999.999999"), ("-0", "0"),
    ])
    func `a decimal is read and written exactly`(text: String, written: String) {
        #expect(ExactAmount(text)?.description == written)
    }

    @Test(arguments: [
        "", "-", ".5", "5.", "1e3", "+1", "1,000", "1_000", "01", "0x1", " 1", "1 ", "１", "1.0000001", "NaN", "inf",
        "--1", "1.2.3", "1000000000000000", "٣",
    ])
    func `whatever is no plain decimal is refused`(text: String) {
        #expect(ExactAmount(text) == nil)
    }

    @Test func `a tenth ten times is one, and half a yen twice is a yen`() throws {
        let tenth = try #require(ExactAmount("0.1"))
        #expect(tenth * 10 == ExactAmount("1"))
        let half = try #require(ExactAmount("0.5"))
        #expect((half * 2).minorUnits(of: .yen, .down) == 1)
        #expect(half.minorUnits(of: .yen, .down) == 0)
        #expect(half.minorUnits(of: .yen, .halfUp) == 1)
        #expect((half * -1).minorUnits(of: .yen, .halfUp) == -1)
        #expect((half * -1).minorUnits(of: .yen, .down) == 0)
        #expect((half * -1).minorUnits(of: .yen, .up) == -1)
    }

    @Test func `minor units follow the currency`() throws {
        let amount = try #require(ExactAmount("12.345"))
        let euro = try #require(Currency("EUR"))
        let dinar = try #require(Currency("KWD"))
        #expect(amount.minorUnits(of: euro, .halfUp) == 1235)
        #expect(amount.minorUnits(of: dinar, .down) == 12_345)
        #expect(euro.text(minorUnits: 5) == "0.05")
        #expect(euro.text(minorUnits: -1234) == "-12.34")
        #expect(Currency.yen.text(minorUnits: 1200) == "1200")
        #expect(ExactAmount(minorUnits: 1234, of: euro).description == "12.34")
        #expect(Currency("jpy") == nil && Currency("XXX") == nil)
    }

    @Test func `tax is exact at the half`() throws {
        let rate = try #require(TaxRate("0.10"))
        #expect(rate.tax(onMinorUnits: 105, .down) == 10)
        #expect(rate.tax(onMinorUnits: 105, .halfUp) == 11)
        #expect(rate.tax(onMinorUnits: 101, .up) == 11)
        #expect(rate.tax(onMinorUnits: -105, .halfUp) == -11)
        for text in ["10", "1.1", "-0.1", "0.0000001", "10%", ""] { #expect(TaxRate(text) == nil, "\(text)") }
    }
}
