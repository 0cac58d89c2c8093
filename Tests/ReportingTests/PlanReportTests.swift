import Arguments
@testable import Campaigns
@testable import EstimateReports
import Estimates
import JSONText
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Tables
import Testing
import TestSupport
import Values

/// A plan of campaigns whose values are withheld on days of fewer than 30 installs.
final class `Plans as a report` {
  private let folder: TemporaryFolder
  private let path: String
  private let first = Day(number: 20_500)
  private var now: Instant { day(60).start }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
    _ = try LedgerWriter(path: path)
  }

  private func day(_ offset: Int32) -> Day { Day(number: first.number + offset) }

  private func loadMapping(
    fine: String =
      #"{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":3}}"#,
    coarse: String = ""
  ) throws {
    let text = """
      {"name":"launch","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[\(fine)],"coarse":[\(coarse)]}
      """
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "d",
        loadedAt: first.start, document: Array(text.utf8))
    ])
  }

  /// Installs of each day, shown where a campaign has 30 or more of the day, with the postbacks that Apple sends for them.
  private func fill(
    _ campaigns: [String: Int], network: String = "a.skadnetwork", app: Int64 = 1,
    days: Range<Int32> = 0..<56,
    threshold: Int = 30
  ) throws {
    var random = SplitMix64(seed: 7)
    var receipts: [Receipt] = []
    for (campaign, mean) in campaigns.sorted(by: { $0.key < $1.key }) {
      for day in days {
        let installs = max(0, mean + random.number(below: mean / 2 + 1) - mean / 4)
        for index in 0..<installs {
          let delay = Int64(72 * 3600 + random.number(below: 86_400)) * 1000
          receipts.append(
            valid(
              "\(app) \(network) \(campaign) \(day) \(index)",
              value: installs < threshold ? .absent : fine(index % 2),
              at: self.day(day).start + Int64(index * 86_400 / installs) * 1000 + delay, network: network,
              app: app,
              campaign: campaign))
        }
      }
    }
    try store(receipts, in: path)
  }

  private func pay(_ campaign: String, _ units: Int64, network: String = "a.skadnetwork") throws {
    try ReferenceStore(path: path).put(
      (Int32(0)..<56).map {
        SpendRow(
          day: day($0), network: network, campaign: campaign, app: 1, currency: "USD",
          micros: units * 1_000_000, environment: .test)
      })
  }

  private func plan(_ texts: [String: [String]] = [:]) throws -> ReportAnswer<PlanReport> {
    let report = try PlanReport(texts.merging(["environment": ["test"]]) { $1 })
    return try report.answer(from: ReportSource(reader: LedgerReader(path: path), now: now))
  }

  private func mistake(_ texts: [String: [String]]) -> ParameterError? {
    do {
      _ = try plan(texts)
      return nil
    } catch {
      return error as? ParameterError
    }
  }

  @Test func `The rows of a plan add up to its total, and the shares of each to one`() throws {
    try fill(["11": 13, "22": 17, "33": 61])
    let answer = try plan()
    #expect(answer.rows.map(\.place.digits) == ["11", "22", "33"])
    let total = try #require(answer.total)
    func sum(_ count: KeyPath<PlanReport.Row, ExpectedCount>) -> Amount? {
      answer.rows.reduce(.zero) { sum, row in sum.adding(row[keyPath: count].cell.amount ?? .zero).sum }
    }
    #expect(sum(\.installsADay) == total.installsADay.cell.amount)
    #expect(sum(\.conversions) == total.conversions.cell.amount)
    for row in answer.rows + [total] {
      let parts = [row.fine, row.coarse, row.none].compactMap(\.cell.amount)
      #expect(parts.count == 3 && parts.reduce(.zero) { $0.adding($1).sum } == Amount(micros: 1_000_000))
    }
    #expect(answer.rows[0].fine.number == 0)
    #expect(answer.rows[2].fine.number == 1)
    let daily = try #require(answer.rows[2].installsADay.number)
    #expect(abs(daily - 61) < 4)
  }

  @Test func `A plan plays whole days of arrival, the fourth days after the installs asked for`() throws {
    // Two weeks of installs: on the day before and behind them nothing is played.
    try fill(["33": 61], days: 20..<34)
    let asked = ["from": [day(20).description], "to": [day(34).description]]
    let row = try #require(plan(asked).rows.first)
    // Of the first install day, half arrives on the third day.
    let all = try #require(row.conversions.number)
    #expect(abs(all - 13.5 * 61) < 60)
    #expect(abs(try #require(row.installsADay.number) - all / 14) < 1e-5)
    #expect(try plan(["from": [day(40).description], "to": [day(50).description]]).rows.isEmpty)
  }

  @Test func `Postbacks that arrive later change no prediction of a plan of earlier days`() throws {
    try fill(["11": 13, "22": 17, "33": 27, "44": 34, "55": 61], days: 0..<40)
    let asked = ["from": [day(10).description], "to": [day(38).description]]
    let then = try plan(asked).rows(of: PlanReport.proposals)
    try fill(["11": 60, "55": 20], days: 42..<56)
    let later = try plan(asked).rows(of: PlanReport.proposals)
    #expect(!then.isEmpty && later.map(\.id) == then.map(\.id))
    #expect(later.map(\.then.mean) == then.map(\.then.mean))
    #expect(later.map(\.then.interval) == then.map(\.then.interval))
  }

  @Test func `A plan of one app rests on nothing of another one`() throws {
    try fill(["11": 13, "33": 61])
    let alone = try plan().rows(of: PlanReport.models)
    try fill(["44": 25, "55": 40], app: 2, threshold: 10)
    let filtered = try plan(["app": ["1"]])
    #expect(filtered.rows(of: PlanReport.models).map(\.size) == alone.map(\.size))
    #expect(filtered.rows(of: PlanReport.models).map(\.plan.days) == alone.map(\.plan.days))
    #expect(try plan().rows(of: PlanReport.models).map(\.plan.days) != alone.map(\.plan.days))
  }

  /// Installs of eight weeks, shown where enough users of a campaign and week have the same of nine values.
  private func fill(_ campaigns: [String: Int], users: Int) throws {
    var random = SplitMix64(seed: 11)
    var receipts: [Receipt] = []
    let monday = day(0).monday.number - first.number + 7
    for (campaign, mean) in campaigns.sorted(by: { $0.key < $1.key }) {
      for week in Int32(0)..<7 {
        let values = (0..<7 * mean).map { _ in
          var value = 0
          while value < 8, random.happens(0.5) { value += 1 }
          return value
        }
        for (index, value) in values.enumerated() {
          let count = values.count { $0 == value }
          let delay =
            Int64(random.number(below: 7) * 86_400 + 72 * 3600 + random.number(below: 86_400)) * 1000
          receipts.append(
            valid(
              "\(campaign) \(week) \(index)", value: count < users ? .absent : fine(value),
              at: day(monday + 7 * week).start + delay, network: "a.skadnetwork", app: 1, campaign: campaign))
        }
      }
    }
    try store(receipts, in: path)
  }

  @Test func `Where rare values are withheld, reports state it and a plan proposes fewer values`() throws {
    let fines = (0..<9).map { #"{"value":\#($0),"revenue":{"from":\#($0),"to":\#($0 + 1)}}"# }
    try loadMapping(fine: fines.joined(separator: ","))
    let means = [4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 25, 40]
    let campaigns = means.enumerated().map { ("\(10 + $0)", $1) }
    try fill(Dictionary(uniqueKeysWithValues: campaigns), users: 5)
    let answer = try plan(["share": ["97"]])
    #expect(answer.rows(of: PlanReport.models).map(\.users) == [5])
    #expect(answer.notes.map(\.english).contains { $0.contains("fewer than 5 users of a campaign and week") })
    let fewer = try #require(answer.rows(of: PlanReport.proposals).first { $0.kind == .values })
    #expect(
      fewer.text.english.hasPrefix("use ") && fewer.text.english.hasSuffix(" values instead of 9 for app 1"))
    #expect((fewer.shareThen.number ?? 0) > (fewer.shareNow.number ?? 1))
    var nulls = NullReport()
    nulls.scope.environment = .test
    let evidence = try nulls.answer(from: ReportSource(reader: LedgerReader(path: path), now: now))
      .rows(of: NullReport.evidence)
    #expect(evidence.map(\.fewestUsers) == [5])
  }

  @Test func `A plan names events that only a later window counts`() throws {
    try fill(["11": 35, "33": 61])
    try loadMapping(
      fine: #"{"value":0},{"value":1,"events":["buy"]}"#,
      coarse:
        #"{"window":2,"high":{"events":["subscribe","buy"]}},{"window":3,"high":{"events":["subscribe","renew"]}}"#
    )
    let notes = try plan().notes.map(\.english).filter { $0.hasPrefix("only window ") }
    #expect(notes.count == 2)
    #expect(notes.first?.hasPrefix("only window 2 of the mapping 'launch' counts subscribe: ") == true)
    #expect(notes.last?.hasPrefix("only window 3 of the mapping 'launch' counts renew: ") == true)
  }

  @Test func `A plan names a mapping without coarse values where fine ones are withheld`() throws {
    let words = "has no coarse values for window 1"
    try fill(["11": 13, "22": 17, "33": 61])
    try loadMapping()
    #expect(try plan().notes.contains { $0.english.contains(words) })
    try loadMapping(coarse: #"{"window":1,"high":{"events":["buy"]}}"#)
    #expect(try !plan().notes.contains { $0.english.contains(words) })
  }

  @Test func `A plan of an empty database states that there is nothing`() throws {
    let answer = try plan()
    #expect(answer.rows.isEmpty && answer.total == nil)
    #expect(answer.notes.last?.english.hasPrefix("no winning postbacks of the first window") == true)
  }

  @Test func `The return of a row is that of the report on estimates`() throws {
    try loadMapping()
    try fill(["33": 61, "44": 80])
    try pay("33", 60)
    try pay("44", 90)
    let days = EstimateReport.installDays(at: now)
    var scope = Scope()
    scope.environment = .test
    let estimates = try EstimateReport(days, scope, in: ReportingMoney(currency: CurrencyCode("USD")))
      .answer(from: ReportSource(reader: LedgerReader(path: path), now: now))
    let rows = try plan().rows
    #expect(rows.count == 2)
    for row in rows {
      let other = try #require(estimates.rows.first { $0.digits == row.place.digits })
      #expect(row.estimate?.returns != nil && row.estimate?.returns == other.returns)
    }
  }

  @Test(arguments: [
    (["budget": ["0"]], "budget", "found '0'; use a number above 0, such as 80000."),
    (["budget": ["many"]], "budget", "found 'many'; use a number above 0, such as 80000."),
    (
      ["cost": ["1.40"]], "cost",
      "found '1.40'; use NETWORK=AMOUNT, such as ludvb6z3bs.skadnetwork=1.40."
    ),
    (
      ["cost": ["a.skadnetwork=-1"]], "cost",
      "found 'a.skadnetwork=-1'; use NETWORK=AMOUNT, such as ludvb6z3bs.skadnetwork=1.40."
    ),
    (["cost": (1...21).map { "n\($0)=1" }], "cost", "found 21 costs. Give 20 at most."),
    (["cost": ["a=1,A=2"]], "cost", "found two costs of a. Give one."),
    (
      ["campaigns": ["a.skadnetwork=0"]], "campaigns",
      "found 'a.skadnetwork=0'; use NETWORK=COUNT, NETWORK=COUNT:HOURS or NETWORK=any, such as "
        + "ludvb6z3bs.skadnetwork=9."
    ),
    (
      ["campaigns": ["a=9:-2"]], "campaigns",
      "found 'a=9:-2'; use NETWORK=COUNT, NETWORK=COUNT:HOURS or NETWORK=any, such as ludvb6z3bs.skadnetwork=9."
    ),
    (
      ["budget": ["9000000000"], "cost": ["a.skadnetwork=0.5"]], "budget",
      "buys more than 1,000,000,000 installs, which is no plan. Use a lower one."
    ),
    (["share": ["100"]], "share", "found '100'; use a whole number from 1 to 99."),
    (["days": ["93"]], "days", "found '93'; use a whole number from 1 to 92."),
    (
      ["choose": ["merge-x"]], "choose",
      "there is no proposal 'merge-x'; ids are those of the table proposals."
    ),
  ])
  func `A plan rejects what it cannot use, and states what it takes`(
    texts: [String: [String]], name: String, expected: String
  ) throws {
    let error = try #require(mistake(texts))
    #expect(error.name == name)
    #expect(error.detail.english == expected)
  }

  // MARK: Limits of networks

  private static func entry(_ text: String) -> NetworkLimits.Entry? {
    CampaignLimit(parameter: text).map { .init(limit: $0) }
  }

  @Test func `The built-in limits name their documents and the day on which these were read`() {
    let entries = NetworkLimits.builtIn.entries
    #expect(entries.count == 6)
    for entry in entries {
      #expect(entry.source?.hasPrefix("https://") == true && entry.read != nil && entry.what != nil)
    }
  }

  @Test func `A limit that was given counts before one of the network's document, and one by name fits too`()
    throws
  {
    let limits = NetworkLimits.builtIn
    #expect(limits.entry(of: "4dzt52r2t5.skadnetwork", called: "Unity Ads")?.limit.campaigns == 7)
    #expect(limits.entry(of: "x.skadnetwork", called: "TikTok")?.limit.hoursToReuse == 72)
    #expect(limits.entry(of: "x.skadnetwork", called: nil) == nil)
    let own = limits.replaced(
      by: ["4dzt52r2t5.skadnetwork=12:24", "TikTok=any"].compactMap(Self.entry))
    #expect(own.entry(of: "4dzt52r2t5.skadnetwork", called: "Unity Ads")?.limit.campaigns == 12)
    #expect(own.entry(of: "4dzt52r2t5.skadnetwork", called: nil)?.source == nil)
    let named = limits.replaced(by: ["Unity=20"].compactMap(Self.entry))
    #expect(named.entry(of: "4dzt52r2t5.skadnetwork", called: "Unity")?.limit.campaigns == 20)
    let free = try #require(own.entry(of: "x.skadnetwork", called: "TikTok"))
    #expect(free.limit.campaigns == nil)
  }

  @Test(arguments: [
    ("[]", "1:1: $ must be an object, found an array"),
    (#"{"limit":[]}"#, #"1:2: $.limit: unknown member; did you mean "limits"?"#),
    (#"{"limits":[{"network":"a"}]}"#, #"$.limits[0] needs a "campaigns""#),
    (
      #"{"limits":[{"network":"a","campaigns":101}]}"#,
      "$.limits[0].campaigns must be a whole number from 1 to 100, found 101"
    ),
    (#"{"limits":[{"network":"","campaigns":1}]}"#, "$.limits[0].network"),
    (#"{"limits":[{"network":"a","campaigns":1,"reuse-hours":9000}]}"#, "from 0 to 8760, found 9000"),
    (#"{"limits":[{"network":"a","campaigns":1,"read":"yesterday"}]}"#, "$.limits[0].read"),
  ])
  func `A file of limits is rejected with place, path, what was found and what is allowed`(
    text: String, expected: String
  ) throws {
    let error = #expect(throws: JSONFileError.self) {
      try NetworkLimits.read(Array(text.utf8), named: "limits.json")
    }
    let mistake = try #require(error)
    #expect(mistake.exitCode == .data)
    #expect(mistake.description.hasPrefix("limits.json:"))
    #expect(mistake.description.contains(expected), "\(mistake.description)")
  }

  @Test func `A file of limits can state that no limit is known`() throws {
    let text =
      #"{"limits":[{"network":"Snap","campaigns":null},{"network":"b","campaigns":3,"reuse-hours":96}]}"#
    let limits = try NetworkLimits.read(Array(text.utf8), named: "x").entries.map(\.limit)
    #expect(limits.map(\.parameterText) == ["snap=any", "b=3:96"])
  }

  @Test func `The table of limits has the networks of the plan, with the campaigns in use`() throws {
    try fill(["11": 13, "22": 17], network: "4dzt52r2t5.skadnetwork")
    try fill(["33": 20], network: "other.skadnetwork")
    let limits = try plan(["campaigns": ["other.skadnetwork=1"]]).rows(of: PlanReport.limits)
    #expect(limits.map(\.network) == ["4dzt52r2t5.skadnetwork", "other.skadnetwork"])
    #expect(limits.map(\.most) == [7, 1])
    #expect(limits.map(\.inUse) == [2, 1])
    #expect(limits.map { $0.source != nil } == [true, false])
  }
}
