import CVirtualTime
import Delivery
import HTTPClient
import JSONText
import OpenSSL
import System
import Values

/// The other side of relays and webhooks.
final class Partner: Sendable {
  /// How it answers.
  enum Mood: Int, CaseIterable, Sendable {
    case accepts, fails, rejects, redirects, hangs, losesAnswers, isSlow, isBusy, repeats
  }

  private struct State: Sendable {
    var mood = Mood.accepts
    var random: SplitMix64
  }

  private let state: Guarded<State>
  private let history: History

  init(_ history: History, seed: UInt64) {
    self.history = history
    state = Guarded(State(random: SplitMix64(seed: seed)))
  }

  func take(_ mood: Mood) { state.withLock { $0.mood = mood } }

  /// Takes a post.
  ///
  /// - Returns: What comes of it, and after how many microseconds.
  func take(
    _ what: String, _ members: [JSONOutput.Member], body: String
  ) -> (outcome: Result<PostAnswer, any Error>, after: UInt32) {
    let (mood, pause) = state.withLock { state in (state.mood, UInt32(state.random.number(below: 20_000))) }
    let status =
      switch mood {
      case .accepts, .isSlow, .losesAnswers, .repeats: 200
      case .fails, .hangs: 503
      case .isBusy: 429
      case .rejects: 400
      case .redirects: 302
      }
    if mood != .hangs {
      history.note(
        what,
        members + [
          .init("sha256", .string(SHA256Digest(of: Array(history.placeless(body).utf8)).hex)),
          .init("status", .integer(Int64(status))),
        ])
    }
    switch mood {
    case .hangs, .losesAnswers: return (.failure(NoAnswer()), 15_000_000)
    case .isBusy: return (.success(PostAnswer(status: status, retryAfterSeconds: 3)), 1000 + pause)
    // A proxy before it answers with an error, so that everything comes again and again.
    case .repeats: return (.success(PostAnswer(status: 503)), 1000 + pause)
    case .isSlow: return (.success(PostAnswer(status: status)), 2_000_000 + pause)
    default: return (.success(PostAnswer(status: status)), 1000 + pause)
    }
  }

  struct NoAnswer: Error, CustomStringConvertible {
    let description = "no answer within 15 s"
  }
}

/// What the posts of one relay of a node go through to the partner.
final class PartnerChannel: RelayChannel {
  private struct Post: Sendable {
    let number: Int
    let due: Int64
    let outcome: Result<PostAnswer, any Error>
  }

  private let partner: Partner
  private let life: Life
  private let posts = Guarded<[Post]>([])

  init(_ partner: Partner, _ life: Life) { (self.partner, self.life) = (partner, life) }

  func start(_ message: RelayMessage, to url: String, as number: Int) {
    guard !life.isOver else { return }
    let delivery = message.headers.first { $0.name == "Skan-Delivery" }?.value ?? ""
    let (outcome, after) = partner.take(
      "relayed",
      [
        .init("node", .integer(Int64(life.node))), .init("life", .integer(Int64(life.number))),
        .init("to", .string(url)), .init("delivery", .string(delivery)),
      ], body: String(decoding: message.body, as: UTF8.self))
    let due = virtual_time_elapsed() + Int64(after) * 1000
    posts.withLock { $0.append(Post(number: number, due: due, outcome: outcome)) }
  }

  func ended(withinMilliseconds milliseconds: Int) -> [(number: Int, outcome: RelayOutcome)] {
    let until = virtual_time_elapsed() + Int64(milliseconds) * 1_000_000
    while true {
      let now = virtual_time_elapsed()
      let (ended, next) = posts.withLock { posts in
        let ended = posts.filter { $0.due <= now }
        posts.removeAll { $0.due <= now }
        return (ended, posts.map(\.due).min() ?? .max)
      }
      if !ended.isEmpty { return life.isOver ? [] : ended.map { ($0.number, $0.outcome) } }
      guard now < until else { return [] }
      rest(microseconds: UInt32(clamping: (min(until, next) - now) / 1000 + 1))
    }
  }

  func abandon() { posts.withLock { $0 = [] } }
}
