package import Mappings
import Postbacks
import Values

/// What an experiment has to find, and under which conditions; its size follows from that and from users.
package struct ExperimentAim: Sendable {
  package enum Users: Sendable {
    case own(UserValues, of: Int)
    /// The share of users with the event, strictly between 0 and 1.
    case rate(Double)
    /// Mean and standard deviation of revenue in units of the currency, above 0; without one for B, A's is raised by the
    /// difference.
    case stated(mean: Double, spread: Double, spreadB: Double?)
  }

  package var measure = ExperimentMeasure.revenue
  /// How much higher B's mean is than A's, relative to A's; above 0.
  package var lift: Double
  /// The share of installs without a value, below 1.
  package var nulls: Double
  /// The cause of B's higher mean, for first-party users.
  package var cause = UserValues.Lift.amounts
  /// The share of installs in arm B, strictly between 0 and 1.
  package var shareB = 0.5
  /// How often an existing difference is found, strictly between 0 and 1.
  package var power = 0.8
  /// How often nothing is found without a difference, strictly between 0 and 1.
  package var level = 0.95
  /// Whether one looks every day, and not only at the end.
  package var looksDaily = true
  /// Installs of both arms a day; `nil` where they are not known.
  package var installsPerDay: Int?

  package init(lift: Double, nulls: Double) {
    self.lift = lift
    self.nulls = nulls
  }

  package func design(
    by mapping: Mapping, from users: Users
  ) throws(ExperimentObstacle) -> ExperimentDesign {
    if case .event(let name) = measure,
      !mapping.fine.contains(where: { $0.conditions.events.contains { $0.name == name } })
    {
      throw .unknownEvent(name)
    }
    let arms = try arms(of: users)
    var request = ExperimentSize.Request(difference: arms.mean * lift, a: arms.a, b: arms.b)
    request.greatest = measure.greatest(of: mapping)
    request.shareB = shareB
    request.power = power
    request.level = level
    guard let size = ExperimentSize(request) else { throw .noSize }
    return ExperimentDesign(
      measure: measure, mapping: mapping, lift: lift, nulls: nulls, mean: arms.mean, within: arms.within,
      cause: arms.cause,
      otherSizes: arms.others.compactMap { how, moments in
        var other = request
        other.b = moments
        return ExperimentSize(other).map { (how, $0) }
      }, request: request, size: size, looksDaily: looksDaily, installsPerDay: installsPerDay)
  }

  private struct Arms {
    let mean: Double
    /// The part of the variance within values; `nil` where it is unknown.
    var within: Double?
    let a: CentralMoments
    let b: CentralMoments
    /// The cause of B's higher mean; `nil` where it is unknown.
    var cause: UserValues.Lift?
    /// B's users for the other causes of the same mean.
    var others: [(how: UserValues.Lift, moments: CentralMoments)] = []
  }

  private func arms(of users: Users) throws(ExperimentObstacle) -> Arms {
    switch users {
    case .own(let users, let count):
      guard users.mean > 0 else { throw .nothingMeasured(users: count) }
      return try measure == .revenue ? raised(users) : share(users.mean, within: users.varianceWithin)
    case .rate(let rate): return try share(rate, within: nil)
    case .stated(let mean, let spread, let other):
      let spreadB = other ?? spread * (1 + lift)
      return Arms(
        mean: mean, a: CentralMoments(gammaOfMean: mean, variance: spread * spread),
        b: CentralMoments(gammaOfMean: mean * (1 + lift), variance: spreadB * spreadB))
    }
  }

  /// First-party users, and the same with a higher mean.
  private func raised(_ users: UserValues) throws(ExperimentObstacle) -> Arms {
    guard let raised = users.raised(by: lift, from: cause) else { throw .tooFewUsers }
    let others = UserValues.Lift.allCases.filter { $0 != cause }.compactMap { how in
      users.raised(by: lift, from: how).map { (how: how, moments: $0.moments) }
    }
    return Arms(
      mean: users.mean, within: users.varianceWithin, a: users.moments, b: raised.moments, cause: cause,
      others: others)
  }

  /// Shares of users, whose variance follows from the share.
  private func share(_ share: Double, within: Double?) throws(ExperimentObstacle) -> Arms {
    guard share * (1 + lift) < 1 else { throw .rateTooHigh(share) }
    return Arms(
      mean: share, within: within, a: CentralMoments(ofShare: share),
      b: CentralMoments(ofShare: share * (1 + lift)))
  }
}

extension UserValues {
  /// Replays users under a mapping; those who get no value of the first window are left out.
  ///
  /// - Parameters:
  ///   - measure: What a value is worth.
  package init(
    of histories: some Sequence<[UserEvent]>, by measure: ExperimentMeasure, _ mapping: Mapping
  ) {
    self.init()
    var known: [FineValue: (mean: Double, within: Double)] = [:]
    for events in histories {
      guard let value = mapping.replay(events).postbacks.first(where: { $0.window == .first })?.fine
      else { continue }
      let worth = known[value] ?? measure.worth(mapping.expectation(.fine(value)))
      known[value] = worth
      add(worth.mean, within: worth.within)
    }
  }
}
