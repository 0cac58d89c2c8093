import Arguments
import Health
import Ledger
import Markup
import Pages
import Values

/// What is wrong and how to cure it, where postbacks come from, and what the database has.
struct HealthScreen: ScreenContent {
  static let path = "/alerts"
  static let showsSample = false
  static let place: NavigationPlace? = NavigationPlace(.operate, 2)
  static let parameters: [Parameter<Self>] = []
  /// Alerts of a page, which has to stay small.
  private static let mostAlerts = 50
  /// Days whose gaps are normal ones.
  private static let baselineDays: Int64 = 28

  static func title(_ texts: Texts) -> HTML { texts.healthTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let sources = try Source.all(context, days: Self.baselineDays)
    return .page(
      Page(
        texts.healthTitle, scope: texts.healthScope,
        body: """
          \(try figures(sources, context))
          \(alerts(context))
          \(table(sources, context))
          \(try checks(context))
          """))
  }

  // MARK: Figures

  private func figures(_ sources: [Source], _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let critical = context.alerts.count { $0.severity == "critical" }
    let newest = try context.reader.newestConversion(until: context.now)
    let backup = try context.reader.last(.backup)
    let last: HTML = newest.map { Self.age(of: $0, context) } ?? Marks.none(texts)
    let silent = sources.count { $0.isSilent }
    return Panel.figures([
      Panel.figure(
        texts.overviewAlerts, Marks.count(Int64(context.alerts.count)), texts.healthCritical(count: critical)),
      Panel.figure(texts.healthLast, last, newest.map { Marks.moment($0) } ?? texts.frameNoPostback),
      Panel.figure(
        texts.healthSources, Marks.count(Int64(sources.count)), texts.healthSilent(count: silent)),
      Panel.figure(
        texts.healthBackup, backup.map { Self.age(of: $0, context) } ?? Marks.none(texts),
        backup.map { Marks.moment($0) } ?? texts.healthNoBackup),
    ])
  }

  private static func age(of moment: Instant, _ context: ScreenContext) -> HTML {
    let hours = Int(max(0, context.now.milliseconds - moment.milliseconds) / Hour.milliseconds)
    return hours < 48 ? context.texts.healthHours(count: hours) : context.texts.filterDays(count: hours / 24)
  }

  // MARK: Alerts

  private func alerts(_ context: ScreenContext) -> HTML {
    let texts = context.texts
    let order = ["critical": 0, "warning": 1]
    let sorted = context.alerts.sorted { order[$0.severity] ?? 2 < order[$1.severity] ?? 2 }
    let items = sorted.prefix(Self.mostAlerts).map { alert in
      Self.item(
        alert, command: alert.command.isEmpty ? "" : "<code class=\"cmd\">\(alert.command)</code>", texts)
    }
    guard !items.isEmpty else {
      return Panel.section("alerts", texts.overviewAlerts, "<p class=\"soft\">\(texts.overviewNoAlerts)</p>")
    }
    let list: HTML = "<ul class=\"list\">\(items.joined())</ul>"
    let more = context.alerts.count - items.count
    let rest: HTML = more > 0 ? "<p class=\"note\">\(texts.dataMore(count: more))</p>" : ""
    return "\(Panel.section("alerts", texts.overviewAlerts, flush: true, list))\(rest)"
  }

  /// An alert in a list.
  static func item(_ alert: AlertRecord, command: HTML = "", _ texts: Texts) -> HTML {
    let (style, severity): (HTML, HTML) =
      switch alert.severity {
      case "critical": ("bad", texts.say(phrase: Sentence("critical")))
      case "warning": ("warn", texts.editorWarning)
      default: ("info", "\(alert.severity)")
      }
    return """
      <li><div class="row"><span class="badge \(style)">\(severity)</span>\
      <span class="soft xs">\(texts.overviewSince(day: Marks.day(alert.since.day)))</span></div>\
      <p>\(texts.say(alert.sentence))</p><p class="cure">\(texts.say(alert.remedy))</p>\(command)</li>
      """
  }

  // MARK: Sources

  /// A network whose valid postbacks came lately, and how long it was silent between them.
  private struct Source: Sendable {
    let network: String
    let environment: String
    let last: Instant
    /// The longest gap between hours with postbacks; `nil` for a single hour.
    let gap: Int64?
    let isSilent: Bool

