import Values

/// Requests for a network that is known are turned away before a body is read: a wrong token, path or method.
struct NetworkTurnedAwayCriteria: AlertCriteria {
  static let kind = AlertKind.networkTurnedAway
  static let scopes: [AlertScope.Part] = [.origins]

  var hours = 24
  /// A stranger can send a few such requests in a network's name.
  var most = 10

  static let parameters: [AlertParameter] = [
    .init("hours", \Self.hours, 1...336, "Number of hours to examine."),
    .init("most", \Self.most, 0...1_000_000_000_000, "Maximum number of requests that are turned away."),
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let entries = facts.turnedAway else { return [] }
    return Dictionary(grouping: entries, by: \.network).compactMap { network, entries in
      let scope = AlertScope(origin: "forwarded \(network)")
      guard let (rule, criteria) = rules.rule(Self.self, scope) else { return nil }
      let first = now.hour - Int64(criteria.hours) + 1
      let recent = entries.filter { $0.hour >= first && $0.hour <= now.hour }
      let requests = recent.reduce(0) { $0 + $1.requests }
      let status = recent.max { $0.hour < $1.hour }?.status ?? 0
      return AlertMeasure(
        rule, scope, requests > criteria.most ? .beyond : .clear, value: Double(requests),
        bound: Double(criteria.most), unit: Sentence("requests turned away"),
        Sentence(
          "\(scope.name): \(grouped: requests) requests since \(Instant(hour: first)) were turned away, the last "
            + "with \(code: status)."),
        remedy: Sentence(
          "Compare the network's address and token with `skan token list` and `skan network guide`; 401 and 404: "
            + "the token or signature is missing, wrong or revoked; 403: it is another one's; 405: the profile has "
            + "no parameters."),
        command: facts.command("token list"))
    }
  }
}
