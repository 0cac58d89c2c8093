@testable import Campaigns
@testable import EstimateReports
import Estimates
@testable import Ledger
import Mappings
import PostbackFixtures
import Postbacks
@testable import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `Proceeds by campaign` {
  private let folder: TemporaryFolder
  private let path: String
  private let app = known(AppID(1))
  /// The first day of installs.
  private let first = Day("2026-03-01") ?? Day(number: 0)
  private let now = Instant("2026-07-01T00:00:00Z") ?? Instant(seconds: 0)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
  }

  /// Sixty days of installs of two campaigns and organic users, whose value 1 pays 4 within 7 days and 6 within 30.
  ///
  /// - Returns: What users of days 10 to 39 paid within 7 days: of campaign 11, of 22, and of no campaign.
  @discardableResult
  private func fill(
    ownInstalls: Bool = true, horizons: [Int] = [7, 30], commission: Double = 0.3, factor: Double = 1,
    lastDay: Int = 70, withheld: Int = 0
  ) throws -> [Double] {
    var random = SplitMix64(seed: 8)
    var receipts: [Receipt] = []
    var paid = [Double](repeating: 0, count: 100)
    let ages = [(7, 4.0), (30, 6)].map { PaymentAges.Age(days: $0, mean: $1, square: $1 * $1, users: 1) }
    let daily = try #require(PaymentAges(ages)).daily([.fading])[0]
    var (truth, counts) = ([0.0, 0, 0], [Int: Int64]())
    for day in 0..<60 {
      for (group, size, share) in [(0, 30, 0.2), (1, 20, 0.4), (2, 25, 0.3)] {
        for number in 0..<size {
          counts[day, default: 0] += 1
          let isPayer = random.happens(share)
          if isPayer {
            // 4 in the first week, 2 later in the month; what is behind day 99 is in no books.
            for (age, amount) in daily.enumerated() where day + age < paid.count {
              paid[day + age] += amount * factor
            }
            if (10..<40).contains(day) { truth[group] += 4 * factor }
          }
          // Some of the third group are of a campaign whose values are all withheld.
          let isWithheld = group == 2 && number < withheld
          guard group < 2 || isWithheld else { continue }
          let arrival =
            Day(number: first.number + Int32(day)).start + (72 * 3600 + Int64(random.number(below: 86_400)))
            * 1000
          receipts.append(
            valid(
              "\(day) \(group) \(number)",
              value: isWithheld || random.happens(0.2) ? .absent : fine(isPayer ? 1 : 0),
              at: arrival, network: "a.skadnetwork", app: 1, campaign: ["11", "22", "33"][group],
              environment: .production))
        }
      }
    }
    try store(receipts, in: path)
    let text =
      #"{"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","#
      + #""fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":8}}]}"#
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: app, effectiveFrom: mapping.effectiveFrom, digest: "d", loadedAt: now,
        document: Array(text.utf8))
    ])
    let reference = try ReferenceStore(path: path)
    try reference.replaceWorth(
      of: app, effectiveFrom: mapping.effectiveFrom,
      with: horizons.flatMap { days in
        [0, 1].map { value in
          ValueWorthRow(
            app: app, effectiveFrom: mapping.effectiveFrom, horizon: .days(days), currency: "USD",
            value: value,
            each: [Int64](
              repeating: value == 0 ? 0 : days == 7 ? 4_000_000 : 6_000_000, count: value == 0 ? 700 : 300))
        }
      })
    if ownInstalls {
      // None installed before the first day.
      for day in -40..<0 { counts[day] = 0 }
      try reference.put(
        counts.map { OwnInstallsRow(day: Day(number: first.number + Int32($0)), app: app, installs: $1) })
    }
    try reference.put(
      (0..<lastDay).map { day in
        ProceedsRow(
          day: Day(number: first.number + Int32(day)), app: app, currency: "USD",
          proceeds: Int64((paid[day] * (1 - commission) * 1e6).rounded()),
          commission: Int64((paid[day] * commission * 1e6).rounded()), refunds: 0, tax: 0)
      })
    return truth
  }

  private func lines(_ change: (inout ProceedsReport) -> Void = { _ in }) throws -> (
    rows: [ProceedsReport.Row], notes: [String]
  ) {
    var report = ProceedsReport()
    report.days = 7
    report.period.from = Day(number: first.number + 10)
    report.period.to = Day(number: first.number + 40)
    change(&report)
    let rows = try report.rows(from: ReportSource(reader: LedgerReader(path: path), now: now))
    return (rows.held, rows.notes.map(\.english))
  }

  @Test func `Lines add up to the books, and campaigns and organic users to what their installs paid`() throws
  {
    let truth = try fill()
    let (rows, notes) = try lines()
    let parts = rows.map(\.part)
    #expect(
      parts == [
        .campaign, .campaign, .organic, .ages, .earlierInstalls, .afterHorizon, .afterPeriod, .commission,
        .refunds,
        .tax, .proceeds,
      ])
    let amounts = try rows.map { try #require($0.amount) }
    #expect(abs(amounts.dropLast().reduce(0, +) - amounts[10]) < 1e-6 * amounts[10])
    #expect(amounts[7] < 0 && amounts[8] == 0)
    // Own users' curve is exact, so that the division by age is.
    let installs = amounts[0] + amounts[1] + amounts[2] + amounts[3]
    #expect(abs(installs / truth.reduce(0, +) - 1) < 0.04)
    for index in 0..<3 {
      let interval = try #require(rows[index].amountInterval)
      let before = try #require(rows[index].interval)
      // Which of a day's payments are of which installs is known on average alone: 3 % more.
      let wider = Interval(low: interval.low - 0.03 * truth[index], high: interval.high + 0.03 * truth[index])
      #expect(wider.contains(truth[index]), "\(parts[index]): \(truth[index]) in \(interval)")
      #expect(interval.width <= before.width + 1e-9)
      let worst = try #require(rows[index].worstCase)
      #expect(worst.low <= truth[index] && truth[index] <= worst.high)
    }
    let (from, through) = (Day(number: first.number + 10), Day(number: first.number + 39))
    #expect(notes == ["app 1: lines are of installs from \(from) through \(through)", measured])
  }

  private let measured =
    "in 100 measured apps, 90 % intervals of lines held 82, 84 and 81 % of campaigns and 80, 74 and 68 % of organic users at 2, "
    + "7 and 30 days, so they are too narrow"

  @Test
  func `The worst case includes the day on which users of the last day can still pay within the horizon`()
    throws
  {
    // Little enough that the books bound the first campaign, and not its counts.
    try fill(factor: 0.25)
    let high = try #require(try lines().rows.first?.worstCase?.high)
    // Installed late on the last day, day 39: the seventh day of 24 hours ends on day 46.
    try ReferenceStore(path: path).put([
      ProceedsRow(
        day: Day(number: first.number + 46), app: app, currency: "USD", proceeds: 1_000_000_000,
        commission: 0, refunds: 0, tax: 0)
    ])
    let more = try #require(try lines().rows.first?.worstCase?.high)
    #expect(more > high + 200, "\(high) \(more)")
    try ReferenceStore(path: path).put([
      ProceedsRow(
        day: Day(number: first.number + 47), app: app, currency: "USD", proceeds: 5_000_000_000,
        commission: 0, refunds: 0, tax: 0)
    ])
    let same = try #require(try lines().rows.first?.worstCase?.high)
    #expect(same == more)
  }

  @Test func `A campaign whose values are all withheld has a line, and its installs are not organic`() throws
  {
    try fill(withheld: 10)
    let (rows, _) = try lines()
    let (withheld, organic) = (rows[2], rows[3])
    #expect(withheld.campaign?.campaign == "33" && withheld.estimate == nil && organic.part == .organic)
    // 10 of 25 a day, so that both are about as 2 to 3.
    let (part, rest) = (try #require(withheld.amount), try #require(organic.amount))
    #expect(abs(part / (part + rest) - 0.4) < 0.1)
    let amounts = rows.compactMap(\.amount)
    #expect(amounts.count == rows.count)
    #expect(abs(amounts.dropLast().reduce(0, +) - (amounts.last ?? 0)) < 1e-6 * (amounts.last ?? 0))
  }

  @Test func `Redownloads of campaigns take nothing off organic installs`() throws {
    try fill()
    let before = try #require(try lines().rows.first { $0.part == .organic }?.estimate)
    var receipts: [Receipt] = []
    for day in 0..<60 {
      for number in 0..<10 {
        let arrival = Day(number: first.number + Int32(day)).start + Int64(80 + number) * 3_600_000
        receipts.append(
          valid(
            "again \(day) \(number)", value: fine(number < 3 ? 1 : 0), at: arrival, network: "a.skadnetwork",
            app: 1, campaign: "11", outcome: number % 2 == 0 ? .redownload : .reengagement,
            environment: .production))
      }
    }
    try store(receipts, in: path)
    let after = try #require(try lines().rows.first { $0.part == .organic }?.estimate)
    #expect(abs(after / before - 1) < 0.1)
  }

  @Test func `Without own installs organic users take what campaigns leave`() throws {
    let truth = try fill(ownInstalls: false)
    let (rows, notes) = try lines()
    #expect(rows[0].amount == rows[0].estimate && rows[1].amountInterval == rows[1].interval)
    #expect(rows[2].estimate == nil)
    let amount = try #require(rows[2].amount)
    #expect(abs(amount / truth[2] - 1) < 0.25)
    #expect(notes.contains { $0.contains("skan installs import") })
    let amounts = rows.map { $0.amount ?? 0 }
    #expect(abs(amounts.dropLast().reduce(0, +) - amounts[10]) < 1e-6 * amounts[10])
  }

  @Test func `Books that lack a day, and own users of one horizon, leave lines without a part`() throws {
    try fill(lastDay: 45)
    let (rows, notes) = try lines()
    // Who installs late on the last day of installs pays within 7 times 24 hours up to the last day of the books.
    #expect(rows.last?.part == .proceeds)
    let (from, through) = (Day(number: first.number + 10), Day(number: first.number + 37))
    #expect(notes == ["app 1: lines are of installs from \(from) through \(through)", measured])
    #expect(
      try lines {
        $0.period.from = Day(number: first.number + 40); $0.period.to = Day(number: first.number + 60)
      }.rows.isEmpty)
    _ = try ReferenceStore(path: path).remove([
      ProceedsRow(day: Day(number: first.number + 20), app: app, currency: "USD", proceeds: 0)
    ])
    let (gap, reasons) = try lines()
    #expect(gap.map(\.part) == [.campaign, .campaign] && gap.allSatisfy { $0.amount == nil })
    #expect(
      reasons.contains { $0.contains("lack 1 day, the first of which is \(Day(number: first.number + 20))") })
  }

  @Test func `Books of another currency count at the rate of their day, and without one nothing is divided`()
    throws
  {
    try fill()
    let (rows, _) = try lines()
    let reference = try ReferenceStore(path: path)
    try reference.put([
      ProceedsRow(
        day: Day(number: first.number + 20), app: app, currency: "EUR", proceeds: 50_000_000, commission: 0,
        refunds: 0, tax: 0)
    ])
    let (without, notes) = try lines()
    #expect(without.map(\.part) == [.campaign, .campaign] && without.allSatisfy { $0.amount == nil })
    #expect(notes.contains { $0.contains("in EUR have no rate to USD") && $0.contains("skan rates import") })
    try reference.put([
      RateRow(
        day: Day(number: first.number + 1), currency: "EUR", quote: "USD", picos: 1_200_000_000_000)
    ])
    let (with, none) = try lines()
    #expect(none.count == 2 && none.contains(measured) && with.map(\.part) == rows.map(\.part))
    let (more, before) = (try #require(with.last?.amount), try #require(rows.last?.amount))
    #expect(abs(more - before - 60) < 1e-6)
  }

  @Test func `Lines stay within their worst case and above 0, and books that are too small are named`() throws
  {
    try fill(factor: 0.05)
    let (small, reasons) = try lines()
    #expect(reasons.contains { $0.contains("the books have less than the least") })
    // Organic users paid no less than nothing: nothing is divided.
    #expect(small.map(\.part) == [.campaign, .campaign] && small.allSatisfy { $0.amount == nil })
    try fill()
    let (rows, notes) = try lines()
    #expect(notes.count == 2 && notes.contains(measured))
    for row in rows.prefix(3) {
      let (amount, worst) = (try #require(row.amount), try #require(row.worstCase))
      let interval = try #require(row.amountInterval)
      #expect(worst.low - 1e-6 <= amount && amount <= worst.high + 1e-6)
      #expect(worst.low - 1e-6 <= interval.low && interval.high <= worst.high + 1e-6)
    }
  }

  @Test func `Own installs that are fewer than those of campaigns leave no organic users, and are named`()
    throws
  {
    try fill()
    try ReferenceStore(path: path).put(
      (0..<60).map { OwnInstallsRow(day: Day(number: first.number + Int32($0)), app: app, installs: 20) })
    let (rows, notes) = try lines()
    #expect(rows.first { $0.part == .organic }?.estimate == 0)
    #expect(
      notes.contains { $0.contains("your own installs, 600, are fewer than the 1,") })
  }

  @Test func `Own users of one horizon cannot divide payments`() throws {
    try fill(horizons: [7])
    let (rows, notes) = try lines()
    #expect(rows.map(\.part) == [.campaign, .campaign] && rows.allSatisfy { $0.amount == nil })
    #expect(notes.contains { $0.contains("skan users import --horizon 7,30,90") })
  }

  @Test
  func `Without a horizon and without own users of the first window lines are of the shortest known one`()
    throws
  {
    try fill()
    let (asked, usual) = (try lines(), try lines { $0.days = nil })
    #expect(usual.rows.map(\.horizon) == asked.rows.map(\.horizon))
    #expect(usual.rows.map(\.estimate) == asked.rows.map(\.estimate))
    #expect(usual.rows.map(\.amount) == asked.rows.map(\.amount))
    #expect(usual.rows.contains { $0.amount != nil } && usual.notes == asked.notes)
  }

  @Test func `Lines are printed, and an empty database names what to import`() throws {
    try fill()
    let text = try printed(
      ProceedsReport.self, ["horizon": "7", "from": "2026-03-11", "to": "2026-04-10"], as: .csv, from: path)
    #expect(text.hasPrefix("app,part,network,campaign,"))
    #expect(text.contains("1,campaign,a.skadnetwork,11,") && text.contains("1,proceeds,"))
    let empty = folder.file("empty.db")
    try store([], in: empty)
    #expect(try printed(ProceedsReport.self, [:], as: .table, from: empty).contains("skan proceeds import"))
  }

  @Test func `Without imported proceeds those that the App Store signed count, with days of nothing`() throws
  {
    func purchase(_ day: Int32, _ charged: Int64, refunded: Int64 = 0, currency: String = "USD")
      -> PurchaseRow
    {
      var row = PurchaseRow(
        currency: CurrencyCode(currency), charges: 1, refunds: refunded > 0 ? 1 : 0, revocations: 0,
        charged: Amount(micros: charged), refunded: Amount(micros: refunded))
      (row.app, row.day) = (app, Day(number: day))
      return row
    }
    let signed = SignedProceeds(
      [
        purchase(3, 5_000_000), purchase(6, 4_000_000, refunded: 1_000_000), purchase(4, 7, currency: "EUR"),
        purchase(3_000_000, 9),
      ], through: Day(number: 20))
    #expect(signed.apps == [app])
    let dollars = signed[app].filter { $0.currency == "USD" }
    #expect(dollars.map(\.day.number) == [3, 4, 5, 6])
    #expect(dollars.map(\.proceeds) == [5_000_000, 0, 0, 3_000_000])
    #expect(dollars.map(\.refunds) == [0, 0, 0, 1_000_000])
    #expect(dollars.allSatisfy { $0.commission == nil && $0.tax == nil })
    #expect(signed[known(AppID(2))].isEmpty)
  }
}
