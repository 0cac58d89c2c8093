package import EventFiles
package import Ledger
package import Mappings
package import Postbacks
import Simulation
package import Values

/// The advertiser's own users who installed under one version of a mapping, replayed under it.
package struct OwnUsers {
  /// One user: the values of window 1, and what the user paid.
  package struct User {
    package let key: UInt64
    package let value: Int
    package let coarse: CoarseValue?
    /// The number of the campaign that the file has for the user; `nil` for none, as of organic users.
    package let campaign: Int?
    /// Revenue up to each horizon, in millionths; `nil` where the user's history is shorter.
    package let micros: [Int64?]
    /// The hour after first launch in which the value rose last; `nil` from SKAdNetwork 4 on, where it does not count,
    /// and of users who installed too late in the file to know it.
    package let finalHour: Int?
    /// Whether the value was updated in a later window; none for a window that the user's history does not reach to the
    /// end of, and before SKAdNetwork 4.
    package let updates: [ConversionWindow: Bool]
  }

  /// How much history of a user without a measurement window has to be known, so that the last rise is.
  ///
  /// A chain of rises can be longer; of users who installed later only those with short chains would be known.
  private static let settling = 8 * Day.seconds

  package let mapping: Mapping
  /// Up to when revenue counts; the first one is window 1.
  package let horizons: [WorthHorizon]
  /// When the next version takes effect; `nil` for no end.
  private let end: Instant?
  /// When the last event of the file happened: nothing later is known of any user.
  private let historyEnd: Instant
  /// What horizons of days count instead of the file's revenue; `nil` for that of the file.
  private let purchases: UserPurchases?

  package init(
    _ history: MappingHistory, version: Int, horizons: [WorthHorizon], historyEnd: Instant,
    purchases: UserPurchases? = nil
  ) {
    mapping = history.versions[version]
    end = version + 1 < history.versions.count ? history.versions[version + 1].effectiveFrom : nil
    self.horizons = [.firstWindow] + horizons
    self.historyEnd = historyEnd
    self.purchases = purchases
  }

  /// Replays the users of a file.
  ///
  /// - Throws: `FileError` where the file cannot be read again.
  package func forEach(of population: Population, _ body: @escaping (User) -> Void) throws {
    let simulator = Simulator(SimulationConfiguration(mapping))
    let window = Int64(mapping.fineHours ?? 0) * Hour.seconds
    for place in 0..<population.cohortCount {
      let original = try population.cohort(at: place)
      guard let cohort = original.attributed(from: mapping.effectiveFrom, to: end) else { continue }
      let campaigns = Dictionary(
        original.users.map { ($0.key, Int($0.campaign)) }, uniquingKeysWith: { first, _ in first })
      let users = Dictionary(cohort.users.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
      let currency = cohort.names.currencies.firstIndex(of: mapping.currency).map { Int32($0) }
      var firsts: [SimulatedPostback] = []
      var updated: [ConversionWindow: Set<UInt64>] = [:]
      _ = simulator.run(cohort, crowd: simulator.crowd(from: simulator.crowd(of: cohort))) { postback in
        guard postback.conversion == 0, postback.didWin else { return }
        if postback.window == .first {
          firsts.append(postback)
        } else {
          updated[postback.window, default: []].insert(postback.user)
        }
      }
      for postback in firsts {
        guard let user = users[postback.user] else { continue }
        let micros = horizons.map { horizon -> Int64? in
          switch horizon {
          case .firstWindow:
            guard window > 0 else { return postback.revenue.micros }
            return isKnown(user, for: window) ? paid(by: user, within: window, in: currency, cohort) : nil
          case .days(let days):
            let seconds = Int64(days) * Day.seconds
            if let purchases {
              guard isKnown(user, for: window) else { return nil }
              return purchases.paid(
                by: user.key, installed: user.installed, within: seconds, in: mapping.currency)
            }
            // Without the whole window the value is not known either.
            guard isKnown(user, for: max(window, seconds)) else { return nil }
            return paid(by: user, within: seconds, in: currency, cohort)
          }
        }
        body(
          User(
            key: postback.user, value: Int(postback.trueFine?.number ?? 0), coarse: postback.trueCoarse,
            campaign: campaigns[postback.user].flatMap { $0 >= 0 ? $0 : nil },
            micros: micros, finalHour: finalHour(of: user, postback),
            updates: updates(of: user, updated)))
      }
    }
  }

  private func finalHour(of user: CohortUser, _ postback: SimulatedPostback) -> Int? {
    guard !mapping.device.hasWindows else { return nil }
    let prepared = (postback.preparedAt.milliseconds - user.installed.milliseconds) / 1000
    let needed = mapping.fineHours.map { Int64($0) * Hour.seconds } ?? max(Self.settling, prepared)
    return isKnown(user, for: needed) ? Int((prepared - AppleTimers.riseTimer) / Hour.seconds) : nil
  }

  private func updates(
    of user: CohortUser, _ updated: [ConversionWindow: Set<UInt64>]
  ) -> [ConversionWindow: Bool] {
    guard mapping.device.hasWindows else { return [:] }
    var updates: [ConversionWindow: Bool] = [:]
    for window in ConversionWindow.later where isKnown(user, for: window.seconds.upperBound) {
      updates[window] = updated[window]?.contains(user.key) ?? false
    }
    return updates
  }

  private func isKnown(_ user: CohortUser, for seconds: Int64) -> Bool {
    user.installed + seconds * 1000 <= historyEnd
  }

  private func paid(by user: CohortUser, within seconds: Int64, in currency: Int32?, _ cohort: Cohort)
    -> Int64
  {
    cohort.events[Int(user.events.lowerBound)..<Int(user.events.upperBound)].reduce(Int64(0)) {
      guard $1.currency == currency, Int64($1.secondsSinceInstall) < seconds else { return $0 }
      return $0.addingHeld($1.micros)
    }
  }

  /// When the last event of a file happened.
  ///
  /// - Throws: `FileError` where the file cannot be read again.
  package static func historyEnd(of population: Population) throws -> Instant {
    var end = Instant(seconds: 0)
    var isFirst = true
    try population.forEachCohort { cohort in
      for user in cohort.users {
        let last = cohort.events[Int(user.events.lowerBound)..<Int(user.events.upperBound)].last
        let moment = user.installed + Int64(last?.secondsSinceInstall ?? 0) * 1000
        if isFirst || moment > end { (end, isFirst) = (moment, false) }
      }
    }
    return end
  }
}

extension Cohort {
  /// The users who launched the app first within a time, all taken for users of a campaign; `nil` without any.
  fileprivate func attributed(from start: Instant, to end: Instant?) -> Cohort? {
    let some = users.filter { user in user.installed >= start && (end.map { user.installed < $0 } ?? true) }
    guard !some.isEmpty else { return nil }
    var names = names
    names.campaigns = ["own"]
    return Cohort(
      names: names, events: events,
      users: some.map {
        CohortUser(key: $0.key, installed: $0.installed, campaign: 0, events: $0.events)
      })
  }
}

extension ConversionWindow {
  /// The windows whose postbacks are sent only where the app updates the value in them.
  package static let later: [Self] = [.second, .third]
}

extension WorthHorizon {
  package var text: String {
    switch self {
    case .firstWindow: "window-1"
    case .days(let days): "\(days)d"
    }
  }
}