    static func all(_ context: ScreenContext, days: Int64) throws -> [Source] {
      let now = Int64(context.now.day.number) * 24
      let arrivals = try context.reader.arrivals(fromHour: now - days * 24)
      var hours: [NetworkMoments.Stream: Set<Int64>] = [:]
      for arrival in arrivals where arrival.count.valid > 0 {
        guard let network = arrival.network else { continue }
        hours[.init(network: network, environment: arrival.environment), default: []].insert(arrival.hour)
      }
      let silent = Set(context.alerts.filter { $0.kind == "network-silent" }.compactMap(\.network))
      return hours.compactMap { stream, hours in
        let sorted = hours.sorted()
        guard let last = sorted.last else { return nil }
        return Source(
          network: stream.network, environment: stream.environmentName, last: Instant(hour: last),
          gap: zip(sorted, sorted.dropFirst()).map { $1 - $0 }.max(),
          isSilent: stream.environmentName == "production" && silent.contains(stream.network))
      }.sorted { ($0.network, $0.environment) < ($1.network, $1.environment) }
    }
  }

  private func table(_ sources: [Source], _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard !sources.isEmpty else {
      return Panel.section("sources", texts.healthWhere, "<p class=\"soft\">\(texts.healthNoSource)</p>")
    }
    let shown = sources.prefix(200)
    return Panel.section(
      "sources", texts.healthWhere, note: texts.healthWhereNote,
      columns: [
        .init(texts.filterNetwork, isNumber: false, shown.map { context.called.network($0.network) }),
        .init(texts.filterEnvironment, isNumber: false, shown.map { "\($0.environment)" }),
        .init(
          texts.accessState, isNumber: false,
          shown.map {
            $0.isSilent
              ? "<span class=\"badge warn\">! \(texts.healthIsSilent)</span>"
              : "<span class=\"badge good\">✓ \(texts.healthArrives)</span>"
          }),
        .init(
          texts.healthLastHour, help: texts.healthLastHourHelp, isNumber: false,
          shown.map { Marks.moment($0.last) }),
        .init(
          texts.healthGap, help: texts.healthGapHelp,
          shown.map { $0.gap.map { texts.healthHours(count: Int($0)) } ?? Marks.none(texts) }),
      ], texts)
  }

  // MARK: Checks

  private func checks(_ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    // Findings name files of the machine, which readers need not know; what fails they see.
    let isDetailed = context.mayEdit
    let order: [HealthFinding.Grade] = [.fail, .warn, .ok]
    let findings = try findings(context)
    let sorted = order.flatMap { grade in findings.filter { $0.grade == grade } }
    var columns: [DataTable.Column] = [
      .init(texts.healthCheck, isNumber: false, sorted.map { "<b>\(texts.say(phrase: $0.check.name))</b>" }),
      .init(texts.accessState, isNumber: false, sorted.map { Self.badge($0.grade, texts) }),
    ]
    if isDetailed {
      columns.append(
        .init(
          texts.dataFound, isNumber: false,
          sorted.map { finding in
            let cure: HTML = finding.cure.map { "<span class=\"cure\">\(texts.say($0))</span>" } ?? ""
            return "<div class=\"finding\">\(texts.say(finding.detail))\(cure)</div>"
          }))
    }
    let foot: HTML =
      isDetailed
      ? "<div class=\"in\"><code class=\"cmd\">skan doctor --database \(context.database)</code></div>"
      : "<p class=\"below soft\">\(texts.healthChecksReaders)</p>"
    return Panel.section(
      "checks", texts.healthChecks, note: texts.healthChecksNote, columns: columns, below: foot, texts)
  }

  /// What `skan doctor` checks, without what takes long or writes.
  private func findings(_ context: ScreenContext) throws -> [HealthFinding] {
    let reader = context.reader
    let (loaded, rejected) = (try reader.mappings().count, try reader.rejectedMappings())
    var findings = ServiceChecks.keys(context.keyring, testKeys: nil)
    findings += DatabaseChecks(context.database, .glance).findings
    findings += [
      ServiceChecks.clock(context.now, newest: try reader.lastStoredArrival()),
      ServiceChecks.modes(of: context.database),
      context.certificateEnd.map {
        ServiceChecks.certificate(Sentence("the certificate"), until: $0, now: context.now)
      },
    ].compactMap { $0 }
    findings.append(
      rejected.isEmpty
        ? .ok(.loadedMappings, Sentence("\(loaded, "version") loaded"))
        : .fail(
          .loadedMappings,
          Sentence(
            "\(loaded, "version") loaded, and \(rejected.count, "file") rejected at the last load"),
          cure: Sentence("list the reasons with `skan mapping list`, and correct the files")))
    return findings
      + MappingChecks(context.mappings, database: context.database, now: context.now).findings
  }

  private static func badge(_ grade: HealthFinding.Grade, _ texts: Texts) -> HTML {
    switch grade {
    case .ok: "<span class=\"badge good\">✓ \(texts.healthGood)</span>"
    case .warn: "<span class=\"badge warn\">! \(texts.healthWarning)</span>"
    case .fail: "<span class=\"badge bad\">✕ \(texts.healthBad)</span>"
    }
  }
}
