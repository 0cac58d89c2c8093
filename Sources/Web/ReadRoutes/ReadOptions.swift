package import Ledger
package import Routing
package import System

/// How reading is set up.
package struct ReadOptions: Sendable {
  /// The database file.
  package let database: String
  /// Who may read.
  package let access: Access
  /// The alerts that are shown.
  package let alerts: AlertSnapshot
  /// Tells the moment that a report is of.
  package let clock: WallClock
  /// Origins of pages that may read.
  package var origins: Set<String> = []
  /// How many questions are answered at once, at least 1; others wait.
  package var threads = 2
  /// Seconds after which the database's part of an answer ends.
  package var seconds = 30.0

  package init(database: String, access: Access, alerts: AlertSnapshot, clock: @escaping WallClock) {
    self.database = database
    self.access = access
    self.alerts = alerts
    self.clock = clock
  }
}
