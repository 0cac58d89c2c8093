package import HTTPServer
package import System

/// Threads on which readers' questions are answered, so that none of them holds up a thread that answers devices.
///
/// As many questions are answered at once as there are threads. Those who ask take turns and each of them has a bounded number
/// waiting, so that none who asks for much delays others by more than what is being answered. All who ask are bounded by
/// the connections of the server.
package final class ReaderPool: Sendable {
  /// What becomes of a question.
  package enum Turn: Sendable {
    /// It is to be answered.
    case come
    /// The service is stopping.
    case stopping
    /// Its reader has too many waiting.
    case tooMany
  }

  /// Answers a question, or rejects it.
  package typealias Job = @Sendable (Turn) -> Void

  private struct State: Sendable {
    var turns: ReaderTurns<Job>
    var isClosed = false
  }

  private let state: Guarded<State>
  private let threads: [Worker]

  /// Starts the threads; in the background, so that devices do not wait for reports.
  package init(
    threads count: Int, _ priority: Worker.Priority = .background, mostWaiting: Int = 16
  ) throws(ThreadError) {
    let state = Guarded(State(turns: ReaderTurns(mostOfReader: mostWaiting)))
    self.state = state
    threads = try Worker.team(of: count, priority) {
      Self.close(state)
    } _: {
      while let job = state.wait({ state -> Job?? in
        if let job = state.turns.next() { return job }
        return state.isClosed ? .some(nil) : nil
      }) {
        job(.come)
      }
    }
  }

  /// Hands in a question, which is rejected on the calling thread where its reader has too many waiting.
  package func answer(_ reader: RequestSender, _ job: @escaping Job) {
    let rejection = state.withLock { state -> Turn? in
      if state.isClosed { return .stopping }
      return state.turns.append(job, of: reader) ? nil : .tooMany
    }
    if let rejection { job(rejection) } else { state.wake() }
  }

  /// Turns away what waits, and ends the threads.
  package func close() { Self.close(state) }

  private static func close(_ state: Guarded<State>) {
    let left = state.withLock { state in
      state.isClosed = true
      return state.turns.removeAll()
    }
    state.wakeAll()
    for job in left { job(.stopping) }
  }

  /// Waits a while for the threads after ``close()``; one whose question takes longer ends by itself.
  package func join(withinSeconds seconds: Double) {
    for thread in threads { thread.join(withinSeconds: seconds) }
  }

  deinit { close() }
}
