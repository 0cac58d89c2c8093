import EventFiles
import Simulation
import System
import Values

/// The users of an events file, organic ones too, with what the experiments ask of each.
struct AppUsers: Sendable {
  /// One user.
  struct User: Sendable {
    /// The number by which users are divided.
    let key: UInt64
    /// Revenue within the hours that count; refunds never make it negative.
    let amount: Double
    /// Revenue within seven days; `nil` where these are not over when the file ends.
    let weekAmount: Double?
    /// Seconds from the day's start to the install, in UTC.
    let secondOfDay: Int
    /// Seconds from the install to the last event that the value can still follow; see ``lastRise``.
    let lastRise: Int
  }

  /// All of them, in the order of the file's parts.
  let users: [User]
  /// The same with their events, as if all were of one campaign.
  let cohorts: [Cohort]
  /// The currency that counts: the one that the file names first.
  let currency: CurrencyCode?
  /// When the file ends.
  let end: Instant

  private static let week: Int32 = 7 * 86_400

  /// Reads a file.
  ///
  /// - Throws: What the reader throws, and its error for the first wrong row.
  init(path: String, hours: Int) throws {
    // Where users are from is of no use here, and files that name countries in full shall be read too.
    var columns = EventColumns.standard
    columns.unread = [.country, .sourceApp]
    let population = try PopulationReader(columns: columns).read(path: path)
    var cohorts: [Cohort] = []
    try population.forEachCohort { cohorts += $0.ofOneCampaign.map { [$0] } ?? [] }
    self.cohorts = cohorts
    currency = cohorts.lazy.compactMap(\.names.currencies.first).first
    let end = cohorts.reduce(Instant(seconds: 0)) { max($0, $1.lastEvent) }
    self.end = end
    users = cohorts.flatMap { cohort in
      cohort.users.map { user in
        let second = user.installed.seconds % 86_400
        let isRipe = user.installed + 1000 * Int64(Self.week) <= end
        return User(
          key: user.key, amount: cohort.revenue(of: user, before: Int32(hours) * 3600),
          weekAmount: isRipe ? cohort.revenue(of: user, before: Self.week) : nil,
          secondOfDay: Int(second < 0 ? second + 86_400 : second),
          lastRise: Self.lastRise(of: user, in: cohort)
        )
      }
    }
  }

  /// The revenue of each user within some days, by key; without users for whom these are not over when the file ends.
  func amounts(days: Int) -> [UInt64: Double] {
    let seconds = Int32(days) * 86_400
    var amounts: [UInt64: Double] = [:]
    for cohort in cohorts {
      for user in cohort.users where user.installed + 1000 * Int64(seconds) <= end {
        amounts[user.key] = cohort.revenue(of: user, before: seconds)
      }
    }
    return amounts
  }

  /// When a value that rises with every event rises last: events follow one another within 24 hours, up to 72.
  private static func lastRise(of user: CohortUser, in cohort: Cohort) -> Int {
    var last = 0
    for event in cohort.events[Int(user.events.lowerBound)..<Int(user.events.upperBound)] {
      let time = max(0, Int(event.secondsSinceInstall))
      guard time < last + 86_400, time < 3 * 86_400 else { break }
      last = time
    }
    return last
  }
}

extension Cohort {
  /// The same users, all of one campaign.
  fileprivate var ofOneCampaign: Cohort? {
    var names = names
    names.campaigns = ["all"]
    return Cohort(
      names: names, events: events,
      users: users.map {
        CohortUser(key: $0.key, installed: $0.installed, campaign: 0, events: $0.events)
      })
  }

  fileprivate var lastEvent: Instant {
    users.reduce(Instant(seconds: 0)) { last, user in
      user.events.isEmpty
        ? last
        : max(
          last, user.installed + 1000 * Int64(events[Int(user.events.upperBound) - 1].secondsSinceInstall))
    }
  }

  /// The revenue of a user before some seconds since install, in units of the first currency.
  fileprivate func revenue(of user: CohortUser, before seconds: Int32) -> Double {
    var micros: Int64 = 0
    for event in events[Int(user.events.lowerBound)..<Int(user.events.upperBound)]
    where event.currency == 0 && event.secondsSinceInstall < seconds {
      micros += event.micros
    }
    return max(0, Double(micros) / 1e6)
  }
}
