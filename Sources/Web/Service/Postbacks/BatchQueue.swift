package import System

/// Threads on which batches of networks are judged, so that those that answer devices are never held up by one.
///
/// The networks take turns, a batch each, and answers go before batches; a `WorkQueue` has one line for all.
package final class BatchQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State: Sendable {
    var batches = FairQueue<Job>(elements: mostBatches, bytes: mostBytes, workOfTurn: 1)
    /// Answers to write, which go first, because they let memory go.
    var answers: [Job] = []
    var isClosing = false
  }

  /// Batches of one network that wait at most.
  private static let mostBatches = 64
  /// Bytes of all networks' batches that wait at most.
  private static let mostBytes = 64 << 20

  private let state = Guarded(State())
  private let threads: [Worker]

  package init(threads count: Int) throws(ThreadError) {
    let state = state
    threads = try Worker.team(of: count) {
      state.withLock { $0.isClosing = true }
      state.wakeAll()
    } _: {
      Self.run(state)
    }
  }

  /// Hands in a network's batch, or returns false where too many of its batches wait.
  func judge(from network: String, bytes: Int, _ job: @escaping Job) -> Bool {
    let isTaken = state.withLock { state in
      !state.isClosing && state.batches.append(job, from: network, bytes: bytes, work: 1)
    }
    if isTaken { state.wake() }
    return isTaken
  }

  /// Has the answer to a batch written; after the end on the calling thread.
  func answer(_ job: @escaping Job) {
    let isTaken = state.withLock { state in
      if !state.isClosing { state.answers.append(job) }
      return !state.isClosing
    }
    if isTaken { state.wake() } else { job() }
  }

  /// Ends the threads once nothing waits, and waits for them a while.
  package func close(withinSeconds seconds: Double) {
    close()
    for thread in threads { thread.join(withinSeconds: seconds) }
  }

  private func close() {
    state.withLock { $0.isClosing = true }
    state.wakeAll()
  }

  private static func run(_ state: Guarded<State>) {
    while let job = state.wait({ state -> Job?? in
      if !state.answers.isEmpty { return state.answers.removeFirst() }
      if let job = state.batches.takeFirst() { return job }
      return state.isClosing ? .some(nil) : nil
    }) {
      job()
    }
  }

  deinit { close() }
}
