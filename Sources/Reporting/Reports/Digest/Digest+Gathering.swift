import Arguments
import Campaigns
import EstimateReports
import Explanations
package import Ledger
package import Postbacks
import Tables
package import Values

extension Digest {
  /// Lines of a list at most, so that a mail stays short.
  private static let mostLines = 5
  /// Install days whose returns are judged.
  private static let judgedDays: Int32 = 28
  /// Days ahead for which the end of a token is named, and days after which a backup is old.
  private static let daysOfWarning: Int64 = 14
  private static let daysOfBackup: Int64 = 7

  /// Gathers a week.
  ///
  /// - Parameters:
  ///   - monday: The first day of the week.
  ///   - now: The moment of the digest; what came after it is not known.
  /// - Throws: What the reports throw.
  package init(
    weekOf monday: Day, environment: Environment = .production, apps: [AppID] = [], from reader: LedgerReader,
    now: Instant
  ) throws {
    self.init(monday: monday.monday, environment: environment, apps: apps)
    let source = ReportSource(reader: reader, now: now)
    try takeCauses(source)
    try takeReturns(source)
    try takeAlerts(reader, now)
    try takeMappings(reader, now)
    try takeConflicts(source)
    try takeService(reader, now)
    if figures.isEmpty {
      subject = "Nothing arrived that a mapping decodes"
    } else if subject.isEmpty {
      subject = "No sure change"
    }
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

  private mutating func takeCauses(_ source: ReportSource) throws {
    var report = CausesReport()
    report.period.from = monday
    report.period.to = end
    report.scope = scope
    let answer = try report.answer(from: source)
    notes += answer.notes.filter { !$0.hasPrefix("the causes add up") }
    for row in answer.detail("compared-periods")?.named ?? [] {
      figures.append(
        Figures(
          currency: row.text("currency") ?? "", conversions: row.count("conversions"),
          conversionsBefore: row.count("previous-conversions"), revenue: row["revenue"].amount ?? .zero,
          revenueBefore: row["previous-revenue"].amount ?? .zero, notShown: row["not-shown"].number,
          notShownBefore: row["previous-not-shown"].number))
    }
    let rows = answer.rows.named
    var largest = Amount(micros: -1)
    for own in figures {
      guard
        let whole = rows.first(where: {
          $0.text("currency") == own.currency && $0.text("cause") == "together"
        }),
        whole["is-sure"].flag, let change = whole["amount"].amount
      else { continue }
      let causes = rows.filter {
        $0.text("currency") == own.currency && $0.text("cause") != "together" && $0["is-sure"].flag
      }.map { row in
        "\(Self.words(ofCause: row.text("cause") ?? "")) \(Self.signed(row["amount"].amount ?? .zero))"
      }
      let share = whole["relative-change"].number
      let percents = share.map { " (\(percent($0.magnitude, 0)))" } ?? ""
      let interval =
        whole["amount.range"].bounds.map {
          ", 90 % interval \(Self.signed($0.low)) to \(Self.signed($0.high))"
        } ?? ""
      let reasons = causes.isEmpty ? "; no single cause is sure" : ": \(causes.joined(separator: ", "))"
      changed.append(
        Line(
          text:
            "Revenue \(change < .zero ? "fell" : "rose") by \(Self.money(change)) \(own.currency)\(percents)\(interval)\(reasons).",
          address: address("/causes", ownDays)))
      guard max(own.revenue, own.revenueBefore) > largest else { continue }
      largest = max(own.revenue, own.revenueBefore)
      let size = share.map { percent($0.magnitude, 0) } ?? "\(Self.money(change)) \(own.currency)"
      subject =
        "Revenue \(size) \(change < .zero ? "less" : "more")\(figures.count > 1 ? " in \(own.currency)" : "")"
    }
  }

  private static func words(ofCause cause: String) -> String {
    switch cause {
    case "volume": "number of conversions"
    case "mix": "mix of campaigns"
    case "withheld": "withheld values"
    case "exchange-rates": "exchange rates"
    case "mapping": "change of mapping"
    case "worth": "worth of users"
    default: "change of mapping or worth of users"
    }
  }

  // MARK: Sure

  private mutating func takeReturns(_ source: ReportSource) throws {
    var report = EstimateReport()
    report.period.to = Day(number: end.number - EstimateReport.daysToArrive)
    report.period.from = Day(number: end.number - EstimateReport.daysToArrive - Self.judgedDays)
    report.scope = scope
    let answer = try report.answer(from: source, sort: ["-spend"])
    let rows = answer.rows.named
    let horizons = answer.rows.headers.compactMap { header in
      header.name.hasPrefix("estimated-roas-") && header.fields.count == 1 ? header.name : nil
    }
    let days = [
      ("from", "\(report.period.from ?? monday)"),
      ("through", "\(Day(number: end.number - EstimateReport.daysToArrive - 1))"),
    ].map { (name: $0.0, value: $0.1) }
    for (verdict, words) in [("no", "surely below 1"), ("yes", "surely above 1")] {
      let own = rows.filter { $0.text("verdict") == verdict }
      for row in own.prefix(Self.mostLines) {
        let name = row.text("name") ?? "campaign \(row.text("campaign") ?? "")"
        let network = row.text("network-name") ?? row.text("network") ?? ""
        let ratio = horizons.lazy.compactMap { name in row[name].number.map { (name, $0) } }.first
        let spend = (row["spend"].amount ?? .zero).subtracting(row["uncompared-spend"].amount ?? .zero)
        let leftOut =
          row["flags"].words.contains(EstimateReport.oneSidedFlag)
          ? ", without days that lack spend or installs" : ""
        let bounds = ratio.flatMap { row["\($0.0).range"].bounds }
        let interval = bounds.map {
          " (90 % interval \(fixed($0.low.units, 2)) to \(fixed($0.high.units, 2)))"
        }
        sure.append(
          Line(
            text:
              "\(printable(name)) on \(printable(network)): return \(fixed(ratio?.1, 2, none: "unknown"))\(ratio.map { Self.horizon($0.0) } ?? "")\(interval ?? ""), \(words); "
              + "spend \(Self.money(spend)) \(row.text("currency") ?? "")\(leftOut).",
            address: address(
              "/campaign",
              [
                ("app", row.text("app") ?? ""), ("network", row.text("network") ?? ""),
                ("campaign", row.text("campaign") ?? ""), ("digits", "\(report.digits)"),
              ] + days)))
      }
      if own.count > Self.mostLines {
        sure.append(
          Line(
            text: "\(counted(own.count - Self.mostLines, "more campaign")) \(words).",
            address: address("/estimates", days + [("verdict", verdict)])))
      }
    }
    let open = rows.filter { $0.text("verdict") == "undecided" }
    if !open.isEmpty {
      let first = open.compactMap { $0["days-to-decide"].integer }.min()
      let when = first.map { "; the first is decided in about \(counted(Int($0), "day"))" } ?? ""
      sure.append(
        Line(
          text: "\(counted(open.count, "campaign")) undecided\(when).",
          address: address("/estimates", days + [("verdict", "undecided")])))
    }
  }

  /// The installs' time that a column of returns counts: `estimated-roas-48h`, `estimated-roas-30d`.
  private static func horizon(_ column: String) -> String {
    let word = column.dropFirst("estimated-roas-".count)
    let number = word.prefix { $0.isNumber }
    switch word.dropFirst(number.count) {
    case "h": return " within \(number) hours"
    case "d": return " within \(number) days"
    default: return " within window 1"
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
      lookAt.append(Line(text: alert.sentence.replacing("`", with: ""), address: "/alerts"))
    }
    if sorted.count > Self.mostLines {
      lookAt.append(
        Line(text: "\(counted(sorted.count - Self.mostLines, "more alert")).", address: "/alerts"))
    }
  }

  private mutating func takeMappings(_ reader: LedgerReader, _ now: Instant) throws {
    let week = monday.start..<end.start
    for version in try reader.mappings()
    where week.contains(version.effectiveFrom) && (apps.isEmpty || apps.contains(version.app)) {
      lookAt.append(
        Line(
          text:
            "A new mapping version of app \(version.app.number) is in force from \(version.effectiveFrom.day.words(hasYear: true)).",
          address: "/mappings?app=\(version.app.number)"))
    }
    let rejected = try reader.rejectedMappings().count
    if rejected > 0 {
      lookAt.append(
        Line(text: "\(counted(rejected, "mapping file")) rejected at the last load.", address: "/alerts"))
    }
  }

  private mutating func takeConflicts(_ source: ReportSource) throws {
    var report = ConflictReport()
    report.period.from = monday.start
    report.period.to = end.start
    report.scope = scope
    let most = 1000
    let answer = try report.answer(from: source, limit: most)
    let count = answer.rows.rows.count
    guard count > 0 else { return }
    lookAt.append(
      Line(
        text: "\(answer.isCut ? "More than " : "")\(counted(count, "conversion")) with copies that disagree.",
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
          text: "Token \(token.id) of \(printable(token.name)) ends on \(end.day.words(hasYear: true)).",
          address: "/access")
      )
    }
    guard let backup = try reader.last(.backup) else {
      lookAt.append(Line(text: "No backup has been made yet.", address: "/alerts"))
      return
    }
    if backup < now + -Self.daysOfBackup * Day.milliseconds {
      lookAt.append(
        Line(text: "The last backup is from \(backup.day.words(hasYear: true)).", address: "/alerts"))
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
