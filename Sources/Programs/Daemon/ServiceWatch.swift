import Intake
import Routing
import System

/// Looks at a running service's figures once a second and logs what an operator wants to know.
final class ServiceWatch: Watch {
  private struct State: Sendable {
    var ticks = 0
    var reported: [Counters.Figure: Int] = [:]
    var notStored = 0
    var signIns: [SignInResult: Int] = [:]
  }

  private static let secondsBetweenReports = 60

  private let counters: Counters
  private let log: ServiceLog
  private let state = Guarded(State())
  private let cause: @Sendable () -> String?
  private let signIns: @Sendable () -> [SignInResult: Int]
  private let periodic = Periodic(everyMicroseconds: 1_000_000)

  /// Watches counters and attempts to sign in; `cause` returns why storing failed last.
  init(
    _ counters: Counters, log: ServiceLog, signIns: @escaping @Sendable () -> [SignInResult: Int] = { [:] },
    cause: @escaping @Sendable () -> String? = { nil }
  ) {
    self.counters = counters
    self.signIns = signIns
    self.cause = cause
    self.log = log
  }

  func start() throws(ThreadError) { try periodic.start { [self] in tick() } }

  func stop() { periodic.stop() }

  /// Looks once; a second has passed since the last time.
  func tick() {
    let figures = figures
    let (isMinute, lost) = state.withLock { state in
      state.ticks += 1
      let now = figures[.notStored, default: 0]
      let lost = now - state.notStored
      state.notStored = now
      return (state.ticks % Self.secondsBetweenReports == 0, lost)
    }
    if lost > 0 {
      var fields: [(String, ServiceLog.Value)] = [("answered-503", .integer(Int64(lost)))]
      if let cause = cause() { fields.append(("cause", .string(cause))) }
      log.write(.error, "not-stored", fields)
    }
    reportSignIns()
    if isMinute { report("figures", evenIfQuiet: false) }
  }

  /// Logs the attempts to sign in that failed since the last look; one line for all of them, because who guesses must
  /// not be able to fill the log.
  private func reportSignIns() {
    let now = signIns()
    let before = state.withLock { state in
      defer { state.signIns = now }
      return state.signIns
    }
    let failed = [SignInResult.rejected, .limited].map { ($0, now[$0, default: 0] - before[$0, default: 0]) }
    guard failed.contains(where: { $0.1 > 0 }) else { return }
    log.write(.warning, "sign-ins-failed", failed.map { ($0.0.rawValue, .integer(Int64($0.1))) })
  }

  /// Logs the figures since the last such line.
  func report(_ event: String, evenIfQuiet: Bool) {
    let figures = figures
    let before = state.withLock { state in
      defer { state.reported = figures }
      return state.reported
    }
    let fields = Counters.Figure.allCases.map { figure in
      (figure.rawValue, figures[figure, default: 0] - before[figure, default: 0])
    }
    guard evenIfQuiet || fields.contains(where: { $0.1 > 0 }) else { return }
    log.write(.info, event, fields.map { ($0, .integer(Int64($1))) })
  }

  /// Logs the figures since the start.
  func reportAll(_ event: String) {
    state.withLock { $0.reported = [:] }
    report(event, evenIfQuiet: true)
  }

  private var figures: [Counters.Figure: Int] {
    Dictionary(uniqueKeysWithValues: Counters.Figure.allCases.map { ($0, counters[$0]) })
  }
}
