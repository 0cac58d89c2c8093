import System

/// Threads on which readers' questions are answered, so that none of them holds up a thread that answers devices.
///
/// As many questions are answered at once as there are threads, some more wait, and any further one is turned away.
final class ReaderPool: Sendable {
  /// Answers a question, or reports that the service is stopping.
  typealias Job = @Sendable (_ isStopping: Bool) -> Void

  private struct State: Sendable {
    var jobs: [Job] = []
    var isClosing = false
  }

  private let mostWaiting: Int
  private let state = Guarded(State())
  private let threads: [Worker]

  /// Starts the threads.
  init(threads count: Int, mostWaiting: Int = 32) throws(ThreadError) {
    self.mostWaiting = mostWaiting
    let state = state
    threads = try Worker.team(of: count) {
      state.withLock { $0.isClosing = true }
      state.wakeAll()
    } _: {
      Self.run(state)
    }
  }

  /// Hands in a question, or returns false where too many wait.
  func answer(_ job: @escaping Job) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isClosing, state.jobs.count < mostWaiting else { return false }
      state.jobs.append(job)
      return true
    }
    if isTaken { state.wake() }
    return isTaken
  }

  /// Turns away what waits, and ends the threads.
  func close() {
    let left = state.withLock { state in
      defer { state.jobs = [] }
      state.isClosing = true
      return state.jobs
    }
    state.wakeAll()
    for job in left { job(true) }
  }

  /// Waits a while for the threads after ``close()``; one whose question takes longer ends by itself.
  func join(withinSeconds seconds: Double) {
    for thread in threads { thread.join(withinSeconds: seconds) }
  }

  private static func run(_ state: Guarded<State>) {
    while let job = state.wait({ state -> Job?? in
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      return state.isClosing ? .some(nil) : nil
    }) {
      job(false)
    }
  }

  deinit { close() }
}
