import Foundation
import Testing
import Values

struct `A reporting zone` {
  private func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)")))
  }

  @Test func `A reporting zone is UTC, an offset or nothing`() throws {
    #expect(ReportingZone(offset: "UTC") == .utc)
    #expect(ReportingZone(offset: "+00:00")?.isUTC == true)
    let india = try #require(ReportingZone(offset: "+05:30"))
    #expect(india.day(of: Instant("2026-11-20T18:29:59Z") ?? .init(seconds: 0)) == Day("2026-11-20"))
    #expect(india.day(of: Instant("2026-11-20T18:30:00Z") ?? .init(seconds: 0)) == Day("2026-11-21"))
    let west = try #require(ReportingZone(offset: "-08:00"))
    #expect(west.day(of: Instant("2026-11-20T07:59:59Z") ?? .init(seconds: 0)) == Day("2026-11-19"))
    for wrong in ["", "+5", "+05:60", "+24:00", "05:30", "+05:30 ", "CET", "+0a:00"] {
      #expect(ReportingZone(offset: wrong) == nil, "\(wrong)")
    }
  }

  /// Foundation reads the same files with other code.
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Lord_Howe",
    "Africa/Casablanca", "Pacific/Apia", "Asia/Gaza", "America/Nuuk", "Antarctica/Troll", "Etc/GMT+5",
  ])
  func `A reporting zone has the offsets that Foundation finds in the same file`(name: String) throws {
    let zone = try #require(ReportingZone(name: name, file: try file(name)))
    let known = try #require(TimeZone(identifier: name))
    var random = SplitMix64(seed: 1)
    // From 1970 to 2037, the last year that files spell out.
    for _ in 0..<4000 {
      let seconds = Int64(random.next() % 2_140_000_000)
      #expect(
        zone.offset(at: Instant(seconds: seconds))
          == Int64(known.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))), "\(seconds)")
    }
  }

  @Test func `A reporting zone goes on by the rule at the end of its file`() throws {
    let berlin = try #require(ReportingZone(name: "Europe/Berlin", file: try file("Europe/Berlin")))
    // The last Sundays of March and October 2050 are the 27th and the 30th; clocks change at 01:00 UTC.
    for (moment, hours) in [
      ("2050-03-27T00:59:59Z", 1), ("2050-03-27T01:00:00Z", 2), ("2050-10-30T00:59:59Z", 2),
      ("2050-10-30T01:00:00Z", 1), ("2150-07-01T00:00:00Z", 2),
    ] as [(String, Int64)] {
      #expect(berlin.offset(at: try #require(Instant(moment))) == hours * 3600, "\(moment)")
    }
  }

  @Test func `A reporting zone rejects what is no file of the database, and does not crash`() throws {
    let good = try file("Europe/Berlin")
    #expect(ReportingZone(name: "x", file: []) == nil)
    #expect(ReportingZone(name: "x", file: Array("TZif2".utf8)) == nil)
    for count in stride(from: 0, to: good.count - 1, by: 7) {
      _ = ReportingZone(name: "x", file: Array(good.prefix(count)))
    }
    var random = SplitMix64(seed: 2)
    for _ in 0..<3000 {
      var bad = good
      for _ in 0..<4 {
        bad[Int(random.next() % UInt64(bad.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = ReportingZone(name: "x", file: bad)
    }
  }
}

struct `The calendar of days` {
  @Test(arguments: [
    ("1970-01-01", "1969-12-29", "1970-01-01", "1970-01"),
    ("2026-11-22", "2026-11-16", "2026-11-01", "2026-11"),
    ("2026-11-23", "2026-11-23", "2026-11-01", "2026-11"),
    ("2027-01-01", "2026-12-28", "2027-01-01", "2027-01"),
    ("1969-12-28", "1969-12-22", "1969-12-01", "1969-12"),
    ("2024-02-29", "2024-02-26", "2024-02-01", "2024-02"),
  ])
  func `The calendar of days knows the Monday and the month of a day`(
    text: String, monday: String, month: String, name: String
  )
    throws
  {
    let day = try #require(Day(text))
    #expect(day.monday == Day(monday))
    #expect(day.startOfMonth == Day(month))
    #expect(day.monthText == name)
  }
}
