import Estimates
import Ledger
import Postbacks
import Values
import Verification

extension AlertFacts {
  /// Judges how many of the bodies that took each way are rejected.
  func invalidShares(_ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var ways: [String: [ArrivalHour]] = [:]
    for hour in arrivals { ways[hour.origin.text, default: []].append(hour) }
    return ways.compactMap { way, hours in
      let scope = AlertScope(origin: way)
      guard let rule = rules.rule(.invalidShare, scope) else { return nil }
      let first = now.hour - Int64(rule["hours"]) + 1
      let recent = hours.filter { $0.hour >= first && $0.hour <= now.hour }
      let rejected = recent.reduce(0) { $0 + $1.count.rejected }
      let all = recent.reduce(rejected) { $0 + $1.count.valid }
      return share(
        of: rejected, in: all, least: rule["least-bodies"], rule, scope, unit: "share rejected",
        "\(Self.name(of: scope)): \(grouped(rejected)) of \(grouped(all)) bodies since "
          + "\(Instant(hour: first)) are rejected.",
        remedy:
          "Ask the sender what changed; bodies without a valid signature are forged, cut or altered in "
          + "transit. The table `rejected` has the kept ones with their reasons.",
        command: command("report campaigns", [("--from", "\(Instant(hour: first).day)")]))
    }
  }

  /// Judges how many fine values of each app and network have no meaning.
  func unmappedValues(_ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var scopes: [AlertScope: [ValueDay]] = [:]
    for day in values { scopes[AlertScope(app: day.app, network: day.network), default: []].append(day) }
    return scopes.compactMap { scope, days in
      guard let rule = rules.rule(.unmappedValues, scope) else { return nil }
      let first = now.day.before(Int32(rule["days"]) - 1)
      let recent = days.filter { $0.day >= first && $0.day <= now.day }
      let unmapped = recent.reduce(0) { $0 + $1.unmapped }
      let all = recent.reduce(0) { $0 + $1.postbacks }
      return share(
        of: unmapped, in: all, least: rule["least-postbacks"], rule, scope, unit: "share unmapped",
        "\(Self.name(of: scope)): \(grouped(unmapped)) of \(grouped(all)) fine values since \(first) are "
          + "unmapped.",
        remedy:
          "Check for another SDK that sets conversion values, or load the mapping that the app uses.",
        command: command(
          "report nulls --by day",
          [
            ("--app", scope.app.map { "\($0.number)" }), ("--network", scope.network), ("--from", "\(first)"),
          ]))
    }
  }

  /// Judges how many copies of each network contradict the first one.
  func conflicts(_ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var networks: [String: [ArrivalHour]] = [:]
    for hour in arrivals where hour.environment == .production {
      if let network = hour.network { networks[network, default: []].append(hour) }
    }
    return networks.compactMap { network, hours in
      let scope = AlertScope(network: network)
      guard let rule = rules.rule(.conflicts, scope) else { return nil }
      let first = now.day.before(Int32(rule["days"]) - 1)
      let recent = hours.filter { $0.hour >= first.start.hour && $0.hour <= now.hour }
      let conflicting = recent.reduce(0) { $0 + $1.count.conflicting }
      let copies = recent.reduce(conflicting) { $0 + $1.count.repeated }
      let sentence =
        "\(Self.name(of: scope)): \(grouped(conflicting)) of \(grouped(copies)) further copies since "
        + "\(first) conflict with the first copy of their conversion."
      let remedy =
        "Compare both bodies: signed fields cannot differ, so a sender altered an unsigned field, or two "
        + "systems report different times."
      let command = command("report conflicts", [("--network", network), ("--from", "\(first)")])
      let measure = share(
        of: conflicting, in: copies, least: rule["least-copies"], rule, scope, unit: "share of conflicts",
        sentence, remedy: remedy, command: command)
      let many = AlertMeasure.AlertStatus(Double(conflicting), above: rule["most"])
      guard many == .beyond || (many == .near && measure.standing != .beyond) else { return measure }
      return AlertMeasure(
        rule, scope, many, value: Double(conflicting), bound: rule["most"], unit: "conflicting copies",
        sentence, remedy: remedy, command: command)
    }
  }

  /// Fires where the whole 90 % interval of a share is above the bound.
  private func share(
    of count: Int64, in total: Int64, least: Double, _ rule: AlertRule, _ scope: AlertScope, unit: String,
    _ sentence: String, remedy: String, command: String
  ) -> AlertMeasure {
    let bound = rule["highest"]
    let value = total > 0 ? Double(count) / Double(total) : 0
    let low = Interval(shareOf: Double(count), in: Double(total)).low
    let standing: AlertMeasure.AlertStatus =
      Double(total) < least
      ? .unknown
      : low > bound ? .beyond : AlertMeasure.AlertStatus(value, above: bound) == .clear ? .clear : .near
    return AlertMeasure(
      rule, scope, standing, value: value, bound: bound, unit: unit, sentence, remedy: remedy,
      command: command)
  }
}

extension Origin {
  /// The way in a few words, such as `forwarded acme`.
  var text: String { name.isEmpty ? route.rawValue : "\(route.rawValue) \(name)" }
}
