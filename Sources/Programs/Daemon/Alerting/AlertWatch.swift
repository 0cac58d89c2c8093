import Alerts
import Campaigns
import Configuration
import Delivery
import Ledger
import Service
import System
import Values

/// Judges the rules of alerts while the daemon runs, on a thread of its own, and logs and posts what begins and ends.
///
/// It reads through a connection of its own and writes only when something changed, so that postbacks never wait for it.
/// Webhooks have threads of their own, so that it never waits for them.
final class AlertWatch: Watch {
  private struct State: Sendable {
    var rules: AlertRules
    /// What fires and what ended lately.
    var records: [AlertRecord] = []
    /// Whether `records` are those of the database, and what begins now is new.
    var isLoaded = false
    /// What was saved last, by id and beginning.
    var saved: [AlertKey: AlertRecord] = [:]
    /// Notices that could not be saved yet.
    var unsaved: [AlertNotice] = []
    var losses: [AlertFacts.Loss] = []
    var replacements: [Instant] = []
    var seen = Trouble()
    var lookedAt: Instant?
    var daily: DailyFacts?
    /// When a report of the daily facts failed last; `nil` where all were answered.
    var dailyFailedAt: Instant?
    /// The last error, so that it is logged once and not at every look.
    var problem: String?
  }

  /// What went wrong since the start of the service.
  struct Trouble: Sendable {
    /// Bodies that were answered 503.
    var lost = 0
    /// How often the database's files were found removed or replaced.
    var replacements = 0
    /// Requests of known networks that were turned away, of the last two weeks.
    var turnedAway: [AlertFacts.TurnedAway] = []
  }

  /// Alerts that one look logs at most of what began, and of what ended.
  static let mostLines = 100

  /// How long alerts that ended are shown, in milliseconds.
  static let remembered: Int64 = 7 * Day.milliseconds

  /// After how long a report that failed is asked again, in milliseconds.
  private static let reportsAgain: Int64 = 3_600_000

  private let file: String?
  private let context: DaemonContext
  private let board: AlertSnapshot
  private let webhooks: [Webhook]
  private let workers: [WebhookSender]
  private let trouble: @Sendable () -> Trouble
  private let state: Guarded<State>
  private let periodic: Periodic

  /// Watches a database: a reload reads `file` again, which is `nil` where the rules are the defaults.
  init(
    _ rules: AlertRules, file: String?, everySeconds seconds: Int = 60, board: AlertSnapshot,
    webhooks: [Webhook], _ context: DaemonContext, trouble: @escaping @Sendable () -> Trouble
  ) {
    self.file = file
    self.context = context
    self.board = board
    self.webhooks = webhooks
    self.trouble = trouble
    workers = webhooks.map { WebhookSender($0, context) }
    state = Guarded(State(rules: rules))
    periodic = Periodic(everyMicroseconds: UInt64(seconds) * 1_000_000, .background)
  }

  /// Takes up what the database knows before it returns.
  func start() throws(ThreadError) {
    load()
    for worker in workers { try worker.start() }
    try periodic.start { [self] in look() }
  }

  func stop() {
    periodic.stop()
    for worker in workers { worker.askToStop() }
    for worker in workers { worker.stop() }
  }

  /// Reads the file of the rules again, for the next look; where it is wrong, the old ones hold.
  func reload() {
    guard let file else { return }
    do {
      let rules = try AlertRulesFile.read(file)
      state.withLock { $0.rules = rules }
      context.log.write(.info, "alert-rules-loaded", [("file", .string(file))])
    } catch {
      context.log.write(.error, "alert-rules-not-loaded", [("reason", .string(error.message))])
    }
  }

  /// Sends notices that are in the database already, each to its webhook.
  func deliver(_ notices: [AlertNotice]) {
    forEachWorker(of: notices) { $0.add($1) }
  }

  private func forEachWorker(of notices: [AlertNotice], _ body: (WebhookSender, [AlertNotice]) -> Void) {
    for (worker, webhook) in zip(workers, webhooks) {
      body(worker, notices.filter { $0.webhook == webhook.digest })
    }
  }

  private func load() {
    let now = context.clock()
    guard let records = try? LedgerReader(path: context.database).alerts(endedSince: now + -Self.remembered)
    else {
      return
    }
    state.withLock { state in
      state.records = records
      state.saved = Self.byKey(records)
      state.isLoaded = true
    }
    board.show(records)
    context.figures.look(into: context.database)
  }

  /// Shows what another node found.
  static func show(on board: AlertSnapshot, _ context: DaemonContext) {
    let ended = context.clock() + -remembered
    let records = try? context.changes.read { reader throws(LedgerError) in
      try reader.alerts(endedSince: ended)
    }
    if let records { board.show(records) }
  }

