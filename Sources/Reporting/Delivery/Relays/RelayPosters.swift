import HTTPClient
import System

/// Clients of one relay, each of which keeps its connection open from one postback to the next.
final class RelayPosters: Sendable {
  /// Those that post nothing now.
  private let free = Guarded<[Guarded<HTTPPoster?>]>([])

  /// Posts a body by a client that is free, or a new one.
  func answer(
    to body: [UInt8], at url: String, headers: [(name: String, value: String)]
  ) throws -> PostAnswer {
    let client = free.withLock { $0.popLast() } ?? Guarded(nil)
    defer { free.withLock { $0.append(client) } }
    return try client.withLock { poster in
      if poster == nil { poster = try HTTPPoster(connectSeconds: 5, seconds: 15) }
      guard let answer = try poster?.answer(to: body, at: url, headers: headers) else {
        throw PostError(code: .system, reason: "libcurl could not be set up")
      }
      return answer
    }
  }
}
