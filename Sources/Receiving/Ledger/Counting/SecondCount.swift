import SQLite
import System

/// Another count of the same question on a thread of its own, which takes some of the blocks: a postback counts the same in
/// whichever of both, because sums are of whole numbers.
///
/// Only as many blocks wait for it as keep it busy; the count that reads them does the others itself.
final class SecondCount {
  private struct Part {
    let block: FactBlock
    let sources: FactSources
  }

  private struct State {
    var sum: FactSum
    var failure: LedgerError?
  }

  private static let mostWaiting = 2

  private let state: Guarded<State>
  private let queue: WorkQueue<Part>

  /// - Parameter sum: One of the question that has counted nothing.
  init(_ sum: FactSum) throws(ThreadError) {
    let state = Guarded(State(sum: sum))
    self.state = state
    // In the background, so that it takes no more than is idle.
    queue = try WorkQueue(threads: 1, .background, capacity: Self.mostWaiting) { part in
      state.withLock { state in
        guard state.failure == nil else { return }
        do throws(LedgerError) {
          try state.sum.add(part.block, part.sources)
        } catch {
          state.failure = error
        }
      }
    }
  }

  /// Takes a block; false where it has enough to do.
  func take(_ block: FactBlock, _ sources: FactSources) -> Bool {
    queue.add(Part(block: block, sources: sources))
  }

  /// What it has counted; nothing can be taken any more.
  func finished() throws(LedgerError) -> FactSum {
    queue.close()
    queue.join()
    let (sum, failure) = state.withLock { ($0.sum, $0.failure) }
    if let failure { throw failure }
    return sum
  }
}
