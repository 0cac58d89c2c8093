import Ledger
import System

/// What the threads of an ingest have done so far.
final class IngestProgress: Sendable {
  private struct State: Sendable {
    var summary = IngestSummary()
    var isWriterDone = false
    var failure: LedgerError?
  }

  private let state = Guarded(State())

  var summary: IngestSummary { state.withLock { $0.summary } }

  var failure: LedgerError? { state.withLock { $0.failure } }

  func countWithoutTime() { state.withLock { $0.summary.withoutTime += 1 } }

  func countNullText() { state.withLock { $0.summary.withNullText += 1 } }

  func countWithoutPostback() { state.withLock { $0.summary.withoutPostback += 1 } }

  /// Problems that a summary has at most.
  private static let mostProblems = 20

  func countRejected(_ reason: String) { state.withLock { $0.summary.add(reasons: [reason: 1]) } }

  func countRejected(line: Int, _ reason: String) {
    state.withLock { state in
      state.summary.rejectedRows += 1
      // Threads judge later rows before earlier ones.
      state.summary.rowProblems[line] = reason
      if state.summary.rowProblems.count > Self.mostProblems, let last = state.summary.rowProblems.keys.max()
      {
        state.summary.rowProblems[last] = nil
      }
    }
  }

  func countRead(_ bytes: Int) { state.withLock { $0.summary.bytesRead += bytes } }

  func count(_ receipts: [Receipt], _ commitments: [Commitment], of run: Int64?) {
    state.withLock { state in
      state.summary.run = run
      for (receipt, commitment) in zip(receipts, commitments) { state.summary.add(receipt, commitment) }
    }
    state.wakeAll()
  }

  func endWriting(_ failure: LedgerError?) {
    state.withLock { state in
      state.failure = failure
      state.isWriterDone = true
    }
    state.wakeAll()
  }

  /// The summary after the next commit; `nil` when the writer is done.
  func waitForCommit() -> IngestSummary? {
    let before = summary.stored
    return state.wait { state in
      if state.isWriterDone { return .some(nil) }
      return state.summary.stored > before ? .some(state.summary) : nil
    }
  }
}
