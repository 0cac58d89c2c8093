import Foundation
import Mappings
import Simulation
@testable import SimulationReports
import Tables
import Testing
import TestSupport
import Values

@Suite struct `A simulation's report` {
  private static func spring() throws -> SimulationReport {
    let people = try crowd(60, campaigns: small, days: 4)
    let a = try variant("Spring", mapping(.skan4), people, crowd: "logistic:3", runs: 3, nonWinners: 0.2)
    let b = try variant("Grid", mapping(.skan4, grid), people, crowd: "logistic:3", runs: 3)
    return try report([a, b], people, skipped: [("bad-time", 3, 17), ("no-user", 1, 2)], duplicates: 2)
  }

  private static func old() throws -> SimulationReport {
    let people = try crowd(60, campaigns: small, days: 4)
    let variant = try variant("Old", mapping(.skan3), people)
    var chain = RollingChain(days: [1, 2, 7], currency: variant.configuration.currency)
    var builder = CohortBuilder()
    for person in people {
      builder.add(
        user: person.name, installed: person.installed, campaign: person.campaign, events: person.events)
    }
    chain.add(builder.cohort())
    return try report([variant], people, chain: chain)
  }

  @Test(arguments: Format.allCases) func `A simulation's report is printed in every format`(format: Format)
    throws
  {
    let ending = format == .table ? "txt" : format.rawValue
    try expectGolden(Self.spring().text(format), "spring.\(ending)")
    try expectGolden(Self.old().text(format), "old.\(ending)")
  }

  /// The JSON as plain values.
  private func json(_ report: SimulationReport) throws -> [String: Any] {
    let whole = try JSONSerialization.jsonObject(with: Data(report.text(.json).utf8))
    return try #require(whole as? [String: Any])
  }

  private func total(_ report: SimulationReport) throws -> [String: Any] {
    let variants = try #require(try json(report)["variants"] as? [[String: Any]])
    return try #require(variants.first?["total"] as? [String: Any])
  }

