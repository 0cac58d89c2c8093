import Arguments
package import Campaigns
package import Estimates
package import Ledger
import MappingLibrary
import Mappings
import MeasuredUsers
package import Postbacks
package import Tables
package import Values

/// Campaigns and organic users that add up to what the advertiser's books have.
package struct ProceedsReport: Report {
  /// The days of install; without an end, as far as books and horizon reach.
  package var period = Period<Day>()
  package var apps: [AppID] = []
  package var environment = Environment.production
  /// Days since install whose revenue counts; `nil` for the time that values of the first window count.
  package var days: Int?
  package var seed = 1

  package init() {}

  /// A line of an app's account.
  package enum Part: String, Sendable {
    case campaign, organic
    /// What the division of payments by age leaves open, beyond what campaigns and organic users take of it.
    case ages = "payment-ages"
    case earlierInstalls = "earlier-installs"
    case afterHorizon = "after-horizon"
    case afterPeriod = "after-period"
    case commission, refunds, tax, proceeds
  }

  package struct Row: Sendable {
    package let app: AppID
    package let part: Part
    var campaign: EstimatedCampaign?
    var name = CampaignNames.Match.unknown
    package let currency: CurrencyCode?
    let horizon: EstimateHorizon
    /// What the estimate is before the books are known.
    package internal(set) var estimate: Double?
    package internal(set) var interval: Interval?
    /// The line's part in the books.
    package internal(set) var amount: Double?
    package internal(set) var amountInterval: Interval?
    /// The least and the most that it can be by counts, own users and books alone.
    package internal(set) var worstCase: Interval?
    /// The digits of its campaign; `nil` for lines that are of none.
    package var campaignDigits: String? { campaign?.campaign }
    /// The campaign; `nil` for lines that are of none.
    package var place: CampaignPlace? { campaign?.place(called: name) }
  }

  /// How often intervals of lines held the truth in the apps of `tools/measure/accuracy`.
  private static let measured = Sentence(
    "in 100 measured apps, 90 % intervals of lines held 82, 84 and 81 % of campaigns and 80, 74 and 68 % of organic users at 2, 7 "
      + "and 30 days, so they are too narrow")

  private struct Answer {
    let catalog: MappingCatalog
    let proceeds: [ProceedsRow]
    let signed: SignedProceeds
    let ownInstalls: [OwnInstallsRow]
    let worth: [ValueWorthRow]
    let attributed: [CampaignRow]
    let rates: ExchangeRates
  }

  /// The lines alone, as ``rows(from:)`` has them.
  ///
  /// - Throws: What ``rows(from:)`` throws.
  package func lines(from reader: LedgerReader, now: Instant) throws -> [Row] {
    try gathered(from: ReportSource(reader: reader, now: now)).lines
  }

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let (found, notes, isKnown) = try gathered(from: source)
    var rows = Rows.held(found)
    rows.notes = environment.notes + notes
    rows.noteIfEmpty =
      !isKnown
      ? Sentence(
        "no proceeds; import what apps earned with `skan proceeds import`, or receive the App Store's notifications"
      )
      : Sentence("no app has books, a mapping and winning postbacks of the same days")
    return rows
  }

  private func gathered(from source: ReportSource) throws -> (lines: [Row], notes: [Sentence], isKnown: Bool)
  {
    let now = source.now.startOfHour
    let answer = try source.reader.consistently { () throws(LedgerError) in
      var purchases = PurchaseQuery()
      (purchases.apps, purchases.dimensions) = (apps, [.app, .day])
      return Answer(
        catalog: try MappingCatalog(from: source.reader),
        proceeds: try source.reader.proceeds(from: nil, to: nil),
        signed: SignedProceeds(
          environment == .production ? try source.reader.purchases(purchases) : [], through: now.day),
        ownInstalls: try source.reader.ownInstalls(from: nil, to: nil),
        worth: try source.reader.valueWorth(),
        attributed: try source.reader.campaigns(
          CampaignQuery(environment: environment, apps: apps, dimensions: [.day, .app]), decodingFor: []
        ) { _, _ in }.rows,
        rates: ExchangeRates(try source.reader.rates()))
    }
    var found: [Row] = []
    var notes: [Sentence] = []
    let known = Set(answer.proceeds.map(\.app)).union(answer.signed.apps).filter {
      apps.isEmpty || apps.contains($0)
    }
    for app in known.ordered(by: { $0.number < $1.number }) {
      try add(app, answer, source, now, to: &found, &notes)
    }
    return (found, notes, !known.isEmpty)
  }

  private func add(
    _ app: AppID, _ answer: Answer, _ source: ReportSource, _ now: Instant, to found: inout [Row],
    _ notes: inout [Sentence]
  ) throws {
    let ages = Self.ages(of: app, answer.worth, answer.catalog)
    let imported = answer.proceeds.filter { $0.app == app }
    let books = imported.isEmpty ? answer.signed[app] : imported
    let horizonDays = days ?? ages?.usual ?? 2
    guard let asked = installDays(of: books, horizonDays) else {
      notes.append(
        Sentence(
          "the books of app \(code: app.number) have no install day whose \(horizonDays, "day") are over; import later days"
        )
      )
      return
    }
    let estimateDays = days ?? (ages?.firstWindow == nil ? ages?.usual : nil)
    let all = try estimates(of: app, asked, estimateDays, source, now)
    let currency = Self.mainCurrency(of: all)
    let rows = all.filter { $0.currency == currency && $0.sum.installs > 0 }
    guard let currency, let horizon = rows.first?.horizon else {
      notes.append(
        Sentence("app \(code: app.number) has no winning postbacks of these install days under a mapping"))
      return
    }
    let last = Day(number: asked.upperBound.number - 1)
    notes.append(
      Sentence("app \(code: app.number): lines are of installs from \(asked.lowerBound) through \(last)"))
    let own = ConvertedProceeds(books, to: currency, by: answer.rates)
    if let obstacle = obstacle(app, own, currency, all, ages, horizonDays) {
      notes.append(obstacle)
      found += rows.map { Row($0, app, horizon) }
      return
    }
    guard let ages else { return }
    let installs = InstallsByDay(app, answer.ownInstalls, answer.attributed)
    let account = ProceedsAccount(
      own.rows, of: app, in: currency, days: asked, horizon: horizonDays, ages: ages.curve,
      installs: installs.on)
    if let first = account.missing.first {
      notes.append(
        Sentence(
          "app \(code: app.number): the books lack \(account.missing.count, "day"), the first of which is \(first); its "
            + "lines have no part in the books"))
      found += rows.map { Row($0, app, horizon) }
      return
    }
    // As the report on organic installs has it: redownloads and re-engagements are not subtracted.
    let attributed = all.reduce(0) { $0 + $1.sum.firstInstalls + $1.leftOutFirstInstalls }
    let counted = installs.own(in: asked)
    if let counted, counted < attributed.rounded() {
      notes.append(
        Sentence(
          "app \(code: app.number): your own installs, \(grouped: Int(counted)), are fewer than the \(grouped: Int(nearest: attributed)) "
            + "of its campaigns, so there are no organic users; import all installs of these days"))
    }
    let organic = counted.map { max(0, $0 - attributed) }
    if organic == nil {
      notes.append(
        Sentence(
          "app \(code: app.number): your own installs are not known of all days, so organic users take what campaigns leave; import "
            + "them with `skan installs import`"))
    }
    if imported.isEmpty {
      notes.append(
        Sentence(
          "app \(code: app.number): proceeds are those of the App Store's notifications, before commission and tax; import your own "
            + "with `skan proceeds import`"))
    } else if !account.statesKeptBack {
      notes.append(
        Sentence(
          "app \(code: app.number): the books do not state commission, refunds and tax of each day, so what users paid is taken for "
            + "the proceeds; own users' amounts are before these"))
    }
    let bound = BoundEstimates(rows, organicInstalls: organic, account)
    if bound.isBelowLeast {
      notes.append(
        Sentence(
          "app \(code: app.number): the books have less than the least that counts and values allow, so its lines have no part in "
            + "the books; look for payments that the books lack"))
      found += rows.map { Row($0, app, horizon) }
      return
    }
    found += bound.lines(app, horizon)
    if !notes.contains(Self.measured) { notes.append(Self.measured) }
  }

  /// Why the books cannot be divided among campaigns; `nil` where they can.
  private func obstacle(
    _ app: AppID, _ books: ConvertedProceeds, _ currency: CurrencyCode, _ rows: [EstimateReport.Row],
    _ ages: OwnAges?, _ horizon: Int
  ) -> Sentence? {
    if !books.withoutRate.isEmpty {
      return Sentence(
        "the books of app \(code: app.number) in \(code: books.withoutRate.joined(separator: ", ")) have no rate to "
          + "\(currency), so its lines have no part in the books; import rates with `skan rates import`")
    }
    let (installs, leftOut) = rows.reduce((0, 0)) { ($0.0 + $1.sum.installs, $0.1 + $1.leftOut) }
    if leftOut > EstimateReport.notableShare * (installs + leftOut) {
      return
        Sentence(
          "app \(code: app.number): \(grouped: Int(nearest: leftOut)) installs are under mapping versions of which no own "
            + "users with \(horizon, "day") of history are known, so its lines have no part in the books; import them "
            + "with `skan users import`")
    }
    guard let ages, ages.isLong(than: horizon) else {
      return
        Sentence(
          "app \(code: app.number): books cannot be divided by age, because own users are not known of a horizon beyond "
            + "\(horizon, "day"); import them with longer ones, such as `skan users import --horizon 7,30,90`"
        )
    }
    return nil
  }

  private func estimates(
    of app: AppID, _ asked: Range<Day>, _ horizon: Int?, _ source: ReportSource, _ now: Instant
  ) throws -> [EstimateReport.Row] {
    var report = EstimateReport()
    (report.period.from, report.period.to) = (asked.lowerBound, asked.upperBound)
    (report.scope.apps, report.scope.environment) = ([app], environment)
    (report.days, report.seed) = (horizon, seed)
    return try report.estimated(from: source.upToDate, now: now).rows
  }

  /// The install days whose payments within the horizon the books have.
  private func installDays(of books: [ProceedsRow], _ horizon: Int) -> Range<Day>? {
    guard let first = books.map(\.day).min(), let last = books.map(\.day).max() else { return nil }
    let from = max(period.from ?? first, first)
    let end = Day(number: last.number - Int32(horizon) + 1)
    let to = min(period.to ?? end, end)
    return from < to ? from..<to : nil
  }

  private static func mainCurrency(of rows: [EstimateReport.Row]) -> CurrencyCode? {
    let sums = Dictionary(
      rows.compactMap { row in row.currency.map { ($0, row.sum.installs) } }, uniquingKeysWith: +)
    return sums.max { ($0.value, $1.key.text) < ($1.value, $0.key.text) }?.key
  }

  /// What own users of the mapping version with the most of them pay by age.
  private static func ages(of app: AppID, _ rows: [ValueWorthRow], _ catalog: MappingCatalog) -> OwnAges? {
    let versions = Dictionary(grouping: rows.filter { $0.app == app && !$0.isCoarse }, by: \.effectiveFrom)
    let most = versions.max { a, b in
      (a.value.reduce(0) { $0 + $1.users }, a.key) < (b.value.reduce(0) { $0 + $1.users }, b.key)
    }
    let version = catalog.histories[app]?.versions.last { $0.effectiveFrom == most?.key }
    return most.flatMap { OwnAges($0.value, fineHours: version?.fineHours) }
  }
}

