import System

/// The alerts as they are, for any caller; one thread writes it and any may read it.
public final class AlertSnapshot: Sendable {
  public let kinds: [String]
  public let severities: [String]
  private let shown = Guarded<(all: [AlertRecord], firing: [AlertRecord])>(([], []))

  public init(kinds: [String] = [], severities: [String] = []) {
    self.kinds = kinds
    self.severities = severities
  }

  /// The alerts that fire, then those that ended lately, both from the newest.
  public var records: [AlertRecord] { shown.withLock { $0.all } }

  public var firing: [AlertRecord] { shown.withLock { $0.firing } }

  public func show(_ records: [AlertRecord]) {
    let firing = records.filter { $0.resolvedAt == nil }
    shown.withLock { $0 = (records, firing) }
  }
}
