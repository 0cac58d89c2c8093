import Values
import Alerts
import Arguments
import Ledger
import System

/// `skan report alerts`: what fires now, or why nothing does.
enum ReportAlertsCommand {
  static let entry = Entry(
    command: Command(
      "report alerts", "Print what is wrong now, and with --all what every rule found.",
      discussion: [
        "The rules look at shares of nulls, bodies that are not believed, values without a meaning, networks that went "
          + "silent, copies that ceased or contradict each other, mapping files that are rejected, the database, its last "
          + "copy, the disk and the clock. They read sums only, so that the answer takes a moment however large the "
          + "database is. Postbacks of test keys do not count.",
        "`skan serve` judges by the same rules every minute; what fires there has the moment since when it does. What a "
          + "running service could not store and when its certificate ends is known to it alone.",
      ],
      examples: [
        .init("What is wrong", "skan report alerts -d skan.db"),
        .init("Why nothing is", "skan report alerts -d skan.db --all"),
        .init("In a script", "skan report alerts -d skan.db --exit-code --format ndjson"),
      ],
      options: [
        .database(), .alerts,
        .value("--at", "TIME", .time, "The moment to judge at; now where it is not told."),
        .flag("--all", "Print what every rule found, also where nothing is wrong."),
        .flag("--exit-code", "End with 1 where there are alerts."), .format(),
      ])
  ) { call in
    let rules = try call.alertRules()
    let database = try call.existingDatabase()
    let reader = try call.reader()
    let now = call.settings.time("--at") ?? call.world.clock()
    // At another moment than now, other alerts fired.
    let previous =
      call.settings.time("--at") == nil
      ? try reader.alerts(endedSince: now).filter { $0.resolvedAt == nil } : []
    let facts = try AlertFacts(from: reader, database: database, rules: rules, now: now)
    let isKnownHere = { (alert: AlertRecord) in
      ![AlertKind.notStored, .certificateEnd].map(\.rawValue).contains(alert.kind)
    }
    let evaluation = AlertEvaluation(
      facts, rules: rules, now: now, previous: previous.filter(isKnownHere))
    let report = AlertReport(evaluation, showsAll: call.settings.isOn("--all"))
    call.console.write(report.text(call.format))
    return call.settings.isOn("--exit-code") && !evaluation.firing.isEmpty ? .failedCheck : .done
  }
}

extension Option {
  /// The rules of alerts.
  static let alerts = Option.value(
    "--alerts", "FILE", .path, "A file that says when alerts fire; without it the defaults hold.",
    isSetting: true)

  /// How often a service judges.
  static let alertsInterval = Option.value(
    "--alerts-interval", "SECONDS", .integer(1...86_400), "How often the rules of alerts are judged.",
    default: "60", isSetting: true)
}

extension Invocation {
  /// The rules of alerts.
  func alertRules() throws -> AlertRules {
    try settings.text("--alerts").map { try AlertRulesFile.read($0) } ?? AlertRules()
  }
}
