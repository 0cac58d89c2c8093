import Mappings
import Postbacks
import Values

/// What becomes of one user under a mapping before anything is drawn: the same in every run.
struct PlayedUser: Sendable {
  /// The user's windows in a list.
  var ends: Range<Int32>
  /// As in ``UserReplay/isChainBroken``.
  var isChainBroken = false
  /// As in ``UserReplay/lostByChain``.
  var lostByChain: Int64 = 0
  /// True revenue in all.
  var ever: Int64
  /// True revenue within the horizon.
  var inHorizon: Int64
}

/// Plays the users of a cohort one after the other.
struct UserPlay {
  /// True revenue of the users played so far in currencies that are not measured, by their number.
  private(set) var others: [MoneySum]

  private let cohort: Cohort
  private let horizon: Int64
  private let measured: Int32
  private var replay: UserReplay

  init(_ simulator: Simulator, _ cohort: Cohort) {
    self.cohort = cohort
    horizon = simulator.configuration.horizonSeconds
    let currency = simulator.configuration.currency
    measured = cohort.names.currencies.firstIndex(of: currency).map { Int32($0) } ?? -2
    replay = simulator.replay(cohort)
    others = Array(repeating: .zero, count: cohort.names.currencies.count)
  }

  var ends: [WindowEnd] { replay.ends }

  /// Plays a user; an organic one has no windows.
  mutating func play(_ user: CohortUser) -> PlayedUser {
    let (ever, inHorizon) = truth(user)
    guard user.campaign >= 0 else { return PlayedUser(ends: 0..<0, ever: ever, inHorizon: inHorizon) }
    replay.play(user)
    return PlayedUser(
      ends: 0..<Int32(replay.ends.count), isChainBroken: replay.isChainBroken,
      lostByChain: replay.lostByChain,
      ever: ever, inHorizon: inHorizon)
  }

  /// Adds up a user's true revenue, in all and within the horizon.
  private mutating func truth(_ user: CohortUser) -> (ever: Int64, inHorizon: Int64) {
    let cohort = self.cohort
    let events = cohort.events.span
    var ever: Int64 = 0
    var inHorizon: Int64 = 0
    for index in Int(user.events.lowerBound)..<Int(user.events.upperBound) {
      let event = events[index]
      guard event.currency >= 0 else { continue }
      guard event.currency == measured else {
        others[Int(event.currency)].add(event.micros)
        continue
      }
      ever = ever.addingHeld(event.micros)
      if Int64(event.secondsSinceInstall) < horizon { inHorizon = inHorizon.addingHeld(event.micros) }
    }
    return (ever, inHorizon)
  }
}

/// All users of a small cohort, played once for every run.
struct PlayedUsers: Sendable {
  let ends: [WindowEnd]
  let users: [PlayedUser]
  /// True revenue in currencies that are not measured, by their number.
  let others: [MoneySum]

  init(_ simulator: Simulator, _ cohort: Cohort) {
    var play = UserPlay(simulator, cohort)
    var ends: [WindowEnd] = []
    users = cohort.users.map { user in
      var played = play.play(user)
      let start = Int32(ends.count)
      ends += play.ends[..<Int(played.ends.upperBound)]
      played.ends = start..<Int32(ends.count)
      return played
    }
    self.ends = ends
    others = play.others
  }
}
