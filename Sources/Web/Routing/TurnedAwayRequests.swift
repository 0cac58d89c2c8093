import System
import Values

/// Requests for known networks that were turned away before a body was read, by network and hour.
///
/// No token or path is in it, and of strangers' requests no name that is not a network's.
package final class TurnedAwayRequests: Sendable {
  package struct Entry: Hashable, Sendable {
    package var network: String
    /// Hours since 1970, UTC.
    package var hour: Int64
    package var requests: Int
    /// The status of the last one.
    package var status: Int
  }

  private struct Key: Hashable {
    let network: String
    let hour: Int64
  }

  private static let keptHours: Int64 = 14 * 24

  private let entries = Guarded<[Key: Entry]>([:])

  init() {}

  func note(_ network: String, status: Int, at now: Instant) {
    let key = Key(network: network, hour: now.hour)
    entries.withLock { entries in
      if entries[key] == nil {
        entries = entries.filter { $0.key.hour > now.hour - Self.keptHours && $0.key.hour <= now.hour }
      }
      var entry = entries[key] ?? Entry(network: network, hour: now.hour, requests: 0, status: status)
      entry.requests += 1
      entry.status = status
      entries[key] = entry
    }
  }

  /// What was noted in the last two weeks, by network and hour.
  package var all: [Entry] {
    entries.withLock { $0.values.sorted { ($0.network, $0.hour) < ($1.network, $1.hour) } }
  }
}
