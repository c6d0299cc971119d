import Testing
import VerificationCore

@Suite struct ValueTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799_000),
            ("2025-02-19T23:36:58.210391Z", 1_740_008_218_210), ("1985-04-12T23:20:50.5Z", 482_196_050_500),
            ("2026-04-01T00:00:00+09:00", 1_774_969_200_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            ("1969-12-31T23:59:59.999Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ] as [(String, Int64)])
    func `an instant is read to the millisecond and written back`(text: String, milliseconds: Int64) throws {
        let time = try #require(RFC3339.timestamp(text))
        #expect(time.milliseconds == milliseconds)
        #expect(RFC3339.timestamp(RFC3339.text(time)) == time)
        #expect(RFC3339.timestamp(RFC3339.text(time, fraction: false)) == time)
    }

    @Test(arguments: [
        "", "2026-08-18", "2026-08-18T00:00:00", "2026-08-18 00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-12-31T23:59:60Z",
        "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+9:00", "2026-01-01T00:00:00z", "+026-01-01T00:00:00Z",
    ])
    func `T15 what is not an RFC 3339 instant is not read`(text: String) {
        #expect(RFC3339.timestamp(text) == nil)
    }

    @Test func `every day of four centuries goes to its number and back, and no day is skipped`() throws {
        let first = try #require(CivilDate("1868-01-01")).daysSinceEpoch
        var last = try #require(CivilDate("1867-12-31"))
        for days in first..<(first + 146_097) {
            let date = CivilDate(daysSinceEpoch: days)
            #expect(date > last && date.daysSinceEpoch == days)
            last = date
        }
        #expect(last.description == "2267-12-31")
    }

    @Test(arguments: [
        "1985-00-00", "1985-07-00", "1985", "1985-XX-XX", "2023-02-29", "1900-02-29", "2024-2-29", "２０２４-02-29",
    ])
    func `T12 a date that the calendar does not have is no date`(text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test func `nothing readable comes out of a sensitive value but by its own door`() {
        let secret = Sensitive("canary-4711")
        var dumped = ""
        dump(secret, to: &dumped)
        let shown = ["\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", dumped]
        for text in shown { #expect(!text.contains("canary")) }
        #expect(secret.withValue { $0 } == "canary-4711")
    }

    @Test func `bytes go to base64 and hex and back at every length, and stray bits are refused`() {
        for length in 0..<67 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
            #expect(ByteText.bytes(base64: ByteText.base64(bytes)) == bytes)
            #expect(ByteText.bytes(base64: ByteText.base64URL(bytes)) == bytes)
            #expect(ByteText.bytes(hex: ByteText.hex(bytes)) == bytes)
        }
        for text in ["A", "AB", "AAB", "A===", "AA=", "AAA==", "====", "AA==AA==", "A A=", "+_AA", "AA==\n"] {
            #expect(ByteText.bytes(base64: text) == nil, "\(text)")
        }
        for text in ["0", "0g", "é1", "0x00"] { #expect(ByteText.bytes(hex: text) == nil, "\(text)") }
    }

    @Test func `adding durations never wraps around`() {
        let end = Timestamp(milliseconds: .max)
        #expect(end.advanced(by: .seconds(1)) == end)
        #expect(Timestamp(milliseconds: .min).advanced(by: .seconds(-1)).milliseconds == .min)
        #expect(Timestamp(seconds: 0).advanced(by: .seconds(Int64.max)) == end)
        #expect(Timestamp(seconds: 10).duration(since: Timestamp(seconds: 4)) == .seconds(6))
    }

    @Test func `a report never lets a pass cover a failure, and unchecked is not a pass`() {
        var report = Report()
        report.fail(.digests, .digestMismatch)
        report.pass(.digests)
        report.fail(.digests, .elementDuplicated)
        #expect(report[.digests] == .failed(.digestMismatch))
        #expect(report[.validity] == .notChecked)
        for check in CheckName.inHouse { report.pass(check) }
        #expect(!report.allPassed(Set(CheckName.inHouse)))
        #expect(
            VerifiedClaims(
                Sensitive([:]), document: Sensitive(DocumentFacts(type: "x")), report: report,
                required: .inHouse(revocation: false)) == nil)
    }

    @Test func `a report keeps the outcome of each check apart, in the order of the checks`() {
        for check in CheckName.allCases {
            var report = Report()
            report.fail(check, .evidenceMalformed)
            #expect(report.failures == [check])
            #expect(CheckName.allCases.filter { report[$0] != .notChecked } == [check])
        }
    }

    @Test(arguments: [RequiredChecks.inHouse(revocation: true), .inHouse(revocation: false), .simulator, .certified])
    func `claims are verified only where each required check passed`(required: RequiredChecks) {
        let facts = Sensitive(DocumentFacts(type: "x"))
        var whole = Report()
        for check in required.names { whole.pass(check) }
        #expect(VerifiedClaims(Sensitive([:]), document: facts, report: whole, required: required) != nil)
        for missing in required.names {
            var report = Report()
            for check in required.names where check != missing { report.pass(check) }
            #expect(VerifiedClaims(Sensitive([:]), document: facts, report: report, required: required) == nil)
            report.fail(missing, .evidenceMalformed)
            #expect(VerifiedClaims(Sensitive([:]), document: facts, report: report, required: required) == nil)
        }
    }
}
