package import Postbacks

/// What an alert is about.
package struct AlertScope: Hashable, Sendable {
  /// What a rule can be limited by; the raw value is the member in the rules file.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case apps, networks, campaigns, origins
  }

  /// The app.
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
package struct AlertRule: Hashable, Sendable {
  /// What is watched.
  package let kind: AlertKind
  /// How much it matters.
  package var severity: AlertSeverity
  /// Whether it is watched at all.
  package var isEnabled = true
  /// What the rule is limited to; a part that is not there is not limited.
  package var parts: [AlertScope.Part: Set<String>] = [:]
  /// The numbers that differ from the kind's own.
  package var numbers: [String: Double] = [:]

  /// Takes the defaults of a kind.
  package init(_ kind: AlertKind) {
    self.kind = kind
    severity = kind.severity
  }

  /// A number of the rule.
  package subscript(name: String) -> Double {
    if let number = numbers[name] { return number }
    guard let parameter = kind.parameters.first(where: { $0.name == name }) else {
      preconditionFailure("rules of the kind have no such number")
    }
    return parameter.standard
  }

  func covers(_ scope: AlertScope) -> Bool {
    parts.allSatisfy { part, allowed in scope.text(part).map { allowed.contains($0) } ?? false }
  }
}

/// When alerts fire and when they end.
package struct AlertRules: Hashable, Sendable {
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

  /// The first rule that covers a scope; `nil` where none does, or where it is switched off.
  func rule(_ kind: AlertKind, _ scope: AlertScope = AlertScope()) -> AlertRule? {
    rules.first { $0.kind == kind && $0.covers(scope) }.flatMap { $0.isEnabled ? $0 : nil }
  }

  /// The largest value that any rule has for a number of a kind.
  func largest(_ name: String, _ kind: AlertKind) -> Double {
    rules.filter { $0.kind == kind && $0.isEnabled }.map { $0[name] }.max() ?? 0
  }
}