  /// Judges once.
  func look() {
    // Without the old ones, what fires would be announced again.
    if !state.withLock({ $0.isLoaded }) { load() }
    let now = context.clock()
    var turnedAway: [AlertFacts.TurnedAway] = []
    let (rules, records, losses, replacements, lookedAt, daily, failedAt) = state.withLock { state in
      let (trouble, seen) = (trouble(), state.seen)
      if trouble.lost > seen.lost {
        state.losses.append(AlertFacts.Loss(at: now, bodies: trouble.lost - seen.lost))
      }
      let replaced = max(0, trouble.replacements - seen.replacements)
      state.replacements += repeatElement(now, count: replaced)
      state.seen = trouble
      turnedAway = trouble.turnedAway
      // Also those of a clock that was ahead.
      let recent = now + -Day.milliseconds...now
      state.losses.removeAll { !recent.contains($0.at) }
      state.replacements.removeAll { !recent.contains($0) }
      return (
        state.rules, state.records, state.losses, state.replacements, state.lookedAt, state.daily,
        state.dailyFailedAt
      )
    }
    var facts: AlertFacts
    var isWhole = true
    var problem: String?
    do {
      let reader = try LedgerReader(path: context.database)
      let source = ReportSource(reader: reader, now: now, keeper: context.keeper)
      facts = try AlertFacts(from: reader, database: context.database, rules: rules, now: now)
      // A report that fails can take as long as one that succeeds.
      if let failedAt, (failedAt..<failedAt + Self.reportsAgain).contains(now) {
        facts.daily = daily
      } else {
        let asked = DailyFacts(from: source, rules: rules, known: daily)
        facts.daily = asked
        problem = asked.failure.map { "\($0)" }
        state.withLock { $0.dailyFailedAt = asked.failure == nil ? nil : now }
      }
    } catch {
      problem = "\(error)"
      facts = AlertFacts(database: context.database)
      facts.freeBytes = (try? Folder(holding: context.database))?.freeBytes
      isWhole = false
    }
    logOnce(problem)
    let asked = facts.daily
    facts.losses = losses
    facts.replacements = replacements
    facts.turnedAway = turnedAway
    facts.lookedAt = lookedAt
    facts.certificateEnd = context.figures.reading.certificateEnd
    context.figures.look(into: context.database)
    // What can't be looked at stays as it is.
    let open = records.filter { $0.resolvedAt == nil }
    let unknown = facts.daily?.unknown ?? []
    func isJudged(_ alert: AlertRecord) -> Bool {
      guard let kind = AlertKind(rawValue: alert.kind) else { return isWhole }
      return isWhole ? !unknown.contains(kind) : kind == .diskSpace || kind.isSeenByServiceOnly
    }
    let judged = open.filter(isJudged)
    let kept = open.filter { !isJudged($0) }
    let evaluation = AlertEvaluation(facts, rules: rules, now: now, previous: judged)
    let ended = records.filter {
      ($0.resolvedAt ?? now) < now && ($0.resolvedAt ?? now) >= now + -Self.remembered
    }
    let all = evaluation.firing + kept + evaluation.resolved + ended
    announce(evaluation)
    let notices = webhooks.flatMap {
      $0.notices(of: evaluation.fired + evaluation.resolved, now: now, wording: $0.wording)
    }
    state.withLock { state in
      state.records = all
      state.lookedAt = now
      state.daily = asked ?? state.daily
      state.unsaved += notices
    }
    board.show(all)
    save(now, with: notices)
    deliver(notices)
  }

  /// Saves what changed; `new` are the last of the notices that are not saved.
  private func save(_ now: Instant, with new: [AlertNotice]) {
    let (records, saved, notices) = state.withLock { ($0.records, $0.saved, $0.unsaved) }
    // A value that only moves on is judged anew after a restart.
    let changed = records.filter { alert in
      guard let before = saved[AlertKey(alert)] else { return true }
      return (before.severity, before.clearSince, before.resolvedAt)
        != (alert.severity, alert.clearSince, alert.resolvedAt)
    }
    guard !changed.isEmpty || !notices.isEmpty else { return }
    do throws(LedgerError) {
      try AlertStore(context.changes).save(changed, notices, forgettingBefore: now + -Self.remembered)
      state.withLock { state in
        state.saved = Self.byKey(records)
        state.unsaved = []
      }
      forEachWorker(of: notices.dropLast(new.count)) { $0.noteSaved($1) }
    } catch {
      // It is announced all the same; the next look tries to save it again.
      logOnce("\(error)")
    }
  }

  private static func byKey(_ records: [AlertRecord]) -> [AlertKey: AlertRecord] {
    Dictionary(records.map { (AlertKey($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func announce(_ evaluation: AlertEvaluation) {
    for (event, alerts) in [("alert-firing", evaluation.fired), ("alert-resolved", evaluation.resolved)] {
      for alert in alerts.prefix(Self.mostLines) {
        let level: ServiceLog.Level =
          alert.resolvedAt != nil
          ? .info : alert.severity == AlertSeverity.critical.rawValue ? .error : .warning
        context.log.write(
          level, event,
          [
            ("id", .string(alert.id)), ("severity", .string(alert.severity)),
            ("sentence", .string(alert.sentence.english)),
          ])
      }
      if alerts.count > Self.mostLines {
        context.log.write(
          .warning, event,
          [
            ("more", .integer(Int64(alerts.count - Self.mostLines))),
            ("note", "`skan report alerts` lists all"),
          ])
      }
    }
  }

  private func logOnce(_ problem: String?) {
    let isNew = state.withLock { state in
      defer { state.problem = problem }
      return state.problem != problem
    }
    if isNew, let problem { context.log.write(.error, "alerts-not-judged", [("reason", .string(problem))]) }
  }
}

private struct AlertKey: Hashable {
  let id: String
  let since: Instant

  init(_ alert: AlertRecord) {
    id = alert.id
    since = alert.since
  }
}