  @Test
  func `A simulation's report has every column in CSV, whatever the mapping, and the same rows in NDJSON`()
    throws
  {
    for report in [try Self.spring(), try Self.old()] {
      let csv = try report.text(.csv).split(separator: "\r\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      #expect(
        csv[0].map(String.init) == ["variant", "scope", "campaign", "currency"]
          + RunFigures.columns.map(\.header.name))
      #expect(csv.allSatisfy { $0.count == csv[0].count })
      let lines = try report.text(.ndjson).split(separator: "\n")
      #expect(lines.count == csv.count - 1)
      for (line, cells) in zip(lines, csv.dropFirst()) {
        let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        for (name, cell) in zip(csv[0], cells) {
          let value = try #require(row[String(name)])
          if value is NSNull { #expect(cell == "", "\(name)") } else { #expect(cell != "", "\(name)") }
        }
      }
    }
    #expect(Set(RunFigures.columns.map(\.header.name)).count == RunFigures.columns.count)
  }

  @Test func `A simulation's report writes null if there is nothing to count, and zero if there is`() throws {
    let free = try crowd(30, campaigns: small, days: 2, isFree: true)
    let unpaid = try total(report([try variant("Free", mapping(.skan3), free)], free))
    #expect(unpaid["visible-error"] is NSNull)
    #expect(unpaid["revenue"] as? Int == 0)
    #expect(unpaid["visible-p05"] is NSNull)
    #expect(unpaid["null-share"] as? Int == 0)
    let none = try total(report([try variant("None", mapping(.aak), [])], []))
    for name in ["null-share", "zero-share", "value-share", "delay-p50-hours", "chain-broken-share"] {
      #expect(none[name] is NSNull, "\(name)")
    }
    #expect(none["installs"] as? Int == 0)
    #expect((none["days"] as? [Any])?.isEmpty == true)
  }

  @Test func `A simulation's report has shares that add up to one, even if all values are null`() throws {
    let people = try crowd(60, campaigns: small, days: 4)
    for (model, nulls) in [("hard:1000000", 1.0), ("none", 0)] {
      let figures = try total(report([try variant("Old", mapping(.skan3), people, crowd: model)], people))
      let shares = ["null-share", "zero-share", "value-share"].compactMap { figures[$0] as? Double }
      #expect(shares.count == 3 && abs(shares.reduce(0, +) - 1) < 1e-5)
      #expect(shares[0] == nulls)
      #expect((figures["visible"] as? Double == 0) == (nulls == 1))
      #expect((figures["visible-error"] as? Double == -1) == (nulls == 1))
    }
  }

  @Test func `A simulation's report has days that add up to the totals`() throws {
    let people = try crowd(200, campaigns: small, days: 9)
    for runs in [1, 3] {
      let variant = try variant("Grid", mapping(.skan4, grid), people, crowd: "logistic:5", runs: runs)
      let study = try report([variant], people).first
      let days = study.total.days
      #expect(days.map(\.day) == days.map(\.day).sorted())
      #expect(abs(days.reduce(0) { $0 + $1.postbacks } - study.total.mean(study.total.sum.winners)) < 1e-6)
      #expect(days.reduce(0) { $0 + $1.installs } == study.total.mean(study.total.sum.installs))
      #expect(days.last?.visibleSoFar == study.total.mean(study.total.sum.visible))
      #expect(days.last?.revenueSoFar == study.total.mean(study.total.sum.revenue))
      let rows = try study.rows(most: .max)
      #expect(rows.reduce(0) { $0 + $1.figures.sum.installs } == study.total.sum.installs)
    }
  }

  @Test func `A simulation's report for people leaves out columns that are empty everywhere`() throws {
    let people = try crowd(40, campaigns: [("only", 1)], days: 3)
    let table = try report([try variant("Old", mapping(.skan3), people)], people).text(.table)
    for word in ["window 1", "withheld", "not won", "later", "at 5 %", "total"] {
      #expect(!table.split(separator: "\n").contains { $0.hasPrefix("campaign ") && $0.contains(word) })
      #expect(!table.contains("\n\(word)"))
    }
    let many = try report(
      [try variant("New", mapping(.skan4, grid), people, crowd: "hard:2", runs: 3, nonWinners: 0.5)], people
    ).text(.table)
    for word in ["window 1", "window 2", "not won", "at 5 %"] { #expect(many.contains(word), "\(word)") }
  }

  @Test func `A simulation's report shows foreign names without control characters`() throws {
    let people = try crowd(80, campaigns: hostile, days: 3)
    let report = try report([try variant("\u{1B}[2J", mapping(.skan4), people)], people)
    let table = try report.text(.table)
    #expect(!table.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    #expect(!table.contains("\u{202E}"))
    var reader = try report.text(.csv)
    #expect(reader.contains("\"'=HYPERLINK(\"\"http://x\"\")\""))
    reader = try report.text(.ndjson)
    #expect(reader.split(separator: "\n").count == hostile.count + 1)
  }

  @Test func `A simulation's report shows which mapping is better, from both sides`() throws {
    let names = (0..<20).map { (name: "campaign \($0)", weight: 1) }
    let people = try crowd(1500, campaigns: names, days: 2)
    let grid = try variant("Grid", mapping(.skan4, grid), people)
    let ladder = try variant("Ladder", mapping(.skan4), people)
    func sentence(_ a: SimulationReport.Variant, _ b: SimulationReport.Variant) throws -> String {
      try VariantComparison(a, b).sentence.english
    }
    let forth = try sentence(ladder, grid)
    let back = try sentence(grid, ladder)
    #expect(forth == back)
    #expect(forth.hasPrefix("Grid is better than Ladder on campaign revenue error by "))
    #expect(forth.hasSuffix("(bootstrap over 20 campaigns)."))
    #expect(try VariantComparison(ladder, grid).verdict == "b-is-better")
    #expect(try VariantComparison(grid, ladder).verdict == "a-is-better")
    #expect(try VariantComparison(grid, grid).verdict == "no-difference")
    #expect(try sentence(grid, grid).contains("have no difference that matters"))
  }

  @Test func `A simulation's report compares nothing if there is nothing to compare`() throws {
    let people = try crowd(40, campaigns: [("only", 1)], days: 2)
    let dollars = try variant("Dollars", mapping(.skan4), people)
    let euros = try variant("Euros", mapping(.skan4, currency: "EUR"), people)
    #expect(try VariantComparison(dollars, euros).verdict == "not-compared")
    #expect(try VariantComparison(dollars, euros).sentence.english.contains("different currencies"))
    #expect(try VariantComparison(euros, euros).sentence.english.contains("no campaign has revenue"))
    #expect(try VariantComparison(dollars, dollars).sentence.english.contains("one campaign is too few"))
    let table = try report([euros], people).text(.table)
    #expect(table.contains("USD, not counted"))
  }

  @Test
  func `A simulation's report states why most values are withheld, with figures of the data and the model`()
    throws
  {
    // Ten days of eight installs in one campaign, and of two in another.
    let usd = try #require(CurrencyCode("USD"))
    let payment = UserEvent(
      secondsSinceInstall: 60, name: "purchase", revenue: Money(micros: 9_000_000, currency: usd))
    let people = (0..<100).map { number -> Person in
      let installed = epoch + Int64(number / 10) * 86_400_000
      let campaign = number % 10 < 8 ? "large" : "small"
      return Person(name: "u\(number)", installed: installed, campaign: campaign, events: [payment])
    }
    func notes(_ model: String) throws -> [String] {
      let report = try report([try variant("Spring", mapping(.skan4), people, crowd: model)], people)
      let page = try report.html()
      let notes = report.notes.map(\.english)
      #expect(
        notes.allSatisfy {
          page.contains($0.split(separator: "`")[0].replacing(" %", with: "\u{A0}%"))
        })
      let whole = try JSONSerialization.jsonObject(with: Data(report.text(.json).utf8)) as? [String: Any]
      let variants = try #require(whole?["variants"] as? [[String: Any]])
      #expect(variants.first?["notes"] as? [String] == notes)
      return notes
    }
    let cure = " Simulate more users, or compare with a lower threshold: `--threshold hard:8`."
    let start =
      "100.0 % of the conversion values are withheld. The largest campaign has 8 installs a day; this model shows "
    #expect(try notes("hard:45") == [start + "conversion values from 45." + cure])
    #expect(
      try notes("tiers:10,45,200") == [
        start + "coarse conversion values from 10 and fine ones from 45." + cure
      ])
    #expect(
      try notes("value:500") == [
        start + "a conversion value if 500 users of a campaign and week share it." + cure
      ])
    let likely = try notes("logistic:45")
    #expect(likely.count == 1)
    #expect(
      likely[0].contains(
        "The largest campaign has 8 installs a day; this model shows conversion values from about 45 installs, where half of them are shown."
      ))
    // Where most values are shown there is nothing to note.
    for model in ["none", "hard:8", "tiers:1,2,3", "value:1"] { #expect(try notes(model) == [], "\(model)") }
  }

  @Test func `A simulation's report names the variant that a sentence is about`() throws {
    let people = try crowd(60, campaigns: small, days: 4)
    let strict = try variant("Strict", mapping(.skan4), people, crowd: "hard:1000")
    let open = try variant("Open", mapping(.skan4), people)
    let notes = try report([open, strict], people).notes.map(\.english)
    #expect(notes.count == 1)
    #expect(notes[0].hasPrefix("Strict: 100.0 % of the conversion values are withheld."))
  }
}
