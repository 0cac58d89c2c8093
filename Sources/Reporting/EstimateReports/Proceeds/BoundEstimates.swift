import Estimates
import Postbacks
import Values

/// Estimates of campaigns and of organic users, bound to what the books have of their installs.
struct BoundEstimates {
  private let rows: [EstimateReport.Row]
  private let organicInstalls: Double?
  private let account: ProceedsAccount
  /// What campaigns and, last, organic users can be.
  private let worst: SharpBounds

  /// - Parameters:
  ///   - organicInstalls: Installs that no postback attributes; `nil` where they are not known, so that organic users take
  ///     what campaigns leave.
  init(_ rows: [EstimateReport.Row], organicInstalls: Double?, _ account: ProceedsAccount) {
    self.rows = rows
    self.organicInstalls = organicInstalls
    self.account = account
    // The sum of all payments of this time needs no division by age.
    worst = SharpBounds(
      rows.map(\.sum.worstCase) + [Interval(low: 0, high: .infinity)],
      total: Interval(low: 0, high: account.mostOfInstalls))
  }

  /// Whether the books have less than campaigns are worth at least, so that lines cannot be within their bounds.
  var isBelowLeast: Bool { !worst.allow(sum: account.installs) }

  func lines(
    _ app: AppID, _ horizon: EstimateHorizon
  ) -> [ProceedsReport.Row] {
    let total = account.installs
    // A campaign whose values are all withheld has no estimate of its own, and counts at the app's mean.
    let estimates = rows.map { $0.sum.estimate ?? $0.sum.unknownUsers($0.sum.installs)?.estimate ?? 0 }
    let campaigns = rows.map {
      Reconciliation.Part(draws: $0.sum.draws ?? [], common: $0.sum.commonDraws, interval: $0.sum.interval)
    }
    let canBind = campaigns.allSatisfy { !$0.draws.isEmpty && $0.draws.count == campaigns[0].draws.count }
    let organic = organicInstalls.flatMap {
      rows.max { $0.sum.installs < $1.sum.installs }?.sum.unknownUsers($0)
    }
    var lines =
      rows.map { ProceedsReport.Row($0, app, horizon) } + [
        ProceedsReport.Row(app: app, part: .organic, currency: account.currency, horizon: horizon)
      ]
    for index in lines.indices { lines[index].worstCase = worst.parts[index] }
    var ages = 0.0
    if canBind, let organic {
      let own = estimates + [organic.estimate]
      // Own users are the same, so that organic users are worth as much more or less than they as campaigns are.
      let common = deviations(of: campaigns).map { organic.estimate * (1 + $0) }
      let bound = Reconciliation(
        campaigns + [Reconciliation.Part(draws: organic.draws, common: common, interval: organic.interval)],
        total: total,
        error: .init(
          variance: account.variance, hidden: account.hiddenChance,
          chance: own.map { max(0, $0) * account.clump }))
      (lines[rows.count].estimate, lines[rows.count].interval) = (organic.estimate, organic.interval)
      let sum = own.reduce(0, +)
      let amounts = worst.holding(
        own.indices.map { own[$0] + bound.shift(of: $0, estimate: sum) }, weights: bound.shares)
      for index in lines.indices {
        lines[index].amount = amounts[index]
        lines[index].amountInterval = lines[index].interval?.moved(
          from: own[index], to: amounts[index], narrowing: bound.narrowing(of: index))
      }
      ages = (1 - bound.bound) * (total - sum)
    } else {
      // Without an estimate of organic users, they are what campaigns leave of the books.
      let intervals =
        rows.map(\.sum.interval) + [canBind ? rest(of: total, campaigns) : nil]
      let own = estimates + [total - estimates.reduce(0, +)]
      let amounts = worst.holding(own, weights: intervals.map { ($0?.width ?? 0) * ($0?.width ?? 0) })
      for index in lines.indices {
        lines[index].amount = amounts[index]
        lines[index].amountInterval = intervals[index]?.moved(
          from: own[index], to: amounts[index], narrowing: 1)
      }
    }
    for index in lines.indices {
      guard let amount = lines[index].amount else { continue }
      lines[index].amountInterval = lines[index].amountInterval?.within(worst.parts[index], holding: amount)
    }
    return lines + reasons(app, horizon, ages: ages)
  }

  /// By what part of it what campaigns are worth by own users differs from its mean in each draw.
  private func deviations(of campaigns: [Reconciliation.Part]) -> [Double] {
    guard let first = campaigns.first else { return [] }
    let sums = campaigns.dropFirst().reduce(first.common) { zip($0, $1.common).map(+) }
    let mean = sums.reduce(0, +) / Double(max(1, sums.count))
    return sums.map { mean > 0 ? $0 / mean - 1 : 0 }
  }

  /// The interval of what campaigns leave of a total.
  private func rest(of total: Double, _ campaigns: [Reconciliation.Part]) -> Interval? {
    guard let first = campaigns.first else { return nil }
    let sums = campaigns.dropFirst().reduce(first.draws) { zip($0, $1.draws).map(+) }
    // A total of users who pay more than own ones hides a part of it.
    let hidden = account.hiddenChance
    let draws = zip(sums, deviations(of: campaigns)).map { total * (1 + hidden * $1) - $0 }
    let variance = account.variance + hidden * hidden * account.clump * max(0, total)
    let more = Interval.normalReach * variance.squareRoot()
    return Interval(of: draws).map { Interval(low: $0.low - more, high: $0.high + more) }
  }

  /// From what the installs paid within the horizon to the proceeds of the days.
  private func reasons(
    _ app: AppID, _ horizon: EstimateHorizon, ages: Double
  ) -> [ProceedsReport.Row] {
    let lines: [(ProceedsReport.Part, Double)] = [
      (.ages, ages), (.earlierInstalls, account.earlierInstalls), (.afterHorizon, account.afterHorizon),
      (.afterPeriod, -account.afterPeriod), (.commission, -account.commission), (.refunds, -account.refunds),
      (.tax, -account.tax), (.proceeds, account.proceeds),
    ]
    return lines.map { part, amount in
      var line = ProceedsReport.Row(app: app, part: part, currency: account.currency, horizon: horizon)
      line.amount = amount
      return line
    }
  }
}

extension Interval {
  /// The same around another middle, narrower by a factor.
  fileprivate func moved(from estimate: Double, to amount: Double, narrowing factor: Double) -> Self {
    Interval(
      low: amount - max(0, estimate - low) * factor, high: amount + max(0, high - estimate) * factor)
  }

  /// The part of it within bounds, and the amount in any case.
  fileprivate func within(_ bounds: Self, holding amount: Double) -> Self {
    Interval(low: min(amount, max(low, bounds.low)), high: max(amount, min(high, bounds.high)))
  }
}

extension ProceedsReport.Row {
  /// A campaign's line before the books are known.
  init(_ row: EstimateReport.Row, _ app: AppID, _ horizon: EstimateHorizon) {
    self.init(
      app: app, part: .campaign, campaign: row.campaign, name: row.name, currency: row.currency,
      horizon: horizon, estimate: row.sum.estimate, interval: row.sum.interval,
      worstCase: row.sum.worstCase)
  }
}
