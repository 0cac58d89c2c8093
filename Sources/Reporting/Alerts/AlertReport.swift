package import Arguments
import Campaigns
package import Ledger
import Postbacks
package import Tables
package import Values

/// What fires at a moment, or what every rule finds.
package struct AlertReport: Report {
  /// The moment to judge at; `nil` for now.
  package var at: Instant?
  package var all = false

  package init() {}

  package struct Source {
    let reader: LedgerReader
    let database: String
    let rules: AlertRules
    let now: Instant

    package init(reader: LedgerReader, database: String, rules: AlertRules, now: Instant) {
      self.reader = reader
      self.database = database
      self.rules = rules
      self.now = now
    }
  }

  package static let name = "alerts"
  package static let summary = "Print what is wrong now, and with --all what every rule finds."
  package static let discussion = [
    "The rules check the shares of nulls, rejected bodies, unmapped values, silent networks, copies that stopped or are "
      + "in conflict, rejected mapping files, the database, its last backup, the disk and the clock. All but three "
      + "read sums only, so that they take a moment however large the database is. Rules on returns (where a target is set), "
      + "on postbacks of windows 2 and 3 and on patterns of installs take as long as the reports `estimates`, `shortfall` and "
      + "`patterns`. Test postbacks do not count.",
    "`skan serve` judges by the same rules every minute and keeps the time since when an alert fires. Only a running "
      + "service knows what it could not store and when its certificate ends.",
  ]
  package static let examples: [Command.Example] = [
    .init("Print what is wrong", "skan report alerts -d skan.db"),
    .init("Print why nothing is wrong", "skan report alerts -d skan.db --all"),
    .init("Check in a script", "skan report alerts -d skan.db --exit-code --format ndjson"),
  ]
  package static let isCheck = true
  package static let parameters: [Parameter<Self>] = [
    .init("at", \.at, "Moment that the alerts are evaluated for.", as: .init(defaultNote: "now")),
    .init("all", \.all, "Print what every rule finds, also where nothing is wrong."),
  ]
  package static let columns = AlertRow.columns

  package func rows(from source: Source) throws -> Rows<AlertRow> {
    let now = at ?? source.now
    // At another moment than now, other alerts fired.
    let previous = at == nil ? try source.reader.alerts(endedSince: now) : []
    var facts = try AlertFacts(from: source.reader, database: source.database, rules: source.rules, now: now)
    let daily = DailyFacts(
      from: ReportSource(reader: source.reader, now: now), rules: source.rules, known: nil)
    if let failure = daily.failure { throw failure }
    facts.daily = daily
    let evaluation = AlertEvaluation(
      facts, rules: source.rules, now: now,
      previous: previous.filter {
        $0.resolvedAt == nil && AlertKind(rawValue: $0.kind)?.isSeenByServiceOnly != true
      })
    return rows(of: evaluation)
  }

  func rows(of evaluation: AlertEvaluation) -> Rows<AlertRow> {
    let units = Dictionary(
      evaluation.measures.map { ($0.id, $0.unit) }, uniquingKeysWith: { first, _ in first })
    let firing = evaluation.firing.map { AlertRow($0, unit: units[$0.id]) }
    let since = Dictionary(firing.map { ($0.id, $0.since) }, uniquingKeysWith: { first, _ in first })
    var rows = Rows.held(all ? evaluation.measures.map { AlertRow($0, since: since[$0.id] ?? nil) } : firing)
    rows.isCheckFailed = !firing.isEmpty
    rows.linesForPeople = { firing.flatMap(\.lines) }
    rows.noteIfEmpty = Sentence("no alerts")
    return rows
  }
}

/// The alerts of a running service: those that fire, then those that ended within the last days.
package struct AlertListing: Report {
  package init() {}

  package static let name = "alerts"
  package static let path = "/v1/alerts"
  package static let examples: [Command.Example] = []
  package static let summary = "List the alerts that fire, then those that ended within the last days."
  package static let parameters: [Parameter<Self>] = []
  package static let columns = AlertRow.columns

  package func rows(from alerts: [AlertRecord]) throws -> Rows<AlertRow> {
    Rows.held(alerts.map { AlertRow($0) })
  }
}
