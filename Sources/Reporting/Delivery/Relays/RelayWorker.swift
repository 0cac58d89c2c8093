package import Ledger
package import System
import Values

/// Passes postbacks on to one address, several at a time, on a thread of its own.
///
/// The rows of the ledger are its queue: it reads the next ones, posts them, and notes how far it has come, so that a
/// destination that is down for days costs no memory and delays no other. What was accepted and not noted yet is sent
/// again after a crash.
package final class RelayWorker: Sendable {
  /// Stores what was done; it is on disk when this returns.
  package typealias Save = @Sendable (RelayProgress) throws(LedgerError) -> Void

  package struct Context: Sendable {
    let database: String
    let clock: WallClock
    let save: Save
    /// A number that changes when something is stored.
    let news: @Sendable () -> Int
    let report: @Sendable (String, RelayEvent) -> Void
    let show: @Sendable (RelayFigures) -> Void
    let patience: RelayPatience

    package init(
      database: String, clock: @escaping WallClock, patience: RelayPatience = RelayPatience(),
      news: @escaping @Sendable () -> Int = { 0 }, save: @escaping Save,
      report: @escaping @Sendable (String, RelayEvent) -> Void = { _, _ in },
      show: @escaping @Sendable (RelayFigures) -> Void = { _ in }
    ) {
      self.database = database
      self.clock = clock
      self.patience = patience
      self.news = news
      self.save = save
      self.report = report
      self.show = show
    }
  }

  private static let microsecondsBetweenLooks: UInt64 = 50_000

  private let context: Context
  /// The settings apart from the run, so that a reload does not wait for an answer of the other side.
  private let settings: Guarded<Relay>
  private let run: Guarded<RelayRun>
  private let channel: any RelayChannel
  /// Of its own, because a round has it until the answers came.
  private let reader: KeptReader
  private let periodic = Periodic(everyMicroseconds: microsecondsBetweenLooks)

  /// Starts nothing yet; `seed` is for the random part of pauses.
  package init(_ relay: Relay, _ context: Context, seed: UInt64, through channel: any RelayChannel) {
    self.context = context
    self.channel = channel
    reader = KeptReader(path: context.database)
    settings = Guarded(relay)
    run = Guarded(RelayRun(relay.name, seed: seed))
  }

  /// The relay as it is used from the next postbacks on.
  package var relay: Relay { settings.withLock { $0 } }

  /// Goes on with other settings, from where it is.
  package func use(_ relay: Relay) { settings.withLock { $0 = relay } }

  /// Notes where a new relay begins, and that an old one is in use again.
  package func prepare() throws(LedgerError) {
    let reader = try LedgerReader(path: context.database)
    if let state = try relay.stateToStore(reader) { try context.save(RelayProgress(state)) }
  }

  package func start() throws(ThreadError) {
    // It does not return while posts are under way: at the end they are waited for.
    try periodic.start { [self] in while round() {} }
  }

  package func askToStop() { periodic.askToStop() }

  /// Ends the thread, after a second for the answers that are under way.
  package func stop(withinSeconds seconds: Double = .infinity) {
    if periodic.stop(withinSeconds: seconds) { reader.close() }
  }

  /// Posts what is due for a second at most, and returns whether to go on at once.
  @discardableResult func round() -> Bool {
    let job = RelayRun.Job(
      relay: relay, context: context, isStopping: { [periodic] in periodic.isStopping }, channel: channel,
      beganAt: context.clock())
    guard run.withLock({ $0.begin(job) }) else { return false }
    // A thread that was not waited for closes it itself.
    defer { if periodic.isStopping { reader.close() } }
    do throws(LedgerError) {
      return try reader.read { [run] reader throws(LedgerError) in
        try run.withLock { run throws(LedgerError) in try run.round(job, reader) }
      }
    } catch {
      run.withLock { $0.note(error, job) }
      return false
    }
  }
}

extension Relay {
  /// The state to store before it goes on; `nil` where what is stored is right.
  func stateToStore(_ reader: LedgerReader) throws(LedgerError) -> RelayState? {
    guard var state = try reader.relays().first(where: { $0.name == name }) else {
      return RelayState(name: name, place: address.place, cursor: try reader.relayCursor(start))
    }
    guard state.place != address.place || state.removedAt != nil else { return nil }
    state.place = address.place
    state.removedAt = nil
    // Another address has not failed yet.
    (state.failingSince, state.attempts, state.nextAt, state.failure) = (nil, 0, nil, nil)
    return state
  }
}
