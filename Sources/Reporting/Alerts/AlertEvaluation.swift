package import Ledger
package import Values

/// The alerts of one moment, and what every rule found.
package struct AlertEvaluation: Sendable {
  /// What every rule found about every scope, by kind and scope.
  package let measures: [AlertMeasure]
  /// The alerts that fire, the newest first.
  package let firing: [AlertRecord]
  /// Those of them that began now.
  package let fired: [AlertRecord]
  package let resolved: [AlertRecord]

  /// Judges facts; a pure function.
  ///
  /// An alert begins when its value is beyond its bound. It ends when the value has been well within the bound, or when
  /// there has been too little to measure, for the time that the rules set.
  ///
  /// - Parameters:
  ///   - previous: The alerts that fired before; ones that ended are left out of account.
  package init(_ facts: AlertFacts, rules: AlertRules, now: Instant, previous: [AlertRecord]) {
    let found = AlertKind.allCases.flatMap { $0.criteria.measures(facts, rules, now) }
    let order = Dictionary(uniqueKeysWithValues: AlertKind.allCases.enumerated().map { ($1, $0) })
    // Ids are put together once, not at each comparison.
    measures = found.map { (place: order[$0.kind] ?? 0, id: $0.id, measure: $0) }
      .sorted { ($0.place, $0.id) < ($1.place, $1.id) }.map(\.measure)
    var open = Dictionary(
      previous.filter { $0.resolvedAt == nil }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var firing: [AlertRecord] = []
    var fired: [AlertRecord] = []
    var resolved: [AlertRecord] = []
    for measure in measures {
      guard var alert = open.removeValue(forKey: measure.id) else {
        guard measure.standing == .beyond else { continue }
        let alert = measure.record(since: now)
        firing.append(alert)
        fired.append(alert)
        continue
      }
      alert.update(with: measure, now: now)
      if alert.hasEnded(now, rules) { resolved.append(alert) } else { firing.append(alert) }
    }
    // What nothing is known of any more, such as a rule that was switched off, ends in the same way.
    for (_, left) in open.sorted(by: { $0.key < $1.key }) {
      var alert = left
      alert.clearSince = min(alert.clearSince ?? now, now)
      if alert.hasEnded(now, rules) { resolved.append(alert) } else { firing.append(alert) }
    }
    self.firing = firing.sorted { ($1.since, $0.id) < ($0.since, $1.id) }
    self.fired = fired
    self.resolved = resolved
  }
}

extension AlertRecord {
  fileprivate mutating func update(with measure: AlertMeasure, now: Instant) {
    switch measure.standing {
    case .beyond, .near:
      clearSince = nil
      let fresh = measure.record(since: since)
      (severity, value, bound) = (fresh.severity, fresh.value, fresh.bound)
      (sentence, remedy, command) = (fresh.sentence, fresh.remedy, fresh.command)
    case .clear, .unknown:
      // The words stay those of what was wrong; only the numbers go on.
      // A clock that was ahead must not put the end off until that time comes.
      clearSince = min(clearSince ?? now, now)
      value = measure.value
    }
  }

  fileprivate mutating func hasEnded(_ now: Instant, _ rules: AlertRules) -> Bool {
    guard let clearSince, now.milliseconds - clearSince.milliseconds >= rules.resolveAfter else {
      return false
    }
    resolvedAt = now
    return true
  }
}
