@testable import Intake
import Ledger
import Testing
import Values

struct `A time of arrival in an export` {
  private func times(_ form: String? = nil, zone: String = "UTC", notAfter latest: String? = nil) throws
    -> ArrivalTimes
  {
    ArrivalTimes(
      as: try form.map { try TimeFormat($0) }, by: ReportingZone(named: zone),
      notAfter: latest.flatMap { Instant($0) })
  }

  private func mistake(_ text: String, _ times: ArrivalTimes) throws -> PartnerFileError {
    try #require(throws: PartnerFileError.self) { try times.time(text, in: "timestamp", line: 7) }
  }

  @Test(arguments: ["46346", "46346.34", "0", "1514764800", "1970-01-01 00:00:00", "2017-12-31T23:00:00Z"])
  func `A time of arrival in an export is never one before SKAdNetwork`(text: String) throws {
    let error = try mistake(text, try times())
    #expect(error.line == 7 && error.remedy != nil)
    #expect(error.problem.contains("before there were postbacks") || error.problem.contains("cannot be read"))
  }

  @Test
  func `A time of arrival in an export that a spreadsheet changed is rejected with the option that reads it`()
    throws
  {
    #expect(
      try mistake("46346.34375", try times()).remedy == "--time-format excel reads 2026-11-20T08:15:00Z")
    #expect(
      try mistake("20/11/2026 8:15", try times()).remedy
        == "--time-format day-first reads 2026-11-20T08:15:00Z")
    #expect(
      try mistake("1/11/2026 8:15", try times()).remedy
        == "--time-format day-first reads 2026-11-01T08:15:00Z, --time-format month-first reads 2026-01-11T08:15:00Z"
    )
    #expect(
      try times("excel").time("46346.34375", in: "t", line: 1)
        == (try #require(Instant("2026-11-20T08:15:00Z"))))
  }

  @Test
  func
    `A time of arrival in an export is by the clock that is named, and one that clocks show twice is rejected`()
    throws
  {
    let berlin = try times("day-first", zone: "Europe/Berlin")
    #expect(
      try berlin.time("20/11/2026 8:15", in: "t", line: 1) == (try #require(Instant("2026-11-20T07:15:00Z"))))
    #expect(
      try berlin.time("20/11/2026 8:15 +0000", in: "t", line: 1)
        == (try #require(Instant("2026-11-20T08:15:00Z"))))
    #expect(try mistake("25/10/2026 2:30", berlin).problem.hasSuffix("where clocks go back then"))
    #expect(try mistake("29/03/2026 2:30", berlin).problem.hasSuffix("where clocks go forward then"))
    let plain = try times(zone: "Europe/Berlin")
    #expect(
      try plain.time("2026-11-20 08:15:00", in: "t", line: 1)
        == (try #require(Instant("2026-11-20T07:15:00Z"))))
    #expect(
      try plain.time("2026-11-20 08:15:00 UTC", in: "t", line: 1)
        == (try #require(Instant("2026-11-20T08:15:00Z"))))
    #expect(
      try plain.time("1795162500", in: "t", line: 1) == (try #require(Instant("2026-11-20T08:15:00Z"))))
  }

  @Test
  func `A time of arrival in an export that is not past is rejected, as where day and month are exchanged`()
    throws
  {
    let times = try times("month-first", notAfter: "2026-11-26T00:00:00Z")
    #expect(try times.time("11/12/2026 8:15", in: "t", line: 1).day == Day("2026-11-12"))
    #expect(
      try mistake("12/11/2026 8:15", times).problem.hasSuffix("2026-12-11T08:15:00Z, which is not past"))
  }
}
