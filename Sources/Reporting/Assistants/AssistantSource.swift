package import Alerts
package import Campaigns
package import Ledger
package import Values
package import Verification

/// What the tools of assistants are gathered from.
package struct AssistantSource: Sendable {
  /// The file of the database, of which alerts look at the disk.
  let database: String
  let keyring: Keyring
  let clock: @Sendable () -> Instant
  /// Opens the database for one answer.
  let open: @Sendable () throws -> LedgerReader
  /// Reads the rules of alerts as they are now.
  let rules: @Sendable () throws -> AlertRules

  /// Keeps what reports are estimated from; `nil` where each question is asked alone.
  package var keeper: PartKeeper?

  package init(
    database: String, keyring: Keyring, clock: @escaping @Sendable () -> Instant,
    open: @escaping @Sendable () throws -> LedgerReader,
    rules: @escaping @Sendable () throws -> AlertRules
  ) {
    (self.database, self.keyring, self.clock, self.open, self.rules) = (database, keyring, clock, open, rules)
  }
}
