package import HTTPServer
package import Ledger
package import Routing
package import System
package import Values

package struct ReadOptions: Sendable {
  package let database: String
  package let access: Access
  package let alerts: AlertSnapshot
  /// Tells the moment that a report is of.
  package let clock: WallClock
  package var origins: Set<String> = []
  /// How many questions are answered at once, at least 1; others wait.
  package var threads = 2
  /// Seconds after which the database's part of an answer ends.
  package var seconds = 30.0

  /// Whether apps get their mapping without a token.
  package var areMappingsOpen = false
  /// Signs what apps get, as the value of `Skan-Mapping-Signature`; nil where it is not signed.
  package var signature: (@Sendable (_ body: [UInt8]) -> String?)?
  /// The limit of clients that need no token: answers a request that exceeds it.
  package var limit: (@Sendable (_ request: borrowing Request) -> Response?)?
  /// Takes note of a mapping that an app got.
  package var noteMapping: @Sendable (_ app: Int64, _ effectiveFrom: Instant, _ digest: String) -> Void = {
    _, _, _ in
  }

  package init(database: String, access: Access, alerts: AlertSnapshot, clock: @escaping WallClock) {
    self.database = database
    self.access = access
    self.alerts = alerts
    self.clock = clock
  }
}
