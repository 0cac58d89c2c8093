@testable import Alerts
import Campaigns
@testable import Estimates
import Ledger
import PostbackFixtures
import Postbacks
@testable import EstimateReports
@testable import Reports
import SQLite
import Testing
import TestSupport
import Values

/// Rules that are judged by reports, which are asked once a day.
struct `The rules of reports` {
  @Test(arguments: [
    (0.9, AlertMeasure.AlertStatus.beyond, 0.5), (1.1, .near, 0.5), (2.0, .clear, 1.2), (0.9, .unknown, 0.5),
  ])
  func `A return fires where its whole interval is below the target that a rule sets`(
    high: Double, standing: AlertMeasure.AlertStatus, low: Double
  ) {
    let rules = rule(
      .returnBelowTarget, ["target": 1, "least-spend": standing == .unknown ? 500 : 100])
    var facts = nothing()
    facts.daily = DailyFacts(
      on: noon.day,
      returns: [
        .init(days: 28, horizon: nil): [
          .init(
            scope: AlertScope(app: app, network: network, campaign: "39"), value: (low + high) / 2, low: low,
            high: high, spend: Amount(micros: 200_000_000), currency: "USD")
        ]
      ])
    let measure = found(.returnBelowTarget, facts, rules)
    #expect(measure?.standing == standing)
    #expect(measure?.id == "return-below-target/app=525463029/network=\(network)/campaign=39")
    #expect(measure?.command.contains("report estimates --database skan.db --app 525463029") == true)
    // Without a target nothing is asked and nothing fires.
    #expect(found(.returnBelowTarget, facts) == nil)
    #expect(ReturnCriteria().question == nil)
  }

  @Test func `A return that leaves out installs or spend states it`() {
    var facts = nothing()
    func sentence(_ isOneSided: Bool) -> String? {
      facts.daily = DailyFacts(
        on: noon.day,
        returns: [
          .init(days: 28, horizon: nil): [
            .init(
              scope: AlertScope(app: app, network: network, campaign: "39"), value: 0.5, low: 0.4, high: 0.6,
              spend: Amount(micros: 200_000_000), currency: "USD", isOneSided: isOneSided)
          ]
        ])
      return found(.returnBelowTarget, facts, rule(.returnBelowTarget, ["target": 1]))?.sentence.english
    }
    #expect(sentence(false)?.hasSuffix("spend 200 USD.") == true)
    #expect(sentence(true)?.hasSuffix("spend 200 USD, without days that lack spend or installs.") == true)
  }

  @Test(arguments: [
    (200.0, 130.0, 5.0, AlertMeasure.AlertStatus.beyond), (200, 130, 3, .near), (200, 190, 5, .clear),
    (200, 130, 0.5, .clear), (90, 10, 9, .unknown),
  ])
  func `Postbacks of later windows that stay away beyond chance fire`(
    expected: Double, seen: Double, errors: Double, standing: AlertMeasure.AlertStatus
  ) {
    func change(_ window: ConversionWindow, _ seen: Double, _ errors: Double) -> ArrivalChange {
      ArrivalChange(
        app: app, network: network, window: window,
        recentDays: Day(number: noon.day.number - 30)..<Day(number: noon.day.number - 16), expected: expected,
        seen: seen, standardErrors: errors)
    }
    var facts = nothing()
    facts.daily = DailyFacts(
      on: noon.day,
      arrivalChanges: [
        .init(days: 14, baselineDays: 42): [change(.second, seen, errors), change(.third, expected, 0)]
      ])
    let measure = found(.laterPostbacksLost, facts)
    #expect(measure?.standing == standing)
    guard standing == .beyond else { return }
    #expect(measure?.sentence.english.contains("130 postbacks of window 2 arrived") == true)
    #expect(measure?.command.contains("report shortfall --by week --database skan.db") == true)
  }

  @Test(arguments: [(0.004, AlertMeasure.AlertStatus.beyond), (0.03, .near), (0.4, .clear)])
  func `Installs of a campaign that look unearned fire by the corrected probability`(
    corrected: Double, standing: AlertMeasure.AlertStatus
  ) {
    let finding = PatternFinding(
      network: network, campaign: "39", test: .viewShare, seen: 0.6, expected: 0.3, statistic: 7,
      probability: 0.0001, publisher: nil, corrected: corrected)
    let end = noon.day
    var facts = nothing()
    facts.daily = DailyFacts(
      on: end,
      patterns: [
        .init(days: 28, baselineDays: 56): [
          JudgedPattern(
            app: app, finding: finding, verdict: .lookAtIt, installs: 900, views: 540,
            days: Day(number: end.number - 28)..<end, evidence: [])
        ]
      ])
    let measure = found(.unearnedPattern, facts)
    #expect(measure?.standing == standing)
    #expect(measure?.id == "unearned-pattern/app=525463029/network=\(network)/campaign=39")
    #expect(
      measure?.sentence.english.contains("60.0 % of installs are by views, where 30.0 % would be") == true)
    #expect(measure?.remedy.english.contains("no proof") == true)
    #expect(measure?.command.contains("report patterns --database skan.db --app 525463029") == true)
  }

  @Test func `Where a report fails, its last answer holds, and it is asked again the same day`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    try store([], in: path)
    let rules = rule(.unearnedPattern)
    func asked(after days: Int64, _ known: DailyFacts?) throws -> DailyFacts {
      DailyFacts(
        from: ReportSource(reader: try LedgerReader(path: path), now: noon + days * Day.milliseconds),
        rules: rules, known: known)
    }
    func write(_ sql: String) throws { try Connection(path: path, mode: .readWrite).execute(sql) }
    let first = try asked(after: 0, nil)
    #expect(first.failure == nil && first.unknown.isEmpty && first.patterns.count == 1)
    try write("ALTER TABLE postback_facts RENAME TO elsewhere")
    #expect(try asked(after: 0, first).failure == nil, "the answers of this day hold")
    let second = try asked(after: 1, first)
    #expect(second.failure != nil && second.unknown.isEmpty && second.patterns.count == 1)
    #expect(try asked(after: 1, second).failure != nil, "an answer of an earlier day is asked for again")
    let new = try asked(after: 1, nil)
    #expect(new.unknown.contains(.unearnedPattern) && new.patterns.isEmpty)
    try write("ALTER TABLE elsewhere RENAME TO postback_facts")
    let third = try asked(after: 1, second)
    #expect(third.failure == nil && third.unknown.isEmpty)
  }
}
