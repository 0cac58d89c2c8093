package import Ledger
import System

/// The alerts as they are, for any caller; one thread writes it and any may read it.
package final class AlertSnapshot: Sendable {
  private let shown = Guarded<(all: [AlertRecord], firing: [AlertRecord])>(([], []))

  /// Starts without alerts.
  package init() {}

  /// The alerts that fire, then those that ended lately, both from the newest.
  package var records: [AlertRecord] { shown.withLock { $0.all } }

  /// The alerts that fire.
  package var firing: [AlertRecord] { shown.withLock { $0.firing } }

  /// Shows other alerts.
  package func show(_ records: [AlertRecord]) {
    let firing = records.filter { $0.resolvedAt == nil }
    shown.withLock { $0 = (records, firing) }
  }
}
