import MappingFormats
import Values

/// What Meta's SDK has noted of a user.
struct MetaRecord: Hashable, Sendable {
  var events: Set<String> = []
  /// Amounts by event and currency: sums for SKAdNetwork, the largest single one for aggregated measurement.
  var amounts: [String: [String: Amount]] = [:]
}

extension MetaRule {
  /// Whether the rule holds: every event noted, and of each with amounts, the sum in one listed currency strictly above.
  ///
  /// Source: facebook-ios-sdk, `SKAdNetworkRule`.
  func holds(for record: MetaRecord) -> Bool {
    events.allSatisfy { event in
      guard record.events.contains(event.name) else { return false }
      guard let amounts = event.amounts else { return true }
      return amounts.contains { currency, amount in
        record.amounts[event.name]?[currency].map { $0 > amount } ?? false
      }
    }
  }
}

extension MetaConfiguration {
  var fineEvents: Set<String> { Set(rules.flatMap { $0.events.map(\.name) }) }

  var coarseEvents: Set<String> { Set(coarse.flatMap { $0.rules.flatMap { $0.events.map(\.name) } }) }

  /// The window of a moment, from 1, or -1 before install and behind the last; a moment on the edge belongs to the
  /// earlier window.
  static func window(secondsSinceInstall seconds: Int64) -> Int {
    switch seconds {
    case ..<0: -1
    case ...172_800: 1
    case ...604_800: 2
    case ...3_024_000: 3
    default: -1
    }
  }

  /// Whether fine values have ended.
  static func isCutOff(secondsSinceInstall seconds: Int64, cutoffDays: Int64?) -> Bool {
    guard let cutoffDays, cutoffDays > 0 else { return true }
    let (limit, overflow) = cutoffDays.multipliedReportingOverflow(by: Day.seconds)
    return !overflow && seconds > limit
  }
}

extension MetaAggregatedRule {
  /// Whether the rule holds: every event noted, and of each with amounts, the largest single one not below.
  ///
  /// An amount that was never noted counts as 0, and an empty list of amounts has no condition. Both are the opposite
  /// of ``MetaRule``. Source: facebook-ios-sdk, `AEMRule`.
  func holds(for record: MetaRecord) -> Bool {
    events.allSatisfy { event in
      guard record.events.contains(event.name) else { return false }
      guard let amounts = event.amounts, !amounts.isEmpty else { return true }
      return amounts.contains { (record.amounts[event.name]?[$0] ?? .zero) >= $1 }
    }
  }
}

extension MetaAggregatedConfiguration {
  /// The event a campaign is optimised for, whose rules then rank higher.
  struct Boost: Hashable, Sendable {
    let event: String
    let campaign: Int64
  }

  /// What is added to the rank of boosted rules.
  static let boost = 32

  /// The rule that applies next and its rank; `nil` when none ranks above what was sent last.
  func next(
    after priority: Int, record: MetaRecord, boost: Boost? = nil
  ) -> (rule: MetaAggregatedRule, priority: Int)? {
    let boosted = boost.flatMap { boost in
      rules.contains { $0.value % 8 == Int(boost.campaign % 8) && $0.asks(for: boost.event) }
        ? boost.event : nil
    }
    return
      rules
      .map { rule in (rule, rule.priority + (boosted.map { rule.asks(for: $0) } ?? false ? Self.boost : 0)) }
      .filter { $0.1 > priority && $0.0.holds(for: record) }
      .max { $0.1 < $1.1 }
  }
}

extension MetaAggregatedRule {
  fileprivate func asks(for event: String) -> Bool { events.contains { $0.name == event } }
}
