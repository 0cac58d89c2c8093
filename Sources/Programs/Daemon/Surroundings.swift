package import Delivery
package import Ledger
package import System

/// What a daemon meets outside of its process and its files: the time, and the receivers of what it sends.
package struct Surroundings: Sendable {
  package var clock: WallClock
  /// How the database is opened; the journal is the node's own.
  package var ledger = LedgerSettings()
  /// Makes what the posts of a relay go through.
  package var relayChannel: @Sendable () -> any RelayChannel = { HTTPRelayChannel() }
  /// Posts a notice to a webhook and returns the status of the answer.
  package var post:
    @Sendable (Webhook, AlertNotice, _ headers: [(name: String, value: String)]) throws -> Int = {
      try $0.post($1, headers: $2)
    }

  package init(clock: @escaping WallClock) { self.clock = clock }
}
