package import Postbacks
import Values

package struct AlertScope: Hashable, Sendable {
  /// What a rule can be limited by; the raw value is the member in the rules file.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case apps, networks, campaigns, origins
  }

  package var app: AppID?
  /// The network, in lower case.
  package var network: String?
  /// The campaign; of a source identifier its last two digits.
  package var campaign: String?
  /// The way of arrival, such as `forwarded acme`.
  package var origin: String?

  /// Names what an alert is about; nothing for all.
  package init(
    app: AppID? = nil, network: String? = nil, campaign: String? = nil, origin: String? = nil
  ) {
    self.app = app
    self.network = network
    self.campaign = campaign
    self.origin = origin
  }

  var name: Sentence {
    let parts = [
      app.map { Sentence("app \(code: $0.number)") }, network.map { Sentence(name: $0) },
      campaign.map { Sentence("campaign \(name: $0)") }, origin.map { Sentence(name: $0) },
    ]
    return .joined(parts.compactMap { $0 }, by: ", ")
  }

  fileprivate func text(_ part: Part) -> String? {
    switch part {
    case .apps: app.map { "\($0.number)" }
    case .networks: network
    case .campaigns: campaign
    case .origins: origin
    }
  }
}

/// When one kind of alert fires, for all or for a part.
package struct AlertRule: Sendable {
  package let kind: AlertKind
  package var severity: AlertSeverity
  package var isEnabled = true
  /// What the rule is limited to; a part that is not there is not limited.
  package var parts: [AlertScope.Part: Set<String>] = [:]
  /// The numbers that a value is judged by.
  package private(set) var criteria: any AlertCriteria

  package init(_ kind: AlertKind) {
    self.kind = kind
    severity = kind.severity
    criteria = kind.criteria.init()
  }

  /// Sets one of the kind's numbers, which has to be in the parameter's range.
  package mutating func set(_ parameter: AlertParameter, to number: Double) {
    criteria = parameter.setting(criteria, number)
  }

  func covers(_ scope: AlertScope) -> Bool {
    parts.allSatisfy { part, allowed in scope.text(part).map { allowed.contains($0) } ?? false }
  }
}

package struct AlertRules: Sendable {
  /// The rules, those that go first before others.
  package let rules: [AlertRule]
  /// How long a value has to be well within its bound before an alert ends, in milliseconds.
  package let resolveAfter: Int64

  /// Sets rules; a kind without any has its defaults.
  package init(_ rules: [AlertRule] = [], resolveAfter: Int64 = 10 * 60_000) {
    let named = Set(rules.map(\.kind))
    self.rules = rules + AlertKind.allCases.filter { !named.contains($0) }.map { AlertRule($0) }
    self.resolveAfter = resolveAfter
  }

  /// The first rule that covers a scope, with its numbers; `nil` where none does, or where it is switched off.
  func rule<Criteria: AlertCriteria>(
    _ type: Criteria.Type, _ scope: AlertScope = AlertScope()
  ) -> (AlertRule, Criteria)? {
    guard let rule = rules.first(where: { $0.kind == type.kind && $0.covers(scope) }), rule.isEnabled,
      let criteria = rule.criteria as? Criteria
    else { return nil }
    return (rule, criteria)
  }

  func all<Criteria: AlertCriteria>(_ type: Criteria.Type) -> [Criteria] {
    rules.filter(\.isEnabled).compactMap { $0.criteria as? Criteria }
  }
}
