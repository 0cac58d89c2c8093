import Foundation
import Testing
import Values

struct `A spreadsheet's form of dates` {
  @Test(arguments: [
    ("day-first", "20/11/2026 08:15", "2026-11-20T08:15:00Z"),
    ("day-first", "1.2.26", "2026-02-01T00:00:00Z"),
    ("day-first", "01-02-2026 8:05:09", "2026-02-01T08:05:09Z"),
    ("day-first", "1/2/2026  8:05:09.25 pm", "2026-02-01T20:05:09.250Z"),
    ("day-first", "1/2/2026 20:05 +0200", "2026-02-01T18:05:00Z"),
    ("month-first", "1/2/2026 8:05 AM", "2026-01-02T08:05:00Z"),
    ("month-first", "11/20/26 12:05:00 AM +01:00", "2026-11-19T23:05:00Z"),
    ("excel", "46346", "2026-11-20T00:00:00Z"), ("excel", "46346.34375", "2026-11-20T08:15:00Z"),
    ("excel", "46346,34375", "2026-11-20T08:15:00Z"), ("excel", "46346.999999999999", "2026-11-21T00:00:00Z"),
    ("excel", "46346.3437615740741", "2026-11-20T08:15:01Z"), ("excel", "61", "1900-03-01T00:00:00Z"),
    ("excel-1904", "44884.34375", "2026-11-20T08:15:00Z"), ("excel-1904", "0", "1904-01-01T00:00:00Z"),
  ]) func `A spreadsheet's form of dates reads what spreadsheets leave`(
    form: String, text: String, moment: String
  )
    throws
  {
    #expect(try TimeFormat(form).instant(text).map { "\($0)" } == moment)
  }

  @Test(arguments: [
    ("day-first", "11/20/2026"), ("day-first", "31/04/2026"), ("day-first", "2026-11-20"),
    ("day-first", "20/11-2026"), ("day-first", "20/11/026"), ("day-first", "20/11/2026 25:00"),
    ("day-first", "20/11/2026 13:00 PM"), ("day-first", "20/11/2026 1:00 2:00"), ("day-first", ""),
    ("day-first", "46346"), ("month-first", "20/11/2026"), ("month-first", "1.2"),
    ("excel", "60"), ("excel", "2958466"), ("excel", "-1"), ("excel", "1.2.2026"), ("excel", "46346."),
    ("excel", "20/11/2026"), ("excel", "99999999999999999999"), ("excel", "٤٦٣٤٦"), ("excel-1904", "1e3"),
  ]) func `A spreadsheet's form of dates reads nothing that could be something else`(
    form: String, text: String
  )
    throws
  {
    #expect(try TimeFormat(form).instant(text) == nil)
  }

  @Test func `A form of moments shows whether a text has an offset`() throws {
    let form = try TimeFormat("%Y-%m-%d %H:%M %z")
    #expect(form.reading("2026-11-20 08:15 Z")?.offsetMinutes == 0)
    #expect(form.reading("2026-11-20 08:15 -0530")?.offsetMinutes == -330)
    #expect(try TimeFormat("day-first").reading("20/11/2026 08:15")?.offsetMinutes == nil)
  }

  @Test func `A clock that changes shows an hour twice and skips one`() throws {
    // 2026 in Europe/Berlin: one hour ahead, two from 29 March 01:00 to 25 October 01:00 UTC.
    let file = [UInt8](try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
    let berlin = try #require(ReportingZone(name: "Europe/Berlin", file: file))
    func moments(_ clock: String) throws -> [String] {
      berlin.moments(showing: try #require(Instant(clock))).map { "\($0)" }
    }
    #expect(try moments("2026-07-01T00:00:00Z") == ["2026-06-30T22:00:00Z"])
    #expect(try moments("2026-12-01T00:00:00Z") == ["2026-11-30T23:00:00Z"])
    #expect(try moments("2026-03-29T02:30:00Z") == [])
    #expect(try moments("2026-10-25T02:30:00Z") == ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"])
    #expect(try moments("2026-10-25T03:00:00Z") == ["2026-10-25T02:00:00Z"])
  }

  @Test(arguments: [
    ("1", -6, "0.000001"), ("123456789", -6, "123.456789"), ("1999", -2, "19.99"), ("1e3", -6, "0.001"),
    ("12.5", 0, "12.5"),
  ]) func `An amount in hundredths or millionths is exact`(text: String, shift: Int, amount: String) throws {
    #expect(try Amount(decimal: text, shiftedBy: shift).description == amount)
  }

  @Test(arguments: [
    ("0.30000000000000004", "0.3"), ("0.1234565", "0.123457"), ("-0.1234565", "-0.123457"),
    ("0.1234564999", "0.123456"), ("9.9999999", "10"), ("0.0000004", "0"), ("0.0000005", "0.000001"),
    ("1e-30", "0"), ("99999999.9999995", "100000000"), ("12", "12"), ("1e2", "100"),
  ]) func `An amount is rounded to a millionth where that is asked for`(text: String, amount: String) throws {
    #expect(try Amount(decimal: text, isRounded: true).description == amount)
  }

  @Test func `An amount of too many decimals is a mistake otherwise`() {
    #expect(throws: Amount.Defect.tooPrecise) { try Amount(decimal: "0.1234567") }
    #expect(throws: Amount.Defect.tooPrecise) { try Amount(decimal: "0.5", shiftedBy: -6) }
  }
}
