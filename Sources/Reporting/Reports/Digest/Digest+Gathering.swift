import Arguments
package import Campaigns
import EstimateReports
import Estimates
import Explanations
import Ledger
package import Postbacks
import Tables
package import Values

extension Digest {
  /// Lines of a list at most, so that a mail stays short.
  private static let mostLines = 5
  /// Install days whose returns are judged.
  private static let countOfJudgedDays: Int32 = 28
  /// Days ahead for which the end of a token is named, and days after which a backup is old.
  private static let daysOfWarning: Int64 = 14
  private static let daysOfBackup: Int64 = 7

  /// Gathers a week.
  ///
  /// - Parameters:
  ///   - monday: The first day of the week.
  ///   - source: What came after its moment is not known.
  /// - Throws: What the reports throw.
  package init(
    weekOf monday: Day, environment: Environment = .production, apps: [AppID] = [],
    from source: ReportSource
  ) throws {
    self.init(monday: monday.monday, environment: environment, apps: apps)
    let (reader, now) = (source.reader, source.now)
    try takeCauses(source)
    try takeReturns(source)
    try takeAlerts(reader, now)
    try takeMappings(reader, now)
    try takeConflicts(source)
    try takeService(reader, now)
    if figures.isEmpty { subject = Sentence("Nothing arrived that a mapping decodes") }
  }

  private var scope: Scope {
    var scope = Scope()
    scope.environment = environment
    scope.apps = apps
    return scope
  }

  /// The address of a page for this environment and these apps.
  private func address(_ path: String, _ items: [(name: String, value: String)] = []) -> String {
    let own =
      (environment == .production ? [] : [(name: "environment", value: environment.rawValue)])
      + (apps.isEmpty || items.contains { $0.name == "app" }
        ? [] : [(name: "app", value: apps.map { "\($0.number)" }.joined(separator: ","))])
    let all = items + own
    return path
      + (all.isEmpty
        ? ""
        : "?" + all.map { "\($0.name)=\(percentEncoded($0.value, keeping: ","))" }.joined(separator: "&"))
  }

  private var ownDays: [(name: String, value: String)] { [("from", "\(monday)"), ("through", "\(sunday)")] }

  // MARK: Changed

  /// The install days of what changed, of which most postbacks have arrived.
  var changedDays: Range<Day> { Day(number: judgedDays.upperBound.number - 7)..<judgedDays.upperBound }

  private mutating func takeCauses(_ source: ReportSource) throws {
    var report = CausesReport()
    (report.period.from, report.period.to) = (changedDays.lowerBound, changedDays.upperBound)
    report.scope = scope
    let money = try ReportingMoney(ofService: source.reader, for: apps, now: source.now)
    (report.currency, report.days) = (money.currency, money.days)
    let answer = try report.answer(from: source)
    notes += answer.notes.filter { $0 != CausesReport.addUp }
    for row in answer.rows(of: CausesReport.periods) {
      figures.append(
        Figures(
          currency: row.measure.currency.text, horizon: row.measure.horizon,
          conversions: row.conversions.after, conversionsBefore: row.conversions.before,
          revenue: row.revenue.after, revenueBefore: row.revenue.before,
          nullShare: row.nullShare.after?.number, nullShareBefore: row.nullShare.before?.number))
    }
    var largest = Amount(micros: -1)
    for own in figures {
      let rows = answer.rows.filter {
        $0.measure.currency.text == own.currency && $0.measure.horizon == own.horizon && $0.isSure
      }
      guard let whole = rows.first(where: \.isWhole), let bounds = whole.amountInterval.ends else { continue }
      let change = whole.amount
      let causes = rows.compactMap { row in
        row.cause.map { Self.words(of: $0, Self.signed(row.amount)) }
      }
      let isLess = change < .zero
      let share = (whole.relativeChange?.number).map { percent($0.magnitude, 0) }
      let money = Sentence("\(number: Self.money(change)) \(code: own.currency)")
      let amount = share.map { Sentence("\(money) (\(number: $0))") } ?? money
      let (low, high) = (Self.signed(bounds.low), Self.signed(bounds.high))
      let all = Sentence.joined(causes, by: ", ")
      let text =
        switch (isLess, causes.isEmpty) {
        case (true, true):
          Sentence(
            "Estimated revenue fell by \(amount), 90 % interval \(number: low) to \(number: high); no single cause is sure."
          )
        case (true, false):
          Sentence(
            "Estimated revenue fell by \(amount), 90 % interval \(number: low) to \(number: high): \(all).")
        case (false, true):
          Sentence(
            "Estimated revenue rose by \(amount), 90 % interval \(number: low) to \(number: high); no single cause is sure."
          )
        case (false, false):
          Sentence(
            "Estimated revenue rose by \(amount), 90 % interval \(number: low) to \(number: high): \(all).")
        }
      changed.append(Line(text: text, address: address("/causes", query(of: changedDays))))
      let most = max(own.revenue ?? .zero, own.revenueBefore ?? .zero)
      guard most > largest else { continue }
      largest = most
      let part = share.map { Sentence("\(number: $0)") } ?? money
      subject =
        switch (isLess, figures.count > 1) {
        case (true, true): Sentence("Estimated revenue \(part) less in \(code: own.currency)")
        case (true, false): Sentence("Estimated revenue \(part) less")
        case (false, true): Sentence("Estimated revenue \(part) more in \(code: own.currency)")
        case (false, false): Sentence("Estimated revenue \(part) more")
        }
    }
  }

