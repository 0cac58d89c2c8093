import Estimates
import Values

struct AllSilentCriteria: SilentStreamCriteria {
  static let kind = AlertKind.allSilent
  static let severity = AlertSeverity.critical

  var silence = SilenceCriteria()

  static let parameters: [AlertParameter] = silenceParameters

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    let networks = facts.activeHours
    guard let (rule, criteria) = rules.rule(Self.self), !networks.isEmpty else { return [] }
    let all = networks.values.reduce(into: Set()) { $0.formUnion($1) }
    let silence = Silence(all.sorted(), now: now.hour, criteria.silence)
    return [criteria.silence.measure(silence, rule, AlertScope(), facts)]
  }
}
