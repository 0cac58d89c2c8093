import Arguments
@testable import Campaigns
@testable import Explanations
import Foundation
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
@testable import Reports
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

/// Reports of campaigns against a recount in Python, which reads `report postbacks` and shares no code with this.
struct `Campaign reports of every dimension`: ~Copyable {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
  }

  private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Recount/recount-campaigns.py").path
  /// Three versions of one mapping: another currency, other edges, and values by the type of the conversion.
  private static let mappings = [
    #"""
    {"name":"one","app":1,"currency":"USD","effective-from":"2026-10-01","protocol":"aak",
     "grids":[{"first-value":6,"events":["buy"],"revenue":[0,20,40,60]}],
     "coarse":[{"window":1,"low":{"revenue":{"from":0,"to":2}}},{"window":2,"totals":"window","low":{"revenue":{"from":0,"to":5}}},
       {"window":3,"low":{"revenue":{"from":0,"to":100}}}]}
    """#,
    #"""
    {"name":"two","app":1,"currency":"EUR","effective-from":"2026-11-10T05:30:00Z","protocol":"aak",
     "grids":[{"first-value":4,"events":["buy"],"revenue":[0,10,20,30,40]}],
     "coarse":[{"window":2,"totals":"window","low":{"revenue":{"from":0,"to":7}},"high":{"events":["buy"]}}]}
    """#,
    #"""
    {"name":"three","app":1,"currency":"EUR","effective-from":"2026-11-25","protocol":"aak",
     "fine":[{"value":5,"revenue":{"from":1,"to":2,"representative":1},"conversion-types":["install"]},
       {"value":5,"revenue":{"from":9,"representative":"9.5"},"events":["return"],"conversion-types":["re-engagement"]},
       {"value":6,"events":["buy"]}]}
    """#,
  ]

  private func store(seed: UInt64, count: Int) throws {
    var random = SplitMix64(seed: seed)
    func pick<Value>(_ values: [Value]) -> Value { values[random.number(below: values.count)] }
    let start = Instant(seconds: 1_793_491_200)
    let values: [ConversionValue] =
      (0...8).compactMap { FineValue(Int64($0)).map { .fine($0) } } + [
        .coarse(.low), .coarse(.high), .absent, .rejected,
      ]
    let receipts = try (0..<count).map { index in
      let version = pick([ProtocolVersion.v3_0, .v4_0, .adAttributionKit, .adAttributionKit])
      let window = version.hasWindows ? pick([ConversionWindow.first, .first, .second, .third]) : .first
      let value = pick(values)
      let publishers: [Publisher] = [
        .undisclosed, .app(try #require(AppID(77))), .app(try #require(AppID(1234567890))),
        .web("news.example"),
      ]
      return valid(
        "t\(index)",
        value: window != .first ? pick([.coarse(.low), .coarse(.high), .absent]) : value,
        at: start + Int64(random.number(below: 40 * 86_400)) * 1000,
        network: pick(["a.skadnetwork", "b.adattributionkit"]), app: pick([1, 1, 2]),
        campaign: version.hasWindows ? pick(["39", "5239", "17", "417"]) : pick(["17", "39"]),
        version: version, window: window, outcome: pick(Outcome.allCases + [.install, .install]),
        interaction: version == .adAttributionKit ? nil : pick(AdInteraction.allCases),
        publisher: pick(publishers),
        marketplace: version == .adAttributionKit ? pick([nil, "com.apple.AppStore"]) : nil,
        claimedInteraction: version == .adAttributionKit ? pick([nil, .view, .click]) : nil,
        country: pick([nil, nil, "US", "DE", "fr", "Narnia"]))
    }
    _ = try LedgerWriter(path: path).commit(receipts)
    try MappingStore(path: path).replaceAll(
      with: try Self.mappings.enumerated().map { index, text in
        let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
        return StoredMapping(
          source: "\(index).json", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "\(index)",
          loadedAt: start, document: Array(text.utf8))
      })
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `Campaign reports of every dimension are what a recount of single postbacks comes to`(seed: UInt64)
    throws
  {
    try store(seed: seed, count: 1500)
    let postbacks = folder.file("postbacks.ndjson")
    try printed(PostbackReport.self, ["environment": "test"], as: .ndjson, from: path)
      .write(toFile: postbacks, atomically: true, encoding: .utf8)
    struct Asked {
      let by: [CampaignDimension]
      var conditions: [CampaignCondition] = []
      var zone = "UTC"
    }
    var asked = CampaignDimension.allCases.map { Asked(by: [$0]) }
    asked += CampaignDimension.allCases.map {
      Asked(by: $0 == .app ? [.app, .outcome] : [.app, $0], zone: "Europe/Berlin")
    }
    asked += [
      Asked(by: [.publisher, .country, .week]), Asked(by: [.tier, .window, .version]),
      Asked(by: [.day], zone: "-09:30"), Asked(by: [.month, .app], zone: "America/New_York"),
      Asked(by: [.campaign], conditions: [.init(.country, ["US", "other"])]),
      Asked(
        by: [.outcome],
        conditions: [.init(.publisher, isExcluded: true, ["none"]), .init(.month, ["2026-11"])]),
      Asked(
        by: [.network],
        conditions: [.init(.campaign, ["5*", "17"]), .init(.outcome, isExcluded: true, ["re*"])]),
      Asked(by: [.country], conditions: [.init(.day, ["2026-11-1*"]), .init(.tier, ["3"])], zone: "+05:45"),
    ]
    var lines = ""
    for question in asked {
      let conditions = question.conditions.map { condition in
        "\(condition.dimension.rawValue)\(condition.isExcluded ? "!=" : "=")\(condition.patterns.joined(separator: ","))"
      }
      var words = [
        "environment": "test", "by": question.by.map(\.rawValue).joined(separator: ","),
        "time-zone": question.zone,
      ]
      if !conditions.isEmpty { words["where"] = conditions.joined(separator: ";") }
      let report = try printed(CampaignReport.self, words, as: .json, from: path)
      let list = question.conditions.map { condition in
        #"["\#(condition.dimension.rawValue)",\#(condition.isExcluded),[\#(condition.patterns.map { "\"\($0)\"" }.joined(separator: ","))]]"#
      }
      lines +=
        #"{"by":[\#(question.by.map { "\"\($0.rawValue)\"" }.joined(separator: ","))],"where":[\#(list.joined(separator: ","))],"#
        + #""zone":"\#(question.zone)","report":\#(report.split(separator: "\n").joined())}"# + "\n"
    }
    let reports = folder.file("reports.ndjson")
    try lines.write(toFile: reports, atomically: true, encoding: .utf8)
    let result = try Subprocess.run("/usr/bin/python3", [Self.script, postbacks, reports])
    #expect(result.exitCode == 0, "\(result.output) \(result.errors)")
    #expect(result.output.hasSuffix(" figures compared, 0 differences\n"))
    // A single figure that is off is found.
    let damaged = lines.replacing(#""installs":"#, with: #""installs":1"#, maxReplacements: 1)
    try damaged.write(toFile: reports, atomically: true, encoding: .utf8)
    #expect(try Subprocess.run("/usr/bin/python3", [Self.script, postbacks, reports]).exitCode == 1)
  }

  @Test func `Conversions and spend count under the name that a campaign had when the apps were launched`()
    throws
  {
    try store(seed: 5, count: 1500)
    func day(_ text: String) throws -> Day { try #require(Day(text)) }
    func name(_ name: String, _ adSet: String, from: String, to: String?) throws -> CampaignNameRow {
      CampaignNameRow(
        network: "a.skadnetwork", campaign: "5239", from: try day(from), to: try to.map(day), name: name,
        adSet: adSet, creative: nil, country: nil)
    }
    func spend(_ text: String, _ campaign: String, _ micros: Int64) throws -> SpendRow {
      SpendRow(
        day: try day(text), network: "a.skadnetwork", campaign: campaign, app: nil, currency: "USD",
        micros: micros, environment: .test)
    }
    try ReferenceStore(path: path).put([
      try name("Old", "one", from: "2026-01-01", to: "2026-11-10"),
      try name("New", "two", from: "2026-11-10", to: nil),
    ])
    try ReferenceStore(path: path).put([
      try spend("2026-11-05", "5239", 10_000_000), try spend("2026-11-28", "New", 20_000_000),
      try spend("2026-11-28", "17", 1_000_000),
    ])
    func rows(_ words: [String: String]) throws -> [[String]] {
      try printed(
        CampaignReport.self, words.merging(["environment": "test"]) { $1 }, as: .csv, from: path
      ).split(separator: "\r\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
    }
    let one = ["where": "network=a.skadnetwork;campaign=5239;window=1", "columns": "name,ad-set,postbacks"]
    for (days, expected) in [
      (["to": "2026-11-09"], ["Old", "one"]), (["from": "2026-11-25"], ["New", "two"]),
    ] {
      let found = try rows(one.merging(days) { $1 }.merging(["by": "name,ad-set"]) { $1 })
      let counted = try rows(
        ["where": one["where"] ?? "", "by": "campaign", "columns": "postbacks"].merging(days) { $1 })
      #expect(found == [expected + counted[0]])
    }
    let all = try rows(["by": "name", "columns": "name,postbacks,spend-USD"])
    #expect(all.map { $0[0] } == ["", "New", "Old", "ambiguous"])
    #expect(all.map { $0[2] } == ["1", "20", "10", ""])
    #expect(all.reduce(0) { $0 + (Int($1[1]) ?? 0) } == 1500)
    func notes(_ words: [String: String]) throws -> Bool {
      try printed(
        CampaignReport.self, words.merging(["environment": "test"]) { $1 }, as: .json, from: path
      ).contains("spend is of UTC days, and rows are of days by +05:30")
    }
    #expect(try notes(["by": "day", "time-zone": "+05:30"]))
    #expect(try notes(["from": "2026-11-05", "time-zone": "+05:30"]))
    // All days together are the same by every clock.
    #expect(try !notes(["by": "name", "time-zone": "+05:30"]))
    #expect(try !notes(["by": "day"]))
  }

  private typealias Row = [String: Any]

  @Test func `Conditions on names count what rows of these names have, with their money and spend`() throws {
    try store(seed: 6, count: 1500)
    func day(_ text: String) throws -> Day { try #require(Day(text)) }
    func name(_ campaign: String, _ name: String, from: String, to: String?) throws -> CampaignNameRow {
      CampaignNameRow(
        network: "a.skadnetwork", campaign: campaign, from: try day(from), to: try to.map(day), name: name,
        adSet: "set \(name)", creative: nil, country: "DE")
    }
    func spend(_ campaign: String, _ micros: Int64) throws -> SpendRow {
      SpendRow(
        day: try day("2026-11-20"), network: "a.skadnetwork", campaign: campaign, app: nil, currency: "USD",
        micros: micros, environment: .test)
    }
    try ReferenceStore(path: path).put([
      try name("5239", "Old", from: "2026-01-01", to: "2026-11-10"),
      try name("5239", "New", from: "2026-11-10", to: nil),
      try name("17", "Other", from: "2026-01-01", to: nil),
      try name("1117", "Short", from: "2026-01-01", to: nil),
      try name("8888", "Ghost", from: "2026-01-01", to: nil),
    ])
    try ReferenceStore(path: path).put([
      try spend("New", 20_000_000), try spend("Ghost", 3_000_000), try spend("Short", 4_000_000),
    ])
    func answer(_ words: [String: String]) throws -> (rows: [Row], total: Row, text: String) {
      let text = try printed(
        CampaignReport.self, words.merging(["environment": "test"]) { $1 }, as: .json, from: path)
      let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Row)
      return (
        try #require(document["rows"] as? [Row]), document["total"] as? Row ?? [:], text
      )
    }
    let figures = ["postbacks", "installs", "values-null", "decoded", "revenue-mid-USD", "revenue-mid-EUR"]
    func same(_ a: Row, _ b: Row) -> Bool {
      figures.allSatisfy { (a[$0] as? NSNumber ?? 0).doubleValue == (b[$0] as? NSNumber ?? 0).doubleValue }
    }
    for by in ["name", "ad-set", "named-country"] {
      let rows = try answer(["by": by]).rows
      #expect(rows.count >= (by == "named-country" ? 2 : 4))
      for row in rows {
        let word = row[by] as? String ?? "none"
        let found = try answer(["where": "\(by)=\(word)", "by": "network,campaign"])
        #expect(same(found.total, row), "\(by)=\(word)")
        let others = try answer(["where": "\(by)!=\(word)", "by": by])
        #expect(others.rows.count == rows.count - 1)
        #expect(
          (others.total["postbacks"] as? Int ?? 0) + (row["postbacks"] as? Int ?? 0) == 1500, "\(by)!=\(word)"
        )
      }
    }
    let patterns = try answer(["where": "name=*E*,old;outcome=install", "by": "name"])
    #expect(patterns.rows.compactMap { $0["name"] as? String } == ["New", "Old", "Other"])
    let new = try answer(["where": "name=new", "by": "campaign"])
    #expect(new.total["spend-USD"] as? Int == 20)
    #expect(!new.text.contains("Ghost"))
    let none = try printed(
      CampaignReport.self, ["environment": "test", "where": "name=Nwe"], as: .table, from: path)
    #expect(none.contains("no test postbacks meet the conditions"))
    #expect(none.contains("there are some of name"))
    #expect(none.contains("did you mean 'New'?"))
    // What is spent under a name that has no row.
    let unmatched = try printed(
      CampaignReport.self,
      [
        "environment": "test", "by": "name", "table": "unmatched-spend", "columns": "campaign,reason",
        "sort": "-amount",
      ], as: .csv, from: path)
    #expect(
      unmatched
        == "campaign,reason\r\nShort,ambiguous-digits\r\nGhost,other-day\r\n")
  }

  @Test(arguments: ["name,week", "week,name", "app,name,week", "name,outcome,ad-set,campaign"])
  func `Rows by names and other dimensions are in the order of --by, whatever it is`(by: String) throws {
    try store(seed: 7, count: 900)
    try ReferenceStore(path: path).put(
      ["5239", "417"].map {
        CampaignNameRow(
          network: "a.skadnetwork", campaign: $0, from: Day(number: 20_000), to: nil, name: "Name \($0)",
          adSet: "x", creative: nil, country: nil)
      })
    func rows(_ by: String) throws -> [[String]] {
      try printed(
        CampaignReport.self, ["environment": "test", "by": by, "columns": "\(by),postbacks"], as: .csv,
        from: path
      ).split(separator: "\r\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
    }
    let found = try rows(by)
    let outcomes = ["install", "redownload", "re-engagement", "assist", "other"]
    let names = by.split(separator: ",")
    func rank(_ row: [String]) -> [String] {
      zip(names, row).map { $0 == "outcome" ? "\(outcomes.firstIndex(of: $1) ?? 9)" : $1 }
    }
    // Campaigns have the order of their kinds first.
    let compared = names.last == "campaign" ? names.count - 1 : names.count
    for (a, b) in zip(found, found.dropFirst()) {
      let (first, second) = (rank(a).prefix(compared), rank(b).prefix(compared))
      #expect(!second.lexicographicallyPrecedes(first), "\(a) \(b)")
    }
    let turned = try rows(names.reversed().joined(separator: ","))
    #expect(
      Set(turned.map { Array($0.dropLast().reversed()) + [$0[$0.count - 1]] }) == Set(found)
        && turned.count == found.count)
  }

  /// Names that change, one that ends, digits that several names fit, and spend by digits and by names in three
  /// currencies, of which one has a rate in the other direction only and one has rates from a later day on.
  private func importReference() throws -> String {
    let names = [
      ("a.skadnetwork", "5239", "2026-01-01", "2026-11-10", "Old"),
      ("a.skadnetwork", "5239", "2026-11-10", "", "New"),
      ("a.skadnetwork", "417", "2026-11-05", "2026-11-25", "Video"),
      ("b.adattributionkit", "17", "2026-01-01", "", "Old"),
      ("b.adattributionkit", "39", "2026-01-01", "2026-11-20", "Summer"),
    ]
    let rates = [
      ("2026-11-01", "EUR", "USD", "1.1"), ("2026-11-15", "EUR", "USD", "1.25"),
      ("2026-11-01", "USD", "GBP", "0.8"),
    ]
    var random = SplitMix64(seed: 77)
    func pick<Value>(_ values: [Value]) -> Value { values[random.number(below: values.count)] }
    var spend: [String: SpendRow] = [:]
    for _ in 0..<150 {
      let row = SpendRow(
        day: try #require(Day("2026-11-01").map { Day(number: $0.number + Int32(random.number(below: 40))) }),
        network: pick(["a.skadnetwork", "b.adattributionkit"]),
        campaign: pick(["5239", "39", "417", "17", "Old", "New", "Summer"]), app: pick([nil, 1, 2]),
        currency: pick(["USD", "EUR", "GBP"]), micros: Int64(random.number(below: 1000)) * 10_000,
        impressions: Int64(random.number(below: 5000)), clicks: Int64(random.number(below: 50)),
        environment: .test)
      // An import keeps one app for each.
      spend["\(row.day) \(row.network) \(row.campaign) \(row.currency)"] = row
    }
    let store = try ReferenceStore(path: path)
    try store.put(
      try names.map { name in
        CampaignNameRow(
          network: name.0, campaign: name.1, from: try #require(Day(name.2)), to: Day(name.3), name: name.4,
          adSet: nil,
          creative: nil, country: nil)
      })
    try store.put(
      try rates.map { rate in
        RateRow(
          day: try #require(Day(rate.0)), currency: rate.1, quote: rate.2,
          picos: Int64((try #require(Double(rate.3)) * 1e12).rounded()))
      })
    try store.put(Array(spend.values))
    func quoted(_ text: String) -> String { text.isEmpty ? "null" : "\"\(text)\"" }
    let nameLines = names.map {
      #"{"network":"\#($0.0)","campaign":"\#($0.1)","from":"\#($0.2)","to":\#(quoted($0.3)),"name":"\#($0.4)"}"#
    }
    let rateLines = rates.map {
      #"{"day":"\#($0.0)","currency":"\#($0.1)","quote":"\#($0.2)","rate":"\#($0.3)"}"#
    }
    let spendLines = spend.values.map {
      #"{"day":"\#($0.day)","network":"\#($0.network)","campaign":"\#($0.campaign)","app":\#($0.app.map(String.init) ?? "null"),"#
        + #""currency":"\#($0.currency)","amount":"\#(Amount(micros: $0.micros))","impressions":\#($0.impressions ?? 0),"#
        + #""clicks":\#($0.clicks ?? 0)}"#
    }
    return
      #"{"names":[\#(nameLines.joined(separator: ","))],"rates":[\#(rateLines.joined(separator: ","))],"#
      + #""spend":[\#(spendLines.joined(separator: ","))]}"#
  }

  @Test(arguments: [6] as [UInt64])
  func
    `Spend in three currencies and its returns are what a recount of single postbacks comes to`(
      seed: UInt64
    ) throws
  {
    try store(seed: seed, count: 300)
    let (postbacks, reference) = (folder.file("postbacks.ndjson"), folder.file("reference.json"))
    try importReference().write(toFile: reference, atomically: true, encoding: .utf8)
    try printed(PostbackReport.self, ["environment": "test"], as: .ndjson, from: path)
      .write(toFile: postbacks, atomically: true, encoding: .utf8)
    var lines = ""
    for by in [
      "day,network,campaign", "week,app", "publisher,network", "name", "name,network", "week,name",
      "app,name",
    ] {
      for currency in [nil, "USD"] {
        var words = ["environment": "test", "by": by]
        words["currency"] = currency
        let report = try printed(CampaignReport.self, words, as: .json, from: path)
        lines +=
          #"{"by":[\#(by.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ","))],"#
          + #""currency":\#(currency.map { "\"\($0)\"" } ?? "null"),"report":\#(report.split(separator: "\n").joined())}"#
          + "\n"
      }
    }
    let reports = folder.file("reports.ndjson")
    try lines.write(toFile: reports, atomically: true, encoding: .utf8)
    let script = Self.script.replacing("recount-campaigns", with: "recount-spend")
    let result = try Subprocess.run("/usr/bin/python3", [script, postbacks, reference, reports])
    #expect(result.exitCode == 0, "\(result.output.prefix(4000)) \(result.errors)")
    #expect(result.output.hasSuffix(" figures compared, 0 differences\n"))
    let damaged = lines.replacing(#""spend-EUR":"#, with: #""spend-EUR":1"#, maxReplacements: 1)
    try damaged.write(toFile: reports, atomically: true, encoding: .utf8)
    #expect(try Subprocess.run("/usr/bin/python3", [script, postbacks, reference, reports]).exitCode == 1)
  }

  @Test(arguments: [3, 4] as [UInt64])
  func
    `The first rows of campaign reports, their shares and changes are what a recount of postbacks comes to`(
      seed: UInt64
    ) throws
  {
    try store(seed: seed, count: 600)
    let postbacks = folder.file("postbacks.ndjson")
    try printed(PostbackReport.self, ["environment": "test"], as: .ndjson, from: path)
      .write(toFile: postbacks, atomically: true, encoding: .utf8)
    var lines = ""
    for by in ["network,campaign", "publisher,country", "app,outcome", "publisher,country,campaign,outcome"] {
      for top in [nil, "3", "7"] {
        var words = [
          "environment": "test", "by": by, "share": "true", "from": "2026-11-18", "to": "2026-11-25",
          "compare": "previous",
        ]
        words["top"] = top
        let names = by.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
        let report = try printed(CampaignReport.self, words, as: .json, from: path)
        lines +=
          #"{"besides":true,"by":[\#(names)],"where":[],"zone":"UTC","days":["2026-11-18","2026-11-25"],"#
          + #""compared":["2026-11-11","2026-11-18"],"report":\#(report.split(separator: "\n").joined())}"#
          + "\n"
      }
    }
    let reports = folder.file("reports.ndjson")
    try lines.write(toFile: reports, atomically: true, encoding: .utf8)
    let result = try Subprocess.run("/usr/bin/python3", [Self.script, postbacks, reports])
    #expect(result.exitCode == 0, "\(result.output) \(result.errors)")
    #expect(result.output.hasSuffix(" figures compared, 0 differences\n"))
    #expect(lines.contains(#""others":"#) && lines.contains(#""change-postbacks":null"#))
    let damaged = lines.replacing(
      #""previous-installs":"#, with: #""previous-installs":1"#, maxReplacements: 1)
    try damaged.write(toFile: reports, atomically: true, encoding: .utf8)
    #expect(try Subprocess.run("/usr/bin/python3", [Self.script, postbacks, reports]).exitCode == 1)
  }

  @Test(arguments: [
    (["compare": "previous"], "compare", "Give --from and --to, too."),
    (
      ["compare": "previous", "from": "2026-11-01", "to": "2026-11-08", "by": "day,network"], "compare",
      "Leave day out of --by."
    ),
    (["compare": "2026-11-08..2026-11-01"], "compare", "use previous, or FROM..TO"),
    (["top": "0"], "top", "use a whole number from 1"),
    (["sort": "-instals"], "sort", "Did you mean 'installs'?"),
  ])
  func `A campaign report rejects a comparison or an order that cannot be, with the cure`(
    words: [String: String], name: String, cure: String
  ) throws {
    try store(seed: 3, count: 5)
    do {
      _ = try printed(
        CampaignReport.self, words.merging(["environment": "test"]) { $1 }, as: .json, from: path)
      Issue.record("\(words) is taken")
    } catch let error as ParameterError {
      #expect(error.name == name && error.detail.english.contains(cure), "\(error.detail)")
    }
  }

  @Test(arguments: [
    ("contry=US", "there is no dimension 'contry'", "Did you mean 'country'?"),
    ("outcome=instal", "outcome is never 'instal'", "Did you mean 'install'?"),
    ("window=0", "window is never '0'", "use one of 1, 2, 3"),
    ("country=Germany", "found 'Germany' for country", "two letters such as US"),
    ("day=2026-02-30", "found '2026-02-30' for day", "a day such as"),
    ("week=2026-11-17", "found '2026-11-17' for week", "the Monday of a week"),
    ("country=", "names no value", "add one"),
    ("US", "found 'US'", "DIMENSION=VALUE"),
  ])
  func `Campaign reports of every dimension reject a condition that cannot be, with the nearest word`(
    text: String, found: String, cure: String
  )
    throws
  {
    try store(seed: 3, count: 5)
    do {
      _ = try printed(CampaignReport.self, ["environment": "test", "where": text], as: .json, from: path)
      Issue.record("\(text) is taken")
    } catch let error as ParameterError {
      #expect(error.name == "where")
      #expect(error.detail.english.contains(found), "\(error.detail)")
      #expect(error.detail.english.contains(cure), "\(error.detail)")
    }
  }

  @Test(arguments: [
    "Europe/Berln", "../../etc/passwd", "/etc/passwd", "Europe", "tzdata.zi", "+25:00", "Europe//Berlin",
  ])
  func `Campaign reports of every dimension reject a clock that is none`(zone: String) throws {
    try store(seed: 3, count: 5)
    #expect(throws: ParameterError.self) {
      try printed(CampaignReport.self, ["environment": "test", "time-zone": zone], as: .json, from: path)
    }
  }

  @Test
  func
    `Campaign reports of every dimension name the share of postbacks that carry a country, what is left out, and what else there is`()
    throws
  {
    try store(seed: 4, count: 400)
    try ReferenceStore(path: path).put(
      [
        SpendRow(
          day: Day(number: 20_770), network: "a.skadnetwork", campaign: "17", app: nil, currency: "USD",
          micros: 1, environment: .test)
      ])
    let text = try printed(
      CampaignReport.self, ["environment": "test", "by": "country"], as: .table, from: path)
    #expect(text.contains("country is in "))
    #expect(text.contains(" of 400 postbacks ("))
    #expect(text.contains("copies and conflicts are counted by campaign and UTC day only"))
    let filtered = try printed(
      CampaignReport.self, ["environment": "test", "by": "network", "where": "country=US"], as: .table,
      from: path)
    #expect(filtered.contains("spend is left out, because it is not known by country"))
    #expect(!filtered.contains("spend USD"))
    let none = try printed(
      CampaignReport.self, ["environment": "test", "where": "publisher=news.exmple"], as: .table, from: path)
    #expect(none.contains("no test postbacks meet the conditions"))
    #expect(none.contains("did you mean 'news.example'?"))
  }
}
