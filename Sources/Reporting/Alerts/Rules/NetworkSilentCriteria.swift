import Estimates
import Values

struct NetworkSilentCriteria: SilentStreamCriteria {
  static let kind = AlertKind.networkSilent
  static let scopes: [AlertScope.Part] = [.networks]

  var silence = SilenceCriteria()

  static let parameters: [AlertParameter] = silenceParameters

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    facts.activeHours.compactMap { network, hours in
      let scope = AlertScope(network: network)
      guard let (rule, criteria) = rules.rule(Self.self, scope) else { return nil }
      let silence = Silence(hours.sorted(), now: now.hour, criteria.silence)
      return criteria.silence.measure(silence, rule, scope, facts)
    }
  }
}
