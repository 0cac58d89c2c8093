import Platform

/// Threads on which batches of networks are judged, so that those that answer devices are never held up by one.
final class BatchLine: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State: Sendable {
    /// Batches to judge.
    var batches: [(bytes: Int, job: Job)] = []
    var bytes = 0
    /// Answers to write, which go first, because they let memory go.
    var answers: [Job] = []
    var isClosing = false
  }

  private static let mostBatches = 64
  private static let mostBytes = 64 << 20

  private let state = Guarded(State())
  private let threads: [Worker]

  /// Starts the threads.
  init(threads count: Int) throws(ThreadError) {
    let state = state
    threads = try Worker.team(of: count) {
      state.withLock { $0.isClosing = true }
      state.wakeAll()
    } _: {
      Self.run(state)
    }
  }

  /// Hands in a batch, or returns false where too many wait.
  func judge(bytes: Int, _ job: @escaping Job) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isClosing, state.batches.count < Self.mostBatches, state.bytes < Self.mostBytes else {
        return false
      }
      state.batches.append((bytes, job))
      state.bytes += bytes
      return true
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

  /// Ends the threads once nothing waits.
  func close() {
    state.withLock { $0.isClosing = true }
    state.wakeAll()
  }

  private static func run(_ state: Guarded<State>) {
    while let job = state.wait({ state -> Job?? in
      if !state.answers.isEmpty { return state.answers.removeFirst() }
      if !state.batches.isEmpty {
        let (bytes, job) = state.batches.removeFirst()
        state.bytes -= bytes
        return job
      }
      return state.isClosing ? .some(nil) : nil
    }) {
      job()
    }
  }

  deinit { close() }
}