  private static func words(of cause: RevenueMove.Cause, _ amount: String) -> Sentence {
    switch cause {
    case .volume: Sentence("number of conversions \(number: amount)")
    case .mix: Sentence("mix of campaigns \(number: amount)")
    case .exchangeRates: Sentence("exchange rates \(number: amount)")
    case .worth: Sentence("worth of users \(number: amount)")
    case .mappingOrWorth: Sentence("change of mapping or worth of users \(number: amount)")
    }
  }

  // MARK: Sure

  /// The install days of money and verdicts, of which most postbacks have arrived.
  var judgedDays: Range<Day> {
    let to = Day(number: end.number - EstimateReport.daysToArrive)
    return Day(number: to.number - Self.countOfJudgedDays)..<to
  }

  private func query(of days: Range<Day>) -> [(name: String, value: String)] {
    [("from", "\(days.lowerBound)"), ("through", "\(Day(number: days.upperBound.number - 1))")]
  }

  /// The page that has their money.
  var moneyAddress: String { address("/", query(of: judgedDays)) }

  private mutating func takeReturns(_ source: ReportSource) throws {
    let days = query(of: judgedDays)
    let report = EstimateReport(
      judgedDays, scope, in: try ReportingMoney(ofService: source.reader, for: apps, now: source.now))
    let answer = try report.answer(from: source, sort: EstimateReport.spend.descending)
    let rows = answer.rows
    money = answer.rows(of: EstimateReport.totals).map(Money.init)
    let sides = [(ReturnVerdict.no, Sentence("surely below 1")), (.yes, Sentence("surely above 1"))]
    for (verdict, words) in sides {
      let own = rows.filter { $0.verdict == verdict }
      for row in own.prefix(Self.mostLines) {
        // A verdict follows from an interval.
        guard let ratio = row.returns?.number, let bounds = row.returnsInterval?.ends else { continue }
        let digits = row.digits ?? ""
        let name = row.calledName.map { Sentence(name: $0) } ?? Sentence("campaign \(name: digits)")
        let network = row.networkName ?? row.network ?? ""
        let (spend, currency) = (Self.money(row.comparedSpend), row.currency?.text ?? "")
        let (value, horizon) = (fixed(ratio, 2), Self.words(of: row.horizon))
        let (low, high) = (fixed(bounds.low.units, 2), fixed(bounds.high.units, 2))
        sure.append(
          Line(
            text: row.flags.contains(.oneSided)
              ? Sentence(
                "\(name) on \(name: network): return \(number: value) \(horizon) (90 % interval \(number: low) to "
                  + "\(number: high)), \(words); spend \(number: spend) \(code: currency), without days that lack spend or installs."
              )
              : Sentence(
                "\(name) on \(name: network): return \(number: value) \(horizon) (90 % interval \(number: low) to "
                  + "\(number: high)), \(words); spend \(number: spend) \(code: currency)."),
            address: address(
              "/campaign",
              [
                ("app", row.app.map { "\($0.number)" } ?? ""), ("network", row.network ?? ""),
                ("campaign", digits), ("digits", "\(report.digits)"),
              ] + days)))
      }
      if own.count > Self.mostLines {
        sure.append(
          Line(
            text: Sentence("\(own.count - Self.mostLines, "more campaign") \(words)."),
            address: address("/campaigns", days + [("verdict", verdict.rawValue)])))
      }
    }
    let open = rows.filter { $0.verdict == .undecided }
    if !open.isEmpty {
      let first = open.compactMap(\.daysToDecide).min()
      sure.append(
        Line(
          text: first.map { days in
            Sentence(
              "\(open.count, "campaign") undecided; the first is decided in about \(days, "day").")
          } ?? Sentence("\(open.count, "campaign") undecided."),
          address: address("/campaigns", days + [("verdict", ReturnVerdict.undecided.rawValue)])))
    }
  }

