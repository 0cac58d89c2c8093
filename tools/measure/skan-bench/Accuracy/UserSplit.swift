import MappingDesign
import Mappings
import Postbacks
import Simulation
import Values

/// The users of an app in two halves by a seed: the advertiser's own, and those that campaigns are made of.
///
/// A user's half follows from the seed and the user's key alone, before anything is measured.
struct UserSplit {
  let app: AppUsers
  let seed: UInt64

  func isOwn(_ key: UInt64) -> Bool {
    var random = SplitMix64(seed: key ^ ((seed &+ 1) &* 0xA24B_AED4_963E_E407))
    return random.next() >> 63 == 0
  }

  /// A user with the value that the mapping gives.
  struct Played {
    let key: UInt64
    let code: Int
    /// The user's revenue in window 1, in units.
    let amount: Double
  }

  /// Plays all users through a mapping, every value shown.
  func play(_ mapping: Mapping) -> (own: [Played], others: [Played]) {
    var configuration = SimulationConfiguration(mapping)
    configuration.crowd = .none
    let simulator = Simulator(configuration)
    var halves: (own: [Played], others: [Played]) = ([], [])
    for cohort in app.cohorts {
      _ = simulator.run(cohort, crowd: simulator.crowd(from: simulator.crowd(of: cohort))) { postback in
        guard postback.window == .first, postback.conversion == 0, postback.didWin else { return }
        let user = Played(
          key: postback.user, code: Int(postback.trueFine?.number ?? 0),
          amount: max(0, Double(postback.revenue.micros) / 1e6))
        if isOwn(user.key) { halves.own.append(user) } else { halves.others.append(user) }
      }
    }
    return halves
  }

  /// Designs a mapping for the own users; `nil` if none of them has revenue.
  func designedMapping(
    values: Int, days: Int, device: Mapping.Device = .skan4, windowHours: Int = 48,
    from moment: Instant = Instant(seconds: 0)
  ) -> Mapping? {
    guard let currency = app.currency, let id = AppID(1) else { return nil }
    var users = DesignUsers(target: .revenue(days: days), currency: currency)
    for cohort in app.cohorts {
      let own = Cohort(
        names: cohort.names, events: cohort.events, users: cohort.users.filter { isOwn($0.key) })
      if let own { users.add(own, until: app.end) }
    }
    let request = DesignRequest(
      name: "designed", app: id, currency: currency, effectiveFrom: moment, device: device,
      windowHours: windowHours, target: .revenue(days: days), values: values)
    return request.flatMap { DesignStudy($0, users, population: users.count).mapping() }
  }

  /// The amounts of own users with revenue in the first 48 hours.
  var ownAmounts: [Double] { app.users.filter { isOwn($0.key) && $0.amount > 0 }.map(\.amount) }
}
