import Ledger
import Postbacks
import Values

struct ConflictsCriteria: AlertCriteria {
  static let kind = AlertKind.conflicts
  static let scopes: [AlertScope.Part] = [.networks]

  var days = 7
  var leastCopies = 50
  var highest = 0.01
  var most = 1000

  static let parameters: [AlertParameter] = [
    .init("days", \Self.days, 1...14, "Number of days to examine, including today."),
    .init(
      "least-copies", \Self.leastCopies, 1...1_000_000_000,
      "Minimum number of further copies for a share."),
    .init("highest", \Self.highest, 0...1, "Maximum share of conflicting copies."),
    .init(
      "most", \Self.most, 1...1_000_000_000_000,
      "Maximum number of conflicting copies."),
  ]

  var arrivalDays: Int { days }

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var networks: [String: [ArrivalHour]] = [:]
    for hour in facts.arrivals where hour.environment == .production {
      if let network = hour.network { networks[network, default: []].append(hour) }
    }
    return networks.compactMap { network, hours in
      let scope = AlertScope(network: network)
      guard let (rule, criteria) = rules.rule(Self.self, scope) else { return nil }
      let first = now.day.before(Int32(criteria.days) - 1)
      let recent = hours.filter { $0.hour >= first.start.hour && $0.hour <= now.hour }
      let conflicting = recent.reduce(0) { $0 + $1.count.conflicting }
      let copies = recent.reduce(conflicting) { $0 + $1.count.repeated }
      let sentence = Sentence(
        "\(scope.name): \(grouped: conflicting) of \(grouped: copies) further copies since "
          + "\(first) conflict with the first copy of their conversion.")
      let remedy = Sentence(
        "Compare both bodies: signed fields cannot differ, so a sender altered an unsigned field, or two "
          + "systems report different times.")
      let command = facts.command("report conflicts", [("--network", network), ("--from", "\(first)")])
      let measure = AlertMeasure.share(
        of: conflicting, in: copies, least: criteria.leastCopies, rule, scope, bound: criteria.highest,
        unit: Sentence("share of conflicts"),
        sentence, remedy: remedy, command: command)
      let most = Double(criteria.most)
      let many = AlertMeasure.AlertStatus(Double(conflicting), above: most)
      guard many == .beyond || (many == .near && measure.standing != .beyond) else { return measure }
      return AlertMeasure(
        rule, scope, many, value: Double(conflicting), bound: most, unit: Sentence("conflicting copies"),
        sentence, remedy: remedy, command: command)
    }
  }
}
