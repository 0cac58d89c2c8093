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
  let journal: JournalPair?
  let partner: Partner
  let history: History
  /// Small quotas and runs of keys, which a short life fills.
  let ledger: LedgerSettings
  let source: PullSource
  /// Whether the first node has a folder of mappings of its own, by mistake.
  let hasOddMappings: Bool
  /// How many relays there are: two of postbacks, and in some runs three of what they mean.
  let relays: Int

  var oddMappings: String { folder + "/odd-mappings" }
  var mappings: String { folder + "/mappings" }
  var configuration: String { folder + "/skan.json" }
  var alerts: String { folder + "/alerts.json" }
}
