import CVirtualTime
import HTTPClient
import JSONText
import Pulls
import System
import Values

/// What a pull asks: pages of spend, which the source corrects now and then.
final class PullSource: Sendable {
  /// How it answers.
  enum Mood: Int, CaseIterable, Sendable {
    case answers, isBusy, hangs, redirects, repeatsPages, breaksOff, isNonsense
  }

  private struct State: Sendable {
    var mood = Mood.answers
    /// What it had after each change: by day and campaign, in millionths.
    var versions: [[String: [String: Int64]]] = []
    var lastAsked = Int64.min / 2
    var random: SplitMix64
  }

  static let network = "pulled.skadnetwork"
  private static let rowsOfPage = 3
  private static let campaigns = ["11", "22", "33", "44"]

  private let state: Guarded<State>
  private let history: History
  private let beginning: Instant

  init(_ history: History, seed: UInt64, beginning: Instant) {
    (self.history, self.beginning) = (history, beginning)
    state = Guarded(State(random: SplitMix64(seed: seed ^ 0x70756C6C)))
    change()
  }

  /// The document of the pull.
  static let document = """
    {"pull":"costs","request":{"url":"https://source.example/v1?from={from}&to={to}&cursor={cursor}"},
     "pages":{"cursor":"next"},"rows":"data","days":{"again":2,"to":"last-day"},
     "limits":{"run-seconds":60,"wait-seconds":10},"replaces":"days",
     "profile":{"profile":"costs","imports":"spend","records":"file",
      "columns":{"date":"day","network":"network","campaign":"campaign","amount":"cost"},
      "fixed":{"currency":"EUR"}}}
    """

  /// Whether it was asked within the last seconds, so that a node may be about to store what it answered.
  var isAsked: Bool { virtual_time_elapsed() - state.withLock { $0.lastAsked } < 5_000_000_000 }

  func take(_ mood: Mood) { state.withLock { $0.mood = mood } }

  /// Corrects some days.
  func change() {
    let now = beginning + virtual_time_elapsed() / 1_000_000
    let version = state.withLock { state in
      var days = state.versions.last ?? [:]
      for back in 0..<Int32(4) {
        let day = Day(number: now.day.number - back).description
        var rows: [String: Int64] = [:]
        for campaign in Self.campaigns where state.random.number(below: 4) > 0 {
          rows[campaign] = Int64(state.random.number(below: 1000)) * 10_000
        }
        if days[day] == nil || state.random.number(below: 2) == 0 { days[day] = rows }
      }
      state.versions.append(days)
      return days
    }
    history.note(
      "source",
      [
        .init(
          "days",
          .object(
            version.ordered { $0.key < $1.key }.map { day, rows in
              .init(
                day,
                .object(rows.ordered { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) }))
            }))
      ])
  }

  /// What the requests of one run of a node's life go through.
  func channel(_ life: Life) -> PullContext.Fetch {
    { [self] (url, _, _, _, take) throws(PostError) in
      let mood = state.withLock { state in
        state.lastAsked = virtual_time_elapsed()
        return state.mood
      }
      history.note(
        "pull",
        [
          .init("node", .integer(Int64(life.node))), .init("mood", .string("\(mood)")),
          .init("url", .string(url)),
        ])
      rest(microseconds: 20_000)
      if life.isOver { throw PostError(code: .broken, reason: "the machine has no power") }
      switch mood {
      case .hangs:
        rest(microseconds: 2_000_000)
        throw PostError(code: .timedOut, reason: "no answer came")
      case .isBusy: return FetchedAnswer(status: 429, retryAfterSeconds: 2)
      case .redirects: return FetchedAnswer(status: 302, redirect: "https://elsewhere.example/")
      default: break
      }
      let text = page(of: Self.query(url), repeats: mood == .repeatsPages)
      let bytes = Array((mood == .isNonsense ? "<html>" : text).utf8)
      guard take(mood == .breaksOff ? Array(bytes.prefix(bytes.count / 2)) : bytes) else { return nil }
      if mood == .breaksOff { throw PostError(code: .broken, reason: "the connection was reset") }
      return FetchedAnswer(status: 200)
    }
  }

  private static func query(_ url: String) -> [String: String] {
    let items = url.split(separator: "?").last?.split(separator: "&") ?? []
    return Dictionary(
      items.map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts.last ?? ""))
      }, uniquingKeysWith: { $1 })
  }

  /// A page, all of one run from the state of its first one.
  private func page(of asked: [String: String], repeats: Bool) -> String {
    let place = (asked["cursor"] ?? "").split(separator: "-").compactMap { Int($0) }
    let (version, index, days) = state.withLock { state in
      let version = place.first ?? state.versions.count - 1
      return (version, place.count > 1 ? place[1] : 0, state.versions[min(version, state.versions.count - 1)])
    }
    let rows = days.ordered { $0.key < $1.key }
      .filter { $0.key >= asked["from"] ?? "" && $0.key <= asked["to"] ?? "" }
      .flatMap { day, rows in
        rows.ordered { $0.key < $1.key }.map { campaign, micros in
          """
          {"day":"\(day)","network":"\(Self.network)","campaign":"\(campaign)","cost":"\(micros / 1_000_000).\
          \(String(1_000_000 + micros % 1_000_000).dropFirst())"}
          """
        }
      }
    let start = index * Self.rowsOfPage
    let shown = rows.dropFirst(start).prefix(Self.rowsOfPage)
    let next = start + Self.rowsOfPage < rows.count ? "\"\(version)-\(repeats ? index : index + 1)\"" : "null"
    return "{\"data\":[\(shown.joined(separator: ","))],\"next\":\(next)}"
  }
}
