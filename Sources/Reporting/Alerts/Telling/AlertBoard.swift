public import Ledger
import System

/// The alerts as they stand, for whoever asks; one thread writes it and any may read it.
public final class AlertBoard: Sendable {
  private let shown = Guarded<(all: [AlertRecord], firing: [AlertRecord])>(([], []))

  /// Starts without alerts.
  public init() {}

  /// The alerts that fire, then those that ended lately, both from the newest.
  public var records: [AlertRecord] { shown.withLock { $0.all } }

  /// The alerts that fire.
  public var firing: [AlertRecord] { shown.withLock { $0.firing } }

  /// Shows other alerts.
  public func show(_ records: [AlertRecord]) {
    let firing = records.filter { $0.resolvedAt == nil }
    shown.withLock { $0 = (records, firing) }
  }
}
