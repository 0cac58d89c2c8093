import EventFiles
import Mappings
import Simulation
import Values

/// The events of users, gathered from the rows of events files: the plain form of what `PopulationReader` does.
package struct UserEvents: Sendable {
  package struct User: Equatable, Sendable {
    package let name: String
    /// The campaign that the user came from, from the first row that names one.
    package let campaign: String?
    /// Where the user came from, from the first row that contains it.
    package let origin: UserOrigin?
    /// What the user did, in the order of time and then of the file.
    package let events: [UserEvent]
  }

  private struct Gathered: Sendable {
    let name: String
    var campaign: String?
    var origin: UserOrigin?
    var installed: Instant?
    var rows: [EventRow] = []
  }

  private var gathered: [Gathered] = []
  /// The places of users by the bytes of their names; letters that look alike are not the same user.
  private var places: [[UInt8]: Int] = [:]

  package init() {}

  /// Takes a row.
  ///
  /// - Throws: ``EventFileError`` when it disagrees with an earlier one on when the user installed the app.
  package mutating func add(_ row: EventRow) throws(EventFileError) {
    let key = Array(row.user.utf8)
    let place = places[key] ?? gathered.count
    if place == gathered.count {
      places[key] = place
      gathered.append(Gathered(name: row.user))
    }
    if let installed = row.installed {
      if let known = gathered[place].installed, known != installed {
        throw EventFileError(
          code: "two-installs", line: row.line,
          sentence: Sentence("the user's install is at \(installed) here and at \(known) in an earlier row"))
      }
      gathered[place].installed = installed
    }
    gathered[place].campaign = gathered[place].campaign ?? row.campaign
    gathered[place].origin = gathered[place].origin ?? row.origin
    gathered[place].rows.append(row)
  }

  /// Every user, in the order of their first rows.
  ///
  /// Where no row has the moment when the user installed the app, the first event is the install.
  ///
  /// - Throws: ``EventFileError`` for an event before the install.
  package func users() throws(EventFileError) -> [User] {
    var users: [User] = []
    for user in gathered {
      let rows = user.rows.sorted { ($0.time, $0.line) < ($1.time, $1.line) }
      guard let start = user.installed ?? rows.first?.time else { continue }
      if let early = rows.first, early.time < start {
        throw EventFileError(
          code: "event-before-install", line: early.line,
          sentence: Sentence("the event is at \(early.time), before the user's install at \(start)"))
      }
      let events = rows.map { row in
        UserEvent(
          secondsSinceInstall: (row.time.milliseconds - start.milliseconds) / 1000, name: row.event,
          revenue: row.revenue, conversionTag: row.conversionTag)
      }
      users.append(User(name: user.name, campaign: user.campaign, origin: user.origin, events: events))
    }
    return users
  }
}
