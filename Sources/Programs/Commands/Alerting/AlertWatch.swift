import Alerts
import Ledger
import Service
import System
import Values

/// Judges the rules of alerts while the daemon runs, on a thread of its own, and tells what begins and ends.
///
/// It reads through a connection of its own and writes only when something changed, so that postbacks never wait for it.
/// Webhooks have threads of their own, so that it never waits for them.
final class AlertWatch: Sendable {
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
    var lost = 0
    var lookedAt: Instant?
    var isForced = false
    /// The last obstacle, so that it is told once and not at every look.
    var obstacle: String?
  }

  /// Alerts that one look logs at most of what began, and of what ended.
  static let mostLines = 100

  /// How long alerts that ended are shown, in milliseconds.
  static let remembered: Int64 = 7 * Day.milliseconds

  private let file: String?
  private let database: String
  private let board: AlertSnapshot
  private let webhooks: [Webhook]
  private let couriers: [WebhookSender]
  private let log: ServiceLog
  private let clock: WallClock
  private let lost: @Sendable () -> Int
  private let figures: OperatorFigures
  private let state: Guarded<State>

  /// Watches a database.
  ///
  /// - Parameters:
  ///   - rules: When alerts fire.
  ///   - file: The file that the rules are of; it is read again when that is demanded.
  ///   - database: The database's path.
  ///   - board: Where the alerts are shown.
  ///   - webhooks: Who is told.
  ///   - log: Where they are logged.
  ///   - clock: Tells the time.
  ///   - figures: What a running service knows, and where what is found out is shown.
  ///   - lost: Bodies that were answered 503 since the start.
  init(
    _ rules: AlertRules, file: String?, database: String, board: AlertSnapshot, webhooks: [Webhook],
    log: ServiceLog, clock: @escaping WallClock, figures: OperatorFigures,
    lost: @escaping @Sendable () -> Int
  ) {
    self.file = file
    self.database = database
    self.board = board
    self.webhooks = webhooks
    self.log = log
    self.clock = clock
    self.lost = lost
    self.figures = figures
    couriers = webhooks.map { WebhookSender($0, database: database, log: log, clock: clock) }
    state = Guarded(State(rules: rules))
  }

  /// Takes up what the database knows, and goes on looking on a thread that lasts as long as the process.
  ///
  /// - Throws: `ThreadError`.
  func start(everySeconds seconds: Int) throws(ThreadError) {
    load()
    for courier in couriers { try courier.start() }
    _ = try Worker { [self] in
      while true {
        for _ in 0..<seconds {
          rest(microseconds: 1_000_000)
          reloadIfDemanded()
        }
        look()
      }
    }
  }

  /// Reads the file of the rules again before the next look.
  func demand() { state.withLock { $0.isForced = true } }

  private func reloadIfDemanded() {
    let isForced = state.withLock { state in
      defer { state.isForced = false }
      return state.isForced
    }
    guard isForced, let file else { return }
    do {
      let rules = try AlertRulesFile.read(file)
      state.withLock { $0.rules = rules }
      log.write(.info, "alert-rules-loaded", [("file", .string(file))])
    } catch {
      log.write(.error, "alert-rules-not-loaded", [("reason", .string(error.message))])
    }
  }

  private func load() {
    let now = clock()
    guard let records = try? LedgerReader(path: database).alerts(endedSince: now + -Self.remembered) else {
      return
    }
    state.withLock { state in
      state.records = records
      state.saved = Self.byKey(records)
      state.isLoaded = true
    }
    board.show(records)
    figures.look(into: database)
  }

  /// Judges once.
  func look() {
    // Without the old ones, what fires would be told again.
    if !state.withLock({ $0.isLoaded }) { load() }
    let now = clock()
    let (rules, records, losses, lookedAt) = state.withLock { state in
      let lost = lost()
      if lost > state.lost { state.losses.append(AlertFacts.Loss(at: now, bodies: lost - state.lost)) }
      state.lost = lost
      // Also those of a clock that was ahead.
      state.losses.removeAll { $0.at < now + -Day.milliseconds || $0.at > now }
      return (state.rules, state.records, state.losses, state.lookedAt)
    }
    var facts: AlertFacts
    var isWhole = true
    do {
      facts = try AlertFacts(
        from: LedgerReader(path: database), database: database, rules: rules, now: now)
      tell(obstacle: nil)
    } catch {
      tell(obstacle: "\(error)")
      facts = AlertFacts(database: database)
      facts.freeBytes = (try? Folder(holding: database))?.freeBytes
      isWhole = false
    }
    facts.losses = losses
    facts.lookedAt = lookedAt
    facts.certificateEnd = figures.reading.certificateEnd
    figures.look(into: database)
    // What can't be looked at stays as it is.
    let open = records.filter { $0.resolvedAt == nil }
    func isJudged(_ alert: AlertRecord) -> Bool { isWhole || Self.needsNoDatabase.contains(alert.kind) }
    let judged = open.filter(isJudged)
    let kept = open.filter { !isJudged($0) }
    let evaluation = AlertEvaluation(facts, rules: rules, now: now, previous: judged)
    let ended = records.filter {
      ($0.resolvedAt ?? now) < now && ($0.resolvedAt ?? now) >= now + -Self.remembered
    }
    let all = evaluation.firing + kept + evaluation.resolved + ended
    announce(evaluation)
    let notices = webhooks.flatMap { $0.notices(of: evaluation.fired + evaluation.resolved, now: now) }
    state.withLock { state in
      state.records = all
      state.lookedAt = now
      state.unsaved += notices
    }
    board.show(all)
    save(now)
    for (courier, webhook) in zip(couriers, webhooks) {
      courier.add(notices.filter { $0.webhook == webhook.digest })
    }
  }

  private static let needsNoDatabase = [AlertKind.notStored, .diskSpace, .certificateEnd].map(\.rawValue)

  private func save(_ now: Instant) {
    let (records, saved, notices) = state.withLock { ($0.records, $0.saved, $0.unsaved) }
    // A value that only moves on is judged anew after a restart.
    let changed = records.filter { alert in
      guard let before = saved[AlertKey(alert)] else { return true }
      return (before.severity, before.clearSince, before.resolvedAt)
        != (alert.severity, alert.clearSince, alert.resolvedAt)
    }
    guard !changed.isEmpty || !notices.isEmpty else { return }
    do throws(LedgerError) {
      try AlertStore(path: database).save(changed, notices, forgettingBefore: now + -Self.remembered)
      state.withLock { state in
        state.saved = Self.byKey(records)
        state.unsaved = []
      }
    } catch {
      // It is told all the same; the next look tries to save it again.
      tell(obstacle: "\(error)")
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
        log.write(
          level, event,
          [
            ("id", .string(alert.id)), ("severity", .string(alert.severity)),
            ("sentence", .string(alert.sentence)),
          ])
      }
      if alerts.count > Self.mostLines {
        log.write(
          .warning, event,
          [
            ("more", .integer(Int64(alerts.count - Self.mostLines))),
            ("note", "`skan report alerts` lists all"),
          ])
      }
    }
  }

  private func tell(obstacle: String?) {
    let isNew = state.withLock { state in
      defer { state.obstacle = obstacle }
      return state.obstacle != obstacle
    }
    if isNew, let obstacle { log.write(.error, "alerts-not-judged", [("reason", .string(obstacle))]) }
  }
}

/// Which time an alert fired.
private struct AlertKey: Hashable {
  let id: String
  let since: Instant

  init(_ alert: AlertRecord) {
    id = alert.id
    since = alert.since
  }
}
