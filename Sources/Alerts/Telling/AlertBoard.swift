public import Ledger
import Platform

/// The alerts as they stand, for whoever asks; one thread writes it and any may read it.
public final class AlertBoard: Sendable {
  private let shown = Guarded<[AlertRecord]>([])

  /// Starts without alerts.
  public init() {}

  /// The alerts that fire, then those that ended lately, both from the newest.
  public var records: [AlertRecord] { shown.withLock { $0 } }

  /// The alerts that fire.
  public var firing: [AlertRecord] { records.filter { $0.resolvedAt == nil } }

  /// Shows other alerts.
  public func show(_ records: [AlertRecord]) { shown.withLock { $0 = records } }
}
