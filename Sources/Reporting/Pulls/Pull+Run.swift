package import Ledger
import System
package import Values
package import Verification

/// How postbacks that a pull reads are judged and stored.
package struct PullIntake: Sendable {
  let keyring: Keyring
  /// The settings of a writer of its own.
  let settings: LedgerSettings

  package init(keyring: Keyring, settings: LedgerSettings) {
    (self.keyring, self.settings) = (keyring, settings)
  }
}

extension Pull {
  /// One run stores at a time.
  ///
  /// What many rows take of memory is taken once, and a further writer of a journal needs a name of its own. No source is waited
  /// for meanwhile.
  private static let turn = Guarded(())

  /// Reads days of the source, stores them, and notes in the database what became of that.
  ///
  /// - Parameters:
  ///   - state: What the database had of the pull before.
  ///   - intake: Makes what postbacks need; a table of rows needs none.
  /// - Throws: ``PullError``, which is noted but for ``PullError/Code/stopped``, or what storing throws.
  package func run(
    _ days: Range<Day>, _ secrets: @autoclosure () throws -> PullSecrets, after state: PullState,
    in changes: any ChangeWriter,
    _ context: PullContext, clock: @escaping @Sendable () -> Instant, intake: () throws -> PullIntake
  ) throws -> PullOutcome? {
    try changes.note(begunPull: name, at: clock())
    do {
      let pulled = try PulledRows(self, of: days, try secrets(), context, now: clock())
      let (outcome, now) = try Self.turn.withLock { _ -> (PullOutcome?, Instant) in
        // The last answer can have come long after the run was asked to end, and so can its turn.
        guard context.wait(0) else { throw PullError.stopped(name) }
        let now = clock()
        switch content {
        case .rows: return (try pulled.store(in: changes, now: now), now)
        case .postbacks: return (try pulled.ingest(into: changes.path, by: intake(), clock: clock), now)
        }
      }
      try changes.note(pull: name, stored: days, after: state, at: now)
      return outcome
    } catch let error as PullError where error.code == .stopped {
      // The next start runs it; without the note it waits.
      try? changes.note(endedPull: name)
      throw error
    } catch {
      // What became of the pull counts more than whether that can be noted; without the note it is tried again sooner.
      try? changes.note(.pullFailed(name), at: clock())
      throw error
    }
  }
}
