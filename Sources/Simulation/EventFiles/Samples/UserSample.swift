package import Mappings
package import Simulation
import System
package import Values

/// Users of an events file, read once and kept in memory for many simulations.
package struct UserSample: Sendable {
  /// What people call it: the file's name.
  package let name: String
  package let cohorts: [Cohort]
  /// How many users there are, organic ones too.
  package let users: Int
  /// How many events they have.
  package let events: Int
  /// How many users the file has, of which these are a part chosen by chance where it has more.
  package let usersOfFile: Int
  /// Whether the file names no campaign, so that all users are taken as those of one.
  package let isOneCampaign: Bool
  /// Rows of the file that could not be used.
  package let skippedRows: Int
  /// What distinguishes it from every other one.
  package let identity: Identity

  package struct Identity: Equatable, Sendable {
    /// The file; `nil` for users from elsewhere.
    let mark: FileMark?
    /// The currency of amounts that named none.
    let currency: CurrencyCode?
    let number: Int
  }

  /// How users are read: into so many parts, which decides only when a simulation can be stopped.
  private static let parts = 8
  /// The memory for rows while a file is read, in bytes; the rest goes to a file.
  private static let budget = 64 << 20
  private static let numbers = Guarded(0)

  /// Takes users that are there already.
  package init(name: String, _ cohorts: [Cohort]) {
    self.init(
      name: name, cohorts, usersOfFile: cohorts.reduce(0) { $0 + $1.users.count }, isOneCampaign: false,
      skippedRows: 0,
      Identity(
        mark: nil, currency: nil,
        number: Self.numbers.withLock { number in
          number += 1
          return number
        }))
  }

  private init(
    name: String, _ cohorts: [Cohort], usersOfFile: Int, isOneCampaign: Bool, skippedRows: Int,
    _ identity: Identity
  ) {
    self.name = name
    self.cohorts = cohorts
    users = cohorts.reduce(0) { $0 + $1.users.count }
    events = cohorts.reduce(0) { $0 + $1.events.count }
    self.usersOfFile = usersOfFile
    self.isOneCampaign = isOneCampaign
    self.skippedRows = skippedRows
    self.identity = identity
  }

  /// Reads an events file, gzip-compressed or not; rows that are wrong are skipped and counted.
  ///
  /// - Parameters:
  ///   - name: What people call it.
  ///   - currency: The currency of amounts that name none.
  ///   - mostEvents: The most events that are kept; of a file with more, users are taken by chance.
  ///   - identity: What distinguishes it from every other sample.
  /// - Throws: `EventFileError`, `FileError` or `GzipError`.
  init(
    path: String, name: String, currency: CurrencyCode?, mostEvents: Int, identity: Identity
  ) throws {
    var reader = PopulationReader(currency: currency)
    reader.mistakes = .skip
    reader.partitions = Self.parts
    reader.budget = Self.budget
    let population = try reader.read(path: path)
    let share = population.rows > mostEvents ? Double(mostEvents) / Double(population.rows) : 1
    var cohorts: [Cohort] = []
    try population.forEachCohort { cohort in
      cohorts.append(share < 1 ? cohort.sampled(share) : cohort)
    }
    self.init(
      name: name, cohorts, usersOfFile: population.users, isOneCampaign: population.isOneCampaign,
      skippedRows: population.skipped.count, identity)
  }

  /// Whether these are only a part of the file's users.
  package var isPart: Bool { users < usersOfFile }
}

extension UserSample {
  /// The users of campaigns by UTC day of install.
  package var installs: [Day: Int] {
    var installs: [Day: Int] = [:]
    for user in cohorts.lazy.flatMap(\.users) where user.campaign >= 0 {
      installs[user.installed.day, default: 0] += 1
    }
    return installs
  }

  package var histories: some Sequence<[UserEvent]> {
    cohorts.lazy.flatMap { cohort in cohort.users.lazy.map { cohort.history(of: $0) } }
  }
}

extension Cohort {
  /// A share of the users, by their keys: the same users whatever the file's order.
  fileprivate func sampled(_ share: Double) -> Cohort {
    var kept: [CohortEvent] = []
    var keptUsers: [CohortUser] = []
    for user in users {
      var random = SplitMix64(seed: user.key ^ 0x7361_6D70)
      guard random.fraction() < share else { continue }
      let start = Int32(kept.count)
      kept += events[Int(user.events.lowerBound)..<Int(user.events.upperBound)]
      keptUsers.append(
        CohortUser(
          key: user.key, installed: user.installed, campaign: user.campaign, origin: user.origin,
          events: start..<Int32(kept.count)))
    }
    return Cohort(names: names, events: kept, users: keptUsers) ?? self
  }
}
