package import Ledger
package import Pulls
package import Routing
import System
package import Values

/// Figures that others find out and `/metrics` shows; any thread may use them.
package final class OperatorFigures: Sendable {
  /// The figures; `nil` for what is not known.
  package struct Reading: Sendable {
    /// How many mapping versions are in force.
    package var mappingsInForce: Int?
    /// How many mapping files were rejected at the last load.
    package var mappingsRejected: Int?
    package var lastRejectedMapping: Instant?
    package var certificateEnd: Instant?
    /// When the database was copied last.
    package var lastBackup: Instant?
    /// Whether this node does what only one node does; `nil` without a journal.
    package var hasJobs: Bool?
    /// The relays that run, by name.
    package var relays: [String: RelayFigures] = [:]
    /// The pulls of the configuration, by name.
    package var pulls: [String: PullState] = [:]
    /// Attempts to sign in to pages, since the start of the process.
    package internal(set) var signIns: [SignInResult: Int] = [:]
    /// The mapping versions that apps got, since the start of the process.
    package internal(set) var mappingsServed: [ServedVersion: Served] = [:]
  }

  /// A mapping version that apps got.
  package struct ServedVersion: Hashable, Comparable, Sendable {
    package let app: Int64
    package let effectiveFrom: Instant
    /// The SHA-256 of the mapping, in hexadecimal digits.
    package let digest: String

    package static func < (a: Self, b: Self) -> Bool {
      (a.app, a.effectiveFrom, a.digest) < (b.app, b.effectiveFrom, b.digest)
    }
  }

  /// How often apps got a mapping version.
  package struct Served: Equatable, Sendable {
    /// When an app got it first.
    package let first: Instant
    package fileprivate(set) var count = 1
  }

  /// Versions that are counted at most; further ones are not.
  private static let mostServed = 1000

  private let state = Guarded(Reading())
  private let turn = Guarded(())

  package init() {}

  package var reading: Reading { state.withLock { $0 } }

  /// Counts a mapping that an app got.
  func note(_ version: ServedVersion, at now: Instant) {
    state.withLock { state in
      if let served = state.mappingsServed[version] {
        state.mappingsServed[version]?.count = served.count + 1
      } else if state.mappingsServed.count < Self.mostServed {
        state.mappingsServed[version] = Served(first: now)
      }
    }
  }

  /// Counts an attempt to sign in.
  package func note(_ result: SignInResult) { state.withLock { $0.signIns[result, default: 0] += 1 } }

  /// Runs what finds figures out and sets them, one at a time, so that what one found never replaces what is newer.
  package func inTurn(_ look: () -> Void) { turn.withLock { _ in look() } }

  /// Sets some of them.
  package func update(_ change: (inout Reading) -> Void) { state.withLock { change(&$0) } }
}
