import EventFiles
import Gzip
import Simulation
import System
import Values

/// The users of an events file, organic ones too, with what the experiments ask of each.
struct AppUsers: Sendable {
  /// One user.
  struct User: Sendable {
    /// Revenue within the hours that count; refunds never make it negative.
    let amount: Double
    /// Seconds from the day's start to the install, in UTC.
    let secondOfDay: Int
    /// Seconds from the install to the last event that the value can still follow; see ``lastRise``.
    let lastRise: Int
  }

  /// All of them, in the order of the file's parts.
  let users: [User]

  init(users: [User]) { self.users = users }

  /// Reads a file.
  ///
  /// Amounts of one currency count, the one that the file names first.
  ///
  /// - Throws: What the reader throws.
  init(path: String, hours: Int) throws {
    let file = try FileReader(path)
    var reader = PopulationReader()
    reader.mistakes = .skip
    let population: Population
    if path.hasSuffix(".gz") {
      var packed = GzipReader { try file.read() }
      population = try reader.read { try packed.next() }
    } else {
      population = try reader.read { try file.read() }
    }
    var users: [User] = []
    try population.forEachCohort { cohort in
      for user in cohort.users {
        var micros: Int64 = 0
        for event in cohort.events[Int(user.events.lowerBound)..<Int(user.events.upperBound)]
        where event.currency == 0 && Int(event.secondsSinceInstall) < hours * 3600 {
          micros += event.micros
        }
        let second = user.installed.seconds % 86_400
        users.append(
          User(
            amount: max(0, Double(micros) / 1e6), secondOfDay: Int(second < 0 ? second + 86_400 : second),
            lastRise: Self.lastRise(of: user, in: cohort)))
      }
    }
    self.users = users
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
