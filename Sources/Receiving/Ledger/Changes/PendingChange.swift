import System

/// A change that waits for the writer's next transaction, with what becomes of it.
protocol PendingChange: Sendable {
  associatedtype Change: LedgerChange
  var change: Change { get }
  /// Does it, within the transaction that is open.
  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError)
  /// Lets its author know: it was applied and is on disk, or why not.
  func finish(_ error: LedgerError?)
}

final class SubmittedChange<Change: LedgerChange>: PendingChange {
  private enum State {
    case waiting
    case applied(Change.Outcome)
    case finished(Result<Change.Outcome, LedgerError>)
  }

  let change: Change
  private let state = Guarded<State>(.waiting)

  init(_ change: Change) { self.change = change }

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    let outcome = try change.apply(on: connection)
    state.withLock { $0 = .applied(outcome) }
  }

  func finish(_ error: LedgerError?) {
    state.withLock { state in
      if let error {
        state = .finished(.failure(error))
      } else if case .applied(let outcome) = state {
        state = .finished(.success(outcome))
      } else {
        state = .finished(.failure(.unavailable))
      }
    }
    state.wakeAll()
  }

  /// Waits for its end.
  func outcome() throws(LedgerError) -> Change.Outcome {
    try state.wait { state in if case .finished(let result) = state { result } else { nil } }.get()
  }
}
