import JSONText
import Ledger
import MappingFormats
import PostbackFixtures
import Postbacks
import System
import TestSupport
import Testing
import Values
@_spi(Unsigned) import Verification

final class `skan experiment` {
  private let folder: TemporaryFolder
  private let database: String
  private let mapping: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    mapping = try folder.write(
      #"{"name":"shop","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","#
        + #""fine":[{"value":1,"events":["buy"],"revenue":{"from":1,"to":3,"representative":2}},"#
        + #"{"value":2,"events":["buy"],"revenue":{"from":9,"to":11,"representative":10}}]}"#,
      to: "m.json")
    self.folder = folder
  }

  /// Fills the database with twenty days of two campaigns, of which B shows value 2 more often, and has more nulls.
  private func fill(daily: Int = 60, shareOfB: (Int) -> Double = { _ in 0.5 }) throws {
    var random = SplitMix64(seed: 9)
    var receipts: [Receipt] = []
    for day in 0..<20 {
      for index in 0..<(2 * daily) {
        let isB = Double(index) >= Double(2 * daily) * (1 - shareOfB(day))
        let level = random.happens(isB ? 0.3 : 0.15) ? 2 : random.happens(0.3) ? 1 : 0
        receipts.append(
          valid(
            "\(day) \(index)", value: random.happens(isB ? 0.4 : 0.2) ? .absent : fine(level),
            at: noon + Int64(day) * Day.milliseconds, network: "net.skadnetwork", app: 1,
            campaign: isB ? "7734" : "5512"))
      }
    }
    _ = try LedgerWriter(path: database).commit(receipts)
    #expect(skan("mapping", "load", "-d", database, mapping).code == .done)
  }

  private func compare(_ words: String...) -> Outcome {
    outcome(
      of: [
        "experiment", "compare", "-d", database, "--environment", "test", "--a", "net.skadnetwork/5512",
        "--b", "NET.skadnetwork/34",
      ] + words)
  }

  private func member(_ text: String, _ name: String) throws -> JSONValue? {
    guard case .object(let object) = try JSONReader.read(Array(text.utf8)).value else { return nil }
    return object[name]?.value
  }

  private func decision(_ text: String, _ name: String) throws -> JSONValue? {
    guard case .object(let object) = try member(text, "decision")?.array?.first?.value else { return nil }
    return object[name]?.value
  }

  @Test func `skan experiment rejects an event that no value reports, as the estimates do`() throws {
    try fill(daily: 5)
    let compared = compare("--measure", "event:nope")
    let estimated = skan("report", "estimates", "-d", database, "--environment", "test", "--event", "nope")
    for result in [compared, estimated] {
      #expect(result.code == .usage)
      #expect(result.errors.contains("'nope'") && result.errors.contains("one of 'buy'"))
    }
  }

  @Test func `skan experiment rejects a range in which no day is left`() throws {
    try fill(daily: 5)
    for report in [
      "estimates", "nulls", "postbacks", "events", "conflicts", "crosscheck", "totals", "campaigns",
    ] {
      let result = skan("report", report, "-d", database, "--from", "2026-11-02", "--to", "2026-11-02")
      #expect(result.code == .usage, "\(report)")
      #expect(result.errors.contains("The value of '--to' cannot be used: found 2026-11-02"), "\(report)")
    }
    let compared = compare("--from", "2026-11-03", "--to", "2026-11-02")
    #expect(compared.code == .usage)
    #expect(
      compared.errors.contains(
        "The value of '--to' cannot be used: found 2026-11-02, and the range from 2026-11-03 up to it is empty. "
          + "Give one after 2026-11-03."))
  }

  @Test func `skan experiment reports which campaign is better, and since when that is certain`() throws {
    try fill()
    let table = compare("--planned", "1000")
    #expect(table.code == .done)
    try expectGolden(table.output, "experiment-compare.txt")
    let json = compare("--planned", "1000", "--format", "json")
    try expectGolden(json.output, "experiment-compare.json")
    #expect(try decision(json.output, "verdict") == .string("higher"))
    #expect(try decision(json.output, "action") == .string("stop"))
    let looks = compare("--planned", "1000", "--format", "csv", "--table", "looks").output
    #expect(looks.hasPrefix("day,difference,interval-low,interval-high") && looks.contains("2026-11-26,"))
    let nulls = compare("--measure", "null-rate").output
    #expect(nulls.contains("stop: B has more nulls"))
    #expect(compare("--measure", "event:buy").output.contains("stop: B is better"))
    #expect(!table.output.contains("changes from day to day"))
    let few = compare("--to", "2026-11-23").output
    #expect(few.contains("continue: an arm has fewer than 100 values"), "\(few)")
  }

  @Test func `skan experiment warns if the split changes from day to day`() throws {
    try fill(shareOfB: { 0.2 + 0.03 * Double($0) })
    let table = compare("--planned", "1000").output
    #expect(table.contains("B's share changes from day to day"), "\(table)")
    #expect(try decision(compare("--format", "json").output, "split-changing") == .bool(true))
  }

  @Test func `skan experiment rejects what it cannot compare`() throws {
    try fill(daily: 2)
    func words(_ words: String...) -> Outcome {
      outcome(of: ["experiment", "compare", "-d", database] + words)
    }
    #expect(words("--a", "n/1").code == .usage)
    #expect(words("--a", "n/1", "--b", "n/1").code == .usage)
    #expect(words("--a", "n/5512", "--b", "N/12").code == .usage)
    for wrong in ["n", "n/", "/1", "n/x", "n/1/2"] {
      #expect(words("--a", wrong, "--b", "n/2").code == .usage, "\(wrong)")
    }
    #expect(compare("--measure", "magic").code == .usage)
    #expect(compare("--measure", "event:").code == .usage)
    #expect(compare("--from", "2026-11-21T01:00:00Z").code == .usage)
    let none = compare("--app", "2")
    #expect(
      none.output.contains("continue")
        && none.output.contains("no winning window 1 postback of net.skadnetwork/12"))
    #expect(skan("experiment", "compare", "-d", "nowhere", "--a", "n/1", "--b", "n/2").code == .inputOutput)
  }

  @Test func `skan experiment plans from stated numbers`() throws {
    let words = [
      "experiment", "plan", "--mapping", mapping, "--mean", "2", "--spread", "5", "--installs-per-day", "900",
    ]
    let table = outcome(of: words)
    #expect(table.code == .done)
    try expectGolden(table.output, "experiment-plan.txt")
    try expectGolden(outcome(of: words + ["--format", "json"]).output, "experiment-plan.json")
    // 2 × 7.8489 × (25 + 30.25) / 0.04 = 21,683 users with a value, less the effect of the gamma distribution's tail in B,
    // and 0.7 of installs have one.
    #expect(table.output.contains("21,633 with a value") && table.output.contains("15,452 installs in A"))
    let end = try member(
      outcome(of: words + ["--spread-b", "5", "--split", "20", "--null-percent", "0", "--format", "json"])
        .output,
      "planned")
    // 7.8489 × (25 / 0.8 + 25 / 0.2) / 0.04 = 30,660, less the effect of the smaller arm's tail.
    guard case .number(let size) = end, let users = Int(size.text) else {
      Issue.record("no size")
      return
    }
    #expect((29_500...30_600).contains(users), "\(users)")
    let rate = outcome(of: [
      "experiment", "plan", "--mapping", mapping, "--event", "buy", "--rate", "4", "--difference", "20",
    ])
    #expect(rate.code == .done && rate.output.contains("4.0000 % against 4.8000 %"), "\(rate.output)")
  }

  @Test func `skan experiment plans from own users`() throws {
    var rows = ["user,time,event,revenue,currency"]
    for user in 0..<100 {
      rows.append("u\(user),1767225600,open,,")
      if user % 4 == 0 { rows.append("u\(user),1767229200,buy,\(user % 8 == 0 ? 10 : 2),USD") }
    }
    let events = try folder.write(rows.joined(separator: "\n") + "\n", to: "e.csv")
    let json = skan("experiment", "plan", "--mapping", mapping, "--events", events, "--format", "json")
    // 13 users of 10 and 12 of 2; the other 75 set no value. Each range is 2 wide.
    #expect(json.errors.contains("75 users of 100 have no value"))
    let goal = try #require(try member(json.output, "goal"))
    guard case .object(let members) = goal else {
      Issue.record("no object")
      return
    }
    #expect(members["mean-a"]?.value == .number(try #require(JSONNumber("6.16"))))
    let within = try member(json.output, "variance-within-values")
    #expect(within == .number(try #require(JSONNumber("0.333333"))))
    #expect(
      skan("experiment", "plan", "--mapping", mapping, "--events", events, "--mean", "1").code == .usage)
  }

  @Test func `skan experiment plans for the way in which B is better`() throws {
    var rows = ["user,time,event,revenue,currency"]
    for user in 0..<400 {
      // The mapping has a value for users who open the app and have no revenue.
      rows.append("u\(user),1767225600,open,,")
      if user % 4 == 0 { rows.append("u\(user),1767229200,buy,\(user % 40 == 0 ? 10 : 2),USD") }
    }
    let events = try folder.write(rows.joined(separator: "\n") + "\n", to: "e.csv")
    let opened = try folder.write(
      #"{"name":"shop","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","#
        + #""fine":[{"value":1,"events":["open"]},"#
        + #"{"value":2,"events":["buy"],"revenue":{"from":1,"to":3,"representative":2}},"#
        + #"{"value":3,"events":["buy"],"revenue":{"from":9,"to":11,"representative":10}}]}"#,
      to: "opened.json")
    func plan(_ words: String...) -> Outcome {
      outcome(of: ["experiment", "plan", "--mapping", opened, "--events", events] + words)
    }
    func variance(_ how: String) throws -> Double {
      let planned = plan("--lift-from", how, "--format", "json")
      guard case .number(let variance) = try member(planned.output, "variance-b") else { return .nan }
      return try #require(Double(variance.text), "\(planned.output) \(planned.errors)")
    }
    // More users of each value have a variance that is higher by less than a tenth, of the top value by a fifth.
    #expect(try variance("users") < variance("amounts"))
    #expect(try variance("users") < variance("top"))
    let table = plan().output
    #expect(table.contains("because all users have higher revenue (--lift-from amounts)"), "\(table)")
    #expect(table.contains("if more users have the highest value (--lift-from top)"))
    #expect(plan("--lift-from", "users", "--difference", "900").code == .usage)
    #expect(
      skan("experiment", "plan", "--mapping", opened, "--mean", "2", "--spread", "5", "--lift-from", "top")
        .code
        == .usage)
    #expect(plan("--event", "buy", "--lift-from", "top").code == .usage)
  }

  @Test func `skan experiment rejects what it cannot plan`() {
    func plan(_ words: String...) -> ExitCode {
      outcome(of: ["experiment", "plan", "--mapping", mapping] + words).code
    }
    #expect(plan() == .usage)
    #expect(plan("--mean", "2") == .usage)
    #expect(plan("--mean", "nan", "--spread", "1") == .usage)
    #expect(plan("--mean", "2", "--spread", "-1") == .usage)
    #expect(plan("--mean", "2", "--spread", "1", "--null-percent", "100") == .usage)
    #expect(plan("--mean", "2", "--spread", "1", "--difference", "0") == .usage)
    #expect(plan("--event", "buy") == .usage)
    #expect(plan("--event", "buy", "--rate", "60", "--difference", "100") == .usage)
    #expect(plan("--event", "never", "--rate", "4") == .data)
    #expect(plan("--mean", "0.000001", "--spread", "1000000000") == .data)
    #expect(skan("experiment", "plan", "--mean", "2", "--spread", "1").code == .usage)
  }
}
