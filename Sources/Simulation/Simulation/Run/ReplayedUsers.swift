import Mappings
import Postbacks
import Values

/// What becomes of one user under a mapping before anything is drawn: the same in every run.
struct ReplayedUser: Sendable {
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

/// Replays the users of a cohort one after the other.
struct CohortReplay {
  /// True revenue of the users replayed so far in currencies that are not measured, by their number.
  private(set) var others: [MoneySum]

  private let cohort: Cohort
  private let horizon: Int64
  private let measured: Int32
  private var userReplay: UserReplay

  init(_ simulator: Simulator, _ cohort: Cohort) {
    self.cohort = cohort
    horizon = simulator.configuration.horizonSeconds
    let currency = simulator.configuration.currency
    measured = cohort.names.currencies.firstIndex(of: currency).map { Int32($0) } ?? -2
    userReplay = simulator.replay(cohort)
    others = Array(repeating: .zero, count: cohort.names.currencies.count)
  }

  var ends: [WindowEnd] { userReplay.ends }

  /// Replays a user; an organic one has no windows.
  mutating func replay(_ user: CohortUser) -> ReplayedUser {
    let (ever, inHorizon) = truth(user)
    guard user.campaign >= 0 else { return ReplayedUser(ends: 0..<0, ever: ever, inHorizon: inHorizon) }
    userReplay.replay(user)
    return ReplayedUser(
      ends: 0..<Int32(userReplay.ends.count), isChainBroken: userReplay.isChainBroken,
      lostByChain: userReplay.lostByChain,
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

/// All users of a small cohort, replayed once for every run.
struct ReplayedUsers: Sendable {
  let ends: [WindowEnd]
  let users: [ReplayedUser]
  /// True revenue in currencies that are not measured, by their number.
  let others: [MoneySum]

  init(_ simulator: Simulator, _ cohort: Cohort) {
    var replay = CohortReplay(simulator, cohort)
    var ends: [WindowEnd] = []
    users = cohort.users.map { user in
      var replayed = replay.replay(user)
      let start = Int32(ends.count)
      ends += replay.ends[..<Int(replayed.ends.upperBound)]
      replayed.ends = start..<Int32(ends.count)
      return replayed
    }
    self.ends = ends
    others = replay.others
  }
}
