@testable import Campaigns
@testable import EstimateReports
import Estimates
@testable import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import System
import Tables
import Testing
import TestSupport
import Values

/// Estimates from a fit that is kept between questions.
final class `Kept estimates` {
  private let folder: TemporaryFolder
  private let path: String
  private let first = Day(number: 20_500)
  private let app: AppID
  private let keeper = PartKeeper(secondsBehind: 600)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
    app = try #require(AppID(1))
    _ = try LedgerWriter(path: path)
    try map(to: 3)
    try fill(["11", "12", "0313"], seed: 1)
    try pay("11", 90)
    try ReferenceStore(path: path).put([
      RateRow(day: Day(number: 0), currency: "EUR", quote: "USD", picos: 1_500_000_000_000)
    ])
  }

  private func map(to most: Int) throws {
    let text = """
      {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":\(most)}}]}
      """
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "\(most)",
        loadedAt: first.start, document: Array(text.utf8))
    ])
  }

  private func fill(_ campaigns: [String], seed: UInt64, each: Int = 300) throws {
    var random = SplitMix64(seed: seed)
    var receipts: [Receipt] = []
    for campaign in campaigns {
      for index in 0..<each {
        receipts.append(
          valid(
            "\(campaign) \(index) \(seed)",
            value: random.happens(0.4) ? .absent : fine(random.happens(0.7) ? 0 : 1),
            at: first.start + Int64(random.number(below: 14 * 86_400)) * 1000,
            network: index % 3 == 0 ? "b.skadnetwork" : "a.skadnetwork", app: 1, campaign: campaign))
      }
    }
    try store(receipts, in: path)
  }

  private func pay(_ campaign: String, _ units: Int64, in currency: String = "USD") throws {
    try ReferenceStore(path: path).put(
      (0..<7).map {
        SpendRow(
          day: Day(number: first.number + $0), network: "a.skadnetwork", campaign: campaign, app: 1,
          currency: currency, micros: units * 1_000_000, environment: .test)
      })
  }

  private static let questions: [[String: String]] = [
    [:], ["by": "campaign,day"], ["by": "network"], ["by": "app,week"], ["app": "1", "by": "network,month"],
    ["network": "a.skadnetwork"], ["from": "2026-02-18", "to": "2026-02-22"], ["by": "outcome"],
    ["by": "country"], ["by": "country,day"], ["by": "name"], ["currency": "EUR"], ["target": "0.5"],
    ["verdict": "no"], ["digits": "4"], ["seed": "2"], ["time-zone": "+05:30"], ["least-installs": "200"],
    ["null-is-zero": "a.skadnetwork"], ["estimator": "threshold"],
  ]

  private var now: Instant { Day(number: first.number + 40).start }

  private func text(
    _ words: [String: String], _ keeper: PartKeeper?, limit: ReadLimit = .none, now: Instant? = nil,
    canBeBehind: Bool = false
  ) throws -> String {
    var text = ""
    let source = ReportSource(
      reader: try LedgerReader(path: path, limit: limit), now: now ?? self.now, keeper: keeper,
      canBeBehind: canBeBehind)
    let words = words.merging(["environment": "test"]) { word, _ in word }
    _ = try ReportKind(EstimateReport.self).job(words.mapValues { [$0] })(source, Delivery(.json), { false })
    {
      text += $0
      return true
    }
    return text
  }

  private func expectTheSame(_ questions: [[String: String]] = questions) throws {
    for words in questions { #expect(try text(words, keeper) == text(words, nil), "\(words)") }
  }

  @Test func `They answer every question as estimates made anew do, in any order`() throws {
    try expectTheSame()
    try expectTheSame(Self.questions.reversed())
  }

  @Test func `They are not of the past for a clock that was put back`() throws {
    _ = try text([:], keeper, now: now + 30 * 60_000)
    try fill(["11"], seed: 2, each: 20)
    for canBeBehind in [false, true] {
      #expect(try text([:], keeper, canBeBehind: canBeBehind) == text([:], nil))
    }
  }

  @Test func `They answer questions about very many campaigns as estimates made anew do`() throws {
    try fill((0..<EstimatedCrowd.mostDrawnApart).map { "\(2000 + $0)" }, seed: 3, each: 3)
    try pay("2001", 20)
    let questions: [[String: String]] = [
      ["currency": "EUR"], ["currency": "EUR", "by": "day"], ["by": "network,week"], [:],
      ["currency": "USD", "from": "2026-02-18", "to": "2026-02-22"], ["by": "country"],
      ["estimator": "threshold"],
    ].map { $0.merging(["digits": "4"]) { word, _ in word } }
    for _ in 0..<2 {
      try expectTheSame(questions)
      try pay("2002", 30)
    }
    try fill(["2003"], seed: 4)
    try expectTheSame(questions)
  }

  @Test func `They are those of the database after each kind of change`() throws {
    let questions: [[String: String]] = [[:], ["by": "campaign,day", "currency": "EUR"], ["by": "name"]]
    let store = try ReferenceStore(path: path)
    let changes: [(String, () throws -> Void)] = [
      ("postbacks", { try self.fill(["14"], seed: 2) }), ("mapping", { try self.map(to: 9) }),
      (
        "users",
        {
          try store.replaceWorth(
            of: self.app, effectiveFrom: #require(Instant("2020-01-01T00:00:00Z")),
            with: [0, 1].map {
              ValueWorthRow(
                app: self.app, effectiveFrom: Instant("2020-01-01T00:00:00Z") ?? self.now, currency: "USD",
                value: $0, each: (0..<100).map { Int64($0 % 7) * 1_000_000 })
            })
        }
      ), ("spend", { try self.pay("12", 70, in: "EUR") }),
      (
        "names",
        {
          try store.put([
            CampaignNameRow(
              network: "a.skadnetwork", campaign: "11", from: self.first, to: nil, name: "Spring", adSet: nil,
              creative: nil, country: nil)
          ])
        }
      ),
      (
        "rates",
        {
          try store.put([
            RateRow(day: self.first, currency: "EUR", quote: "USD", picos: 1_100_000_000_000)
          ])
        }
      ),
    ]
    try expectTheSame(questions)
    for (name, change) in changes {
      let before = try questions.map { try text($0, keeper) }
      try change()
      try expectTheSame(questions)
      #expect(try questions.map { try text($0, keeper) } != before, "\(name)")
    }
  }

  @Test func `Viewers of one network get no estimates of all`() throws {
    let limit = ReadLimit(networks: [try #require(AdNetworkID("b.skadnetwork"))])
    let whole = try text([:], keeper)
    let own = try text([:], keeper, limit: limit)
    #expect(own == (try text([:], nil, limit: limit)) && own != whole)
    #expect(try text([:], keeper) == whole)
  }

  @Test func `Where that is allowed they lack new conversions for some minutes, but no other change`() throws
  {
    // Each campaign has a row for each of two networks.
    let report = try report(canBeBehind: true, now)
    #expect(report.basis.isWithoutNewerThan == nil)
    try fill(["15"], seed: 5)
    let behind = try self.report(canBeBehind: true, now + 60_000)
    #expect(behind.basis.isWithoutNewerThan == now && behind.rows.count == report.rows.count)
    let exact = try self.report(canBeBehind: false, now + 60_000)
    #expect(exact.basis.isWithoutNewerThan == nil && exact.rows.count == report.rows.count + 2)
    try fill(["16"], seed: 6)
    let old = try self.report(canBeBehind: true, now + 700_000)
    #expect(old.basis.isWithoutNewerThan == nil && old.rows.count == report.rows.count + 4)
    try map(to: 9)
    #expect(try self.report(canBeBehind: true, now + 700_000).basis.isWithoutNewerThan == nil)
  }

  private func report(
    canBeBehind: Bool, _ now: Instant
  ) throws -> (rows: [EstimateReport.Row], basis: EstimateReport.Basis) {
    var report = EstimateReport()
    report.scope.environment = .test
    let source = ReportSource(
      reader: try LedgerReader(path: path), now: now, keeper: keeper, canBeBehind: canBeBehind)
    let found = try report.estimated(from: source, now: now.startOfHour)
    return (found.rows, found.basis)
  }

  @Test func `A fit made for one question answers the next`() throws {
    var report = EstimateReport()
    report.scope.environment = .test
    let source = ReportSource(reader: try LedgerReader(path: path), now: now, keeper: keeper)
    _ = try report.estimated(from: source, now: now.startOfHour)
    #expect(keeper.bytes > 0)
    try expectTheSame([[:], ["by": "day"]])
    #expect(keeper.counts.made == 1)
  }

  @Test func `Where nothing may be made, what is kept is an answer and anything else is missing`() throws {
    func ask() throws -> EstimateReport.Basis {
      var report = EstimateReport()
      report.scope.environment = .test
      var source = ReportSource(reader: try LedgerReader(path: path), now: now, keeper: keeper)
      source.makesParts = false
      return try report.estimated(from: source, now: now.startOfHour).basis
    }
    #expect(throws: PartIsMissing.self) { try ask() }
    _ = try report(canBeBehind: false, now)
    #expect(try ask().isWithoutNewerThan == nil)
    try map(to: 9)
    #expect(throws: PartIsMissing.self) { try ask() }
  }

  @Test func `Totals without rows, and the rows of one campaign, are those of the whole question`() throws {
    func figures(_ rows: [EstimateReport.Row]) -> [String] {
      rows.map { row in
        let amounts: [Any?] = [
          row.place, row.installs, row.conversions, row.spend, row.foreignSpend, row.estimatedRevenue,
          row.estimatedRevenueInterval, row.returns, row.returnsInterval, row.costPerInstall, row.verdict,
          row.flags.map(\.rawValue).sorted(), row.daysToDecide,
        ]
        return "\(amounts)"
      }
    }
    func expectTheSame(_ digits: Int, _ currency: String?, by dimensions: [EstimateDimension]) throws {
      var report = EstimateReport()
      report.scope.environment = .test
      (report.digits, report.currency, report.by) = (
        digits, currency.flatMap { CurrencyCode($0) }, dimensions
      )
      let source = ReportSource(reader: try LedgerReader(path: path), now: now, keeper: keeper)
      let whole = try report.estimated(from: source, now: now.startOfHour)
      let alone = try report.ofTotals.estimated(from: source, now: now.startOfHour)
      #expect(alone.rows.isEmpty && !whole.totals.isEmpty)
      #expect(figures(alone.totals) == figures(whole.totals))
      report.part.campaign = digits == 4 ? "2001" : "11"
      let rows = whole.rows.filter { $0.digits == report.part.campaign }
      #expect(!rows.isEmpty)
      #expect(figures(try report.estimated(from: source, now: now.startOfHour).rows) == figures(rows))
    }
    for dimensions in [[EstimateDimension.campaign], [.campaign, .day]] {
      for currency in [nil, "EUR"] { try expectTheSame(2, currency, by: dimensions) }
    }
    try fill((0..<EstimatedCrowd.mostDrawnApart).map { "\(2000 + $0)" }, seed: 3, each: 3)
    try pay("2001", 20)
    for currency in [nil, "EUR"] { try expectTheSame(4, currency, by: [.campaign]) }
  }

  @Test func `Money of another choice is asked of what is kept, and is that of estimates made anew`() throws {
    func usual(_ keeper: PartKeeper?) throws -> [String] {
      let reader = try LedgerReader(path: path)
      return try EstimateReport.usual(of: reader, now: now).map { report in
        var report = report
        report.scope.environment = .test
        let source = ReportSource(reader: reader, now: now, keeper: keeper)
        return try report.text(.json, from: source)
      }
    }
    let store = try ReferenceStore(path: path)
    var before = try usual(keeper)
    for money in [("EUR", nil), ("USD", nil), ("EUR", Int?.some(7))] {
      try store.put([ChosenMoney(currency: CurrencyCode(money.0), days: money.1)])
      let kept = try usual(keeper)
      #expect(kept == (try usual(nil)))
      if money.1 == nil { #expect(kept != before) }
      before = kept
    }
    #expect(keeper.counts.made == 1)
  }
}

struct `Keeping parts of answers` {
  private final class Part: KeptPart {
    let bytes: Int
    let isForOthers: Bool

    init(bytes: Int = 1, isForOthers: Bool = true) { (self.bytes, self.isForOthers) = (bytes, isForOthers) }

    func shrink() -> Bool { false }
  }

  private let now = Instant(seconds: 1_000_000)

  private func state(_ postback: Int64) -> PartKeeper.State {
    PartKeeper.State(EstimateInputs(source: "a", newestPostback: postback, others: 0), now)
  }

  /// Whether a part had to be made.
  private func isMade(
    _ name: String, in keeper: PartKeeper, bytes: Int = 1, isForOthers: Bool = true, _ postback: Int64 = 1
  ) throws -> Bool {
    var isMade = false
    _ = try keeper.part(name, of: state(postback), now: now, canBeBehind: false) {
      isMade = true
      return Part(bytes: bytes, isForOthers: isForOthers)
    }
    keeper.releaseMemory()
    return isMade
  }

  @Test func `Threads that ask for the same at once make it once`() throws {
    let keeper = PartKeeper()
    let count = Guarded(0)
    let state = state(1)
    let workers = try (0..<4).map { _ in
      try Worker {
        _ = try? keeper.part("a", of: state, now: state.moment, canBeBehind: false) {
          count.withLock { $0 += 1 }
          // Long enough for the others to come.
          _ = Guarded(0).wait(atMostMicroseconds: 50_000) { _ in nil as Int? }
          return Part()
        }
      }
    }
    for worker in workers { worker.join() }
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `What cannot be made is made by the next who asks`() throws {
    let keeper = PartKeeper()
    #expect(throws: LedgerError.tookTooLong) {
      _ = try keeper.part("a", of: state(1), now: now, canBeBehind: false) { () throws -> Part in
        throw LedgerError.tookTooLong
      }
    }
    #expect(try isMade("a", in: keeper))
    #expect(try !isMade("a", in: keeper))
  }

  @Test func `Those asked for longest ago go where they take too much memory together`() throws {
    let keeper = PartKeeper(mostBytes: 10)
    for name in ["a", "b"] { #expect(try isMade(name, in: keeper, bytes: 4)) }
    #expect(try !isMade("a", in: keeper))
    #expect(try isMade("c", in: keeper, bytes: 4))
    #expect(keeper.bytes == 8)
    #expect(try !isMade("a", in: keeper))
    #expect(try isMade("b", in: keeper, bytes: 11))
    #expect(keeper.bytes <= 10)
    #expect(try isMade("b", in: keeper, bytes: 11))
  }

  @Test func `However small parts are, only so many are kept, and those asked for last`() throws {
    let keeper = PartKeeper()
    for number in 0..<1000 { #expect(try isMade("\(number)", in: keeper, bytes: 0)) }
    #expect(try !isMade("999", in: keeper, bytes: 0))
    #expect(try isMade("0", in: keeper, bytes: 0), "a reader can keep parts of any number of questions")
  }

  @Test func `A part forgets what the newest question does not need before it goes`() throws {
    final class Shrinking: KeptPart {
      private let left = Guarded(3)

      var bytes: Int { 4 * left.withLock { $0 } }
      var isForOthers: Bool { true }

      func shrink() -> Bool {
        left.withLock { left in
          guard left > 1 else { return false }
          left -= 1
          return true
        }
      }
    }
    let keeper = PartKeeper(mostBytes: 10)
    _ = try keeper.part("a", of: state(1), now: now, canBeBehind: false) { Shrinking() }
    keeper.releaseMemory()
    #expect(keeper.bytes == 8)
    #expect(try isMade("b", in: keeper, bytes: 3))
    #expect(keeper.bytes == 7 && keeper.counts.made == 2)
  }

  @Test func `What is of one question alone, or of another state, is made again`() throws {
    let keeper = PartKeeper()
    for _ in 0..<2 { #expect(try isMade("a", in: keeper, isForOthers: false)) }
    for postback: Int64 in 1...3 { #expect(try isMade("b", in: keeper, postback)) }
    #expect(try !isMade("b", in: keeper, 3) && isMade("b", in: keeper, 4))
  }
}
