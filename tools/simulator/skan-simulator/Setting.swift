import Journal
import Ledger
import Values
import Verification

/// What all nodes have in common.
struct Setting: Sendable {
  let folder: String
  let seed: UInt64
  /// The wall's clock at the beginning.
  let beginning: Instant
  let keyring: Keyring
  let journal: MemoryJournal?
  let partner: Partner
  let history: History
  /// Small quotas and runs of keys, which a short life fills.
  let ledger: LedgerSettings

  var mappings: String { folder + "/mappings" }
  var configuration: String { folder + "/skan.json" }
  var alerts: String { folder + "/alerts.json" }
}
