import Journal
import Values
import Verification

/// What all nodes have in common.
struct Setting: Sendable {
  let folder: String
  let seed: UInt64
  /// The wall's clock at the beginning.
  let beginning: Instant
  let keys: [TrustedKey]
  let journal: MemoryJournal?
  let partner: Partner
  let history: History

  var mappings: String { folder + "/mappings" }
  var configuration: String { folder + "/skan.json" }
}