/// The ages of own users' payments.
private struct OwnAges {
  let curve: PaymentAges
  /// The days that the first window counts, begun ones as whole; `nil` where nothing bounds it, as in SKAdNetwork 3, or
  /// where no own users are known of it.
  let firstWindow: Int?

  /// The days that lines are of where no others are asked for.
  var usual: Int { firstWindow ?? curve.ages.first?.days ?? curve.longest }

  /// - Parameter fineHours: The hours that the first window counts; `nil` where nothing bounds them, so that the revenue of
  ///   that time is of no age.
  init?(_ rows: [ValueWorthRow], fineHours: Int?) {
    let ages = Dictionary(grouping: rows, by: \.horizon).compactMap { horizon, rows -> PaymentAges.Age? in
      let days: Int? = if case .days(let days) = horizon { days } else { fineHours.map { ($0 + 23) / 24 } }
      guard let days else { return nil }
      let users = Double(max(1, rows.reduce(0) { $0 + $1.users }))
      return PaymentAges.Age(
        days: days, mean: rows.reduce(0) { $0 + Double($1.micros) / 1e6 } / users,
        square: rows.reduce(0) { $0 + $1.squares } / users, users: users)
    }
    guard let curve = PaymentAges(ages) else { return nil }
    self.curve = curve
    firstWindow = rows.contains { $0.horizon == .firstWindow } ? fineHours.map { ($0 + 23) / 24 } : nil
  }

