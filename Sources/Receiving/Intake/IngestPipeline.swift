import Ledger
import System

/// Hands batches from the reader to the judges and from them, in the reader's order, to the writer.
final class IngestPipeline: Sendable {
  private struct State: Sendable {
    var jobs: [(number: Int, documents: [[UInt8]])] = []
    var judged: [Int: [Receipt]] = [:]
    var added = 0
    var taken = 0
    var isInputOver = false
    var isWriterDone = false
    var failure: LedgerError?
    var summary = IngestSummary()
  }

  private let state = Guarded(State())
  private let capacity: Int

  /// Lets that many batches be under way at once.
  init(capacity: Int) { self.capacity = capacity }

  /// Adds a batch, once there is room for it.
  ///
  /// - Returns: `false` when the writer has failed.
  func add(_ documents: [[UInt8]]) -> Bool {
    let isAdded: Bool = state.wait { state in
      if state.failure != nil { return false }
      guard state.added - state.taken < capacity else { return nil }
      state.jobs.append((state.added, documents))
      state.added += 1
      return true
    }
    state.wakeAll()
    return isAdded
  }

  func countWithoutTime() { state.withLock { $0.summary.withoutTime += 1 } }

  func countRead(_ bytes: Int) { state.withLock { $0.summary.bytesRead += bytes } }

  func endInput() {
    state.withLock { $0.isInputOver = true }
    state.wakeAll()
  }

  /// The next batch to judge; `nil` when there will be none.
  func takeJob() -> (number: Int, documents: [[UInt8]])? {
    state.wait { state in
      if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
      return state.isInputOver || state.failure != nil ? .some(nil) : nil
    }
  }

  func deliver(_ number: Int, _ receipts: [Receipt]) {
    state.withLock { $0.judged[number] = receipts }
    state.wakeAll()
  }

  /// Receipts to commit, in the reader's order; `nil` when there will be none.
  func takeReceipts(atMost limit: Int) -> [Receipt]? {
    let receipts: [Receipt]? = state.wait { state in
      var receipts: [Receipt] = []
      while receipts.count < limit, let batch = state.judged.removeValue(forKey: state.taken) {
        receipts += batch
        state.taken += 1
      }
      if !receipts.isEmpty { return .some(receipts) }
      return state.isInputOver && state.taken == state.added ? .some(nil) : nil
    }
    if receipts == nil { state.withLock { $0.isWriterDone = true } }
    state.wakeAll()
    return receipts
  }

  func finish(_ receipts: [Receipt], _ commitments: [Commitment]) {
    state.withLock { state in
      for (receipt, commitment) in zip(receipts, commitments) { state.summary.add(receipt, commitment) }
    }
    state.wakeAll()
  }

  func fail(_ error: LedgerError) {
    state.withLock { state in
      state.failure = error
      state.isWriterDone = true
    }
    state.wakeAll()
  }

  var summary: IngestSummary { state.withLock { $0.summary } }

  /// The summary after the next commit; `nil` when the writer is done.
  func waitForProgress() -> IngestSummary? {
    let before = summary.stored
    return state.wait { state in
      if state.isWriterDone { return .some(nil) }
      return state.summary.stored > before ? .some(state.summary) : nil
    }
  }

  /// Why the writer gave up, if it did.
  var failure: LedgerError? { state.withLock { $0.failure } }
}