  /// The installs' time that a return counts.
  static func words(of horizon: EstimateHorizon) -> Sentence {
    switch horizon {
    case .hours(let hours): Sentence("within \(number: "\(hours)") hours")
    case .days(let days): Sentence("within \(number: "\(days)") days")
    case .timer: Sentence("within window 1")
    }
  }

  // MARK: Look at

  private mutating func takeAlerts(_ reader: LedgerReader, _ now: Instant) throws {
    // What fires has no end yet.
    let firing = try reader.alerts(endedSince: now + 1).filter { alert in
      alert.resolvedAt == nil && (apps.isEmpty || alert.app.map(apps.contains) ?? true)
    }
    let order = ["critical": 0, "warning": 1]
    let sorted = firing.sorted {
      (order[$0.severity] ?? 2, $1.since, $0.id) < (order[$1.severity] ?? 2, $0.since, $1.id)
    }
    for alert in sorted.prefix(Self.mostLines) {
      lookAt.append(Line(text: alert.sentence, address: "/alerts"))
    }
    if sorted.count > Self.mostLines {
      lookAt.append(
        Line(text: Sentence("\(sorted.count - Self.mostLines, "more alert")."), address: "/alerts"))
    }
  }

  private mutating func takeMappings(_ reader: LedgerReader, _ now: Instant) throws {
    let week = monday.start..<end.start
    for version in try reader.mappings()
    where week.contains(version.effectiveFrom) && (apps.isEmpty || apps.contains(version.app)) {
      lookAt.append(
        Line(
          text: Sentence(
            "A new mapping version of app \(code: version.app.number) is in force from "
              + "\(words: version.effectiveFrom.day)."),
          address: "/mappings?app=\(version.app.number)"))
    }
    let rejected = try reader.rejectedMappings().count
    if rejected > 0 {
      lookAt.append(
        Line(text: Sentence("\(rejected, "mapping file") rejected at the last load."), address: "/alerts"))
    }
  }

  private mutating func takeConflicts(_ source: ReportSource) throws {
    var report = ConflictReport()
    report.period.from = monday.start
    report.period.to = end.start
    report.scope = scope
    let most = 1000
    let answer = try report.answer(from: source, limit: most)
    let count = answer.rows.count
    guard count > 0 else { return }
    lookAt.append(
      Line(
        text: answer.isCut
          ? Sentence("More than \(count, "conversion") with copies that disagree.")
          : Sentence("\(count, "conversion") with copies that disagree."),
        address: address("/trust", ownDays)))
  }

  private mutating func takeService(_ reader: LedgerReader, _ now: Instant) throws {
    let limit = now + Self.daysOfWarning * Day.milliseconds
    for token in try reader.tokens() where token.revokedAt == nil {
      guard let end = token.expiresAt, end > now, end <= limit,
        apps.isEmpty || !Set(token.limit.apps).isDisjoint(with: apps)
      else { continue }
      lookAt.append(
        Line(
          text: Sentence("Token \(code: token.id) of \(name: token.name) ends on \(words: end.day)."),
          address: "/access"))
    }
    guard let backup = try reader.last(.backup) else {
      lookAt.append(Line(text: Sentence("No backup has been made yet."), address: "/alerts"))
      return
    }
    if backup < now + -Self.daysOfBackup * Day.milliseconds {
      lookAt.append(
        Line(text: Sentence("The last backup is from \(words: backup.day)."), address: "/alerts"))
    }
  }

  // MARK: Numbers

  /// An amount without its sign, whole where it has four digits or more.
  static func money(_ amount: Amount) -> String {
    let magnitude = amount.magnitude.units
    return magnitude >= 1000 ? grouped(Int64(nearest: magnitude)) : fixed(magnitude, 2)
  }

  /// An amount with its sign, which no dash can be taken for.
  static func signed(_ amount: Amount) -> String {
    amount == .zero ? "0" : (amount < .zero ? "\u{2212}" : "+") + money(amount)
  }
}