  /// Whether payments later than a horizon are known.
  func isLong(than horizon: Int) -> Bool { curve.longest >= horizon }
}

/// Installs of an app a day: those that the advertiser counted, or the shape of those that postbacks attribute.
private struct InstallsByDay {
  private let counted: [Int: Double]
  private let shape: [Int: Double]
  private let range: ClosedRange<Int>?

  init(_ app: AppID, _ own: [OwnInstallsRow], _ attributed: [CampaignRow]) {
    counted = Dictionary(
      own.filter { $0.app == app }.map { (Int($0.day.number), Double($0.installs)) },
      uniquingKeysWith: { first, _ in first })
    let days = attributed.filter { $0.app == app }.compactMap { row in
      row.day.map { (Int($0.number) - CohortReport.daysBefore(.first), Double(row.counts.installs)) }
    }
    let shape = counted.isEmpty ? Dictionary(days, uniquingKeysWith: +) : counted
    self.shape = shape
    range = shape.keys.min().flatMap { first in shape.keys.max().map { first...$0 } }
  }

  /// Installs of a day; beyond the known days those of the nearest one, and 1 where nothing is known.
  func on(_ day: Int) -> Double {
    guard let range else { return 1 }
    var known = min(max(day, range.lowerBound), range.upperBound)
    // A day without a count is unknown; one without postbacks has no installs.
    while !counted.isEmpty, shape[known] == nil, known > range.lowerBound { known -= 1 }
    return shape[known] ?? 0
  }

  /// The advertiser's own count of some days; `nil` where one of them is unknown.
  func own(in days: Range<Day>) -> Double? {
    var sum = 0.0
    for day in days.lowerBound.number..<days.upperBound.number {
      guard let count = counted[Int(day)] else { return nil }
      sum += count
    }
    return sum
  }
}
