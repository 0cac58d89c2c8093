import Estimates
import Postbacks
import Values

/// Estimates of campaigns and of organic users, bound to what the books have of their installs.
struct BoundEstimates {
  private let rows: [EstimateReport.Row]
  private let organicInstalls: Double?
  private let account: ProceedsAccount

  /// - Parameters:
  ///   - organicInstalls: Installs that no postback attributes; `nil` where they are not known, so that organic users take
  ///     what campaigns leave.
  init(_ rows: [EstimateReport.Row], organicInstalls: Double?, _ account: ProceedsAccount) {
    self.rows = rows
    self.organicInstalls = organicInstalls
    self.account = account
  }

  func lines(
    _ app: AppID, _ horizon: EstimateHorizon
  ) -> [ProceedsReport.Row] {
    let total = account.installs
    let variance = account.ageVariance * total * total
    let draws = rows.map { $0.sum.draws ?? [] }
    let canBind = draws.allSatisfy { !$0.isEmpty && $0.count == draws[0].count }
    let organic = organicInstalls.flatMap {
      rows.max { $0.sum.installs < $1.sum.installs }?.sum.unknownUsers($0)
    }
    let estimates = rows.map { $0.sum.estimate ?? 0 }
    var lines: [ProceedsReport.Row] = []
    guard canBind, let organic else {
      lines += unbound(app, horizon, estimates.reduce(0, +), total, variance)
      return lines + reasons(app, horizon, ages: 0)
    }
    let parts =
      zip(rows, draws).map {
        Reconciliation.Part(draws: $1, common: $0.sum.commonDraws, interval: $0.sum.interval)
      }
      + [Reconciliation.Part(draws: organic.draws, common: [], interval: organic.interval)]
    let bound = Reconciliation(parts, total: total, variance: variance)
    let sum = estimates.reduce(0, +) + organic.estimate
    let worst = sharpBounds(rows.map(\.sum.worstCase) + [Interval(low: 0, high: .infinity)], total: total)
    var taken = 0.0
    for (index, row) in rows.enumerated() {
      var line = ProceedsReport.Row(row, app, horizon)
      let amount = estimates[index] + bound.shift(of: index, estimate: sum)
      line.amount = amount
      line.amountInterval = row.sum.interval.map {
        $0.moved(from: estimates[index], to: amount, narrowing: bound.narrowing(of: index))
      }
      line.worstCase = worst[index]
      taken += amount
      lines.append(line)
    }
    var last = ProceedsReport.Row(app: app, part: .organic, currency: account.currency, horizon: horizon)
    last.estimate = organic.estimate
    last.interval = organic.interval
    let amount = organic.estimate + bound.shift(of: rows.count, estimate: sum)
    last.amount = amount
    last.amountInterval = last.interval.map {
      $0.moved(from: organic.estimate, to: amount, narrowing: bound.narrowing(of: rows.count))
    }
    last.worstCase = worst[rows.count]
    lines.append(last)
    return lines + reasons(app, horizon, ages: total - taken - amount)
  }

  /// Without an estimate of organic users, they are what campaigns leave of the books.
  private func unbound(
    _ app: AppID, _ horizon: EstimateHorizon, _ sum: Double, _ total: Double, _ variance: Double
  ) -> [ProceedsReport.Row] {
    let worst = sharpBounds(rows.map(\.sum.worstCase) + [Interval(low: 0, high: .infinity)], total: total)
    var lines = zip(rows, worst).map { row, worst in
      var line = ProceedsReport.Row(row, app, horizon)
      (line.amount, line.amountInterval, line.worstCase) = (row.sum.estimate, row.sum.interval, worst)
      return line
    }
    var organic = ProceedsReport.Row(app: app, part: .organic, currency: account.currency, horizon: horizon)
    organic.amount = total - sum
    let draws = rows.compactMap(\.sum.draws)
    if draws.count == rows.count, let first = draws.first {
      var sums = first.map { _ in 0.0 }
      for own in draws { sums = zip(sums, own).map { $0 + $1 } }
      if let interval = Interval(of: sums) {
        let more = 1.645 * variance.squareRoot()
        organic.amountInterval = Interval(
          low: total - interval.high - more, high: total - interval.low + more)
      }
    }
    organic.worstCase = worst.last
    lines.append(organic)
    return lines
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
