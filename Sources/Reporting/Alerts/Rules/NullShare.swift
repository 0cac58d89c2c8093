import Estimates
import Ledger
import Postbacks
import Values

extension AlertFacts {
  /// Judges the share of withheld values of each campaign.
  func nullShares(_ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var campaigns: [AlertScope: [FirstWindowDay]] = [:]
    for day in days {
      let scope = AlertScope(app: day.app, network: day.network, campaign: day.campaign)
      campaigns[scope, default: []].append(day)
    }
    return campaigns.compactMap { scope, days in
      rules.rule(.nullShare, scope).map { nullShare(scope, days, $0, now) }
    }
  }

  private func nullShare(
    _ scope: AlertScope, _ days: [FirstWindowDay], _ rule: AlertRule, _ now: Instant
  ) -> AlertMeasure {
    let first = now.day.before(Int32(rule["days"]) - 1)
    let start = first.before(Int32(rule["baseline-days"]))
    let recent = ShareSum(days.filter { $0.day >= first && $0.day <= now.day })
    let earlier = days.filter { $0.day >= start && $0.day < first }
    let before = ShareSum(earlier)
    let name = Self.name(of: scope)
    func measure(
      _ standing: AlertMeasure.AlertStatus, _ bound: Double, _ sentence: String
    ) -> AlertMeasure {
      AlertMeasure(
        rule, scope, standing, value: recent.share, bound: bound, unit: "share of nulls", sentence,
        remedy:
          "Examine the days around the change: Apple's threshold, the size of the campaign, or an app "
          + "version that no longer sets values. Postbacks do not distinguish these causes.",
        command: command(
          "report nulls --by day",
          [
            ("--app", scope.app.map { "\($0.number)" }), ("--network", scope.network), ("--from", "\(start)"),
          ]))
    }
    let least = rule["least-postbacks"]
    guard recent.total >= least else {
      return measure(
        .unknown, rule["highest"],
        "\(name): \(grouped(Int64(recent.total))) postbacks since \(first); the minimum is "
          + "\(grouped(Int64(least)))."
      )
    }
    let highest = rule["highest"]
    if highest < 1, recent.share > highest {
      return measure(
        .beyond, highest,
        "\(name): \(percent(recent.share)) of the values since \(first) are withheld, more than \(percent(highest))."
      )
    }
    let isNearHighest =
      highest < 1 && AlertMeasure.AlertStatus(recent.share, above: highest) != .clear
    guard before.total >= least else {
      return measure(
        isNearHighest ? .near : highest < 1 ? .clear : .unknown, highest,
        "\(name): \(grouped(Int64(before.total))) postbacks before \(first); the minimum is "
          + "\(grouped(Int64(least)))."
      )
    }
    let change = ShareChange(
      from: before, to: recent, level: rule["level"], dispersion: ShareSum.dispersion(earlier))
    let needed = max(rule["least-change"], change.reach)
    let difference = recent.share - before.share
    let bound = min(1, max(0, before.share + (difference < 0 ? -needed : needed)))
    let standing = AlertMeasure.AlertStatus(abs(difference), above: needed)
    let sentence =
      "\(name): \(percent(recent.share)) of the values since \(first) are withheld, "
      + "\(percent(before.share)) in the \(Int(rule["baseline-days"])) days before; a change of up to "
      + "\(fixed(needed * 100, 1)) points is insignificant."
    return measure(standing == .clear && isNearHighest ? .near : standing, bound, sentence)
  }

  static func name(of scope: AlertScope) -> String {
    let parts = [
      scope.app.map { "app \($0.number)" }, scope.network.map { printable($0) },
      scope.campaign.map { "campaign \($0)" }, scope.origin.map { printable($0) },
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}

/// How many of how many.
struct ShareSum {
  var count = 0.0
  var total = 0.0

  /// The share; 0 of nothing.
  var share: Double { total > 0 ? count / total : 0 }

  init(_ days: [FirstWindowDay]) {
    count = days.reduce(0) { $0 + Double($1.nulls) }
    total = days.reduce(0) { $0 + Double($1.postbacks) }
  }

  init(count: Double, total: Double) {
    self.count = count
    self.total = total
  }

  /// How much more the shares of days differ than chance alone makes them, at least 1.
  ///
  /// Pearson's statistic by its degrees of freedom, raised by its standard error, because it is known from few days.
  /// Source: McCullagh and Nelder, "Generalized linear models", 1989, section 4.5.
  static func dispersion(_ days: [FirstWindowDay]) -> Double {
    let days = days.filter { $0.postbacks > 0 }
    let share = ShareSum(days).share
    guard days.count > 1, share > 0, share < 1 else { return 1 }
    let statistic = days.reduce(0.0) { sum, day in
      let expected = Double(day.postbacks) * share
      let difference = Double(day.nulls) - expected
      return sum + difference * difference / (expected * (1 - share))
    }
    let freedom = Double(days.count - 1)
    return max(1, statistic / freedom * (1 + (2 / freedom).squareRoot()))
  }
}

/// The interval of the change of a share.
///
/// Both shares' Wilson intervals, joined. Source: Newcombe, "Interval estimation for the difference between independent
/// proportions", 1998, method 10. Counts are divided by the dispersion first, so that days which differ by themselves
/// count for less.
struct ShareChange {
  /// How far chance alone can take the change in its direction, at the level.
  let reach: Double

  init(from before: ShareSum, to after: ShareSum, level: Double, dispersion: Double) {
    let a = Interval(shareOf: before.count / dispersion, in: before.total / dispersion, level: level)
    let b = Interval(shareOf: after.count / dispersion, in: after.total / dispersion, level: level)
    let (ofBefore, ofAfter) =
      after.share >= before.share
      ? (a.high - before.share, after.share - b.low) : (before.share - a.low, b.high - after.share)
    reach = (ofBefore * ofBefore + ofAfter * ofAfter).squareRoot()
  }
}

/// A share in per cent, with one decimal.
func percent(_ share: Double) -> String { fixed(share * 100, 1) + " %" }
