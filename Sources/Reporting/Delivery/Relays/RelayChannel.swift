package import HTTPClient
import System

/// What a post came to: an answer, or why there is none.
package typealias RelayOutcome = Result<PostAnswer, any Error>

/// What the posts of a relay go through, several at a time.
package protocol RelayChannel: Sendable {
  /// Begins a post; what becomes of it follows under its number.
  func start(_ message: RelayMessage, to url: String, as number: Int)
  /// What became of posts since the last call; waits for one at least, but not longer than a time.
  func ended(withinMilliseconds milliseconds: Int) -> [(number: Int, outcome: RelayOutcome)]
  /// Ends the posts that are under way; nothing follows of them.
  func abandon()
}

/// Posts by HTTP from the calling thread, over connections that stay open from one postback to the next.
package final class HTTPRelayChannel: RelayChannel {
  private struct State: ~Copyable {
    var poster: ParallelPoster?
    /// Posts that could not begin.
    var failed: [(number: Int, outcome: RelayOutcome)] = []
  }

  private let state = Guarded(State())

  package init() {}

  package func start(_ message: RelayMessage, to url: String, as number: Int) {
    state.withLock { state in
      do throws(PostError) {
        if state.poster == nil {
          state.poster = try ParallelPoster(
            connections: Relay.mostParallel, connectSeconds: 5, seconds: 15)
        }
        try state.poster?.start(message.body, at: url, headers: message.headers, as: number)
      } catch {
        state.failed.append((number: number, outcome: .failure(error)))
      }
    }
  }

  package func ended(withinMilliseconds milliseconds: Int) -> [(number: Int, outcome: RelayOutcome)] {
    state.withLock { state in
      var ended = state.failed
      state.failed = []
      let answers = state.poster?.ended(withinMilliseconds: ended.isEmpty ? milliseconds : 0) ?? []
      for (number, answer) in answers {
        ended.append((number: number, outcome: answer.mapError { $0 }))
      }
      return ended
    }
  }

  package func abandon() {
    state.withLock { state in
      state.failed = []
      state.poster?.abandon()
    }
  }
}
