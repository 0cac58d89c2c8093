import Estimates
import Tables
package import Values

/// What some install days cost and earned, beside the same of as many days directly before; a line for each currency and
/// horizon, because these never add up.
package struct Headline: Sendable {
  /// The figures of one currency and horizon.
  package struct Line: Sendable {
    package let now: EstimateReport.Row
    /// `nil` where the days before have nothing in this currency up to this horizon.
    package let before: EstimateReport.Row?
  }

  /// How far a figure is from that of the days before.
  package struct Move: Equatable, Sendable {
    /// The difference as a part of the figure before.
    package let share: Double
    /// Whether it is more than chance: a count and an amount that was paid are known, and of two estimates the 90 %
    /// intervals have nothing in common.
    package let isSure: Bool
  }

  package let lines: [Line]

  /// - Parameters:
  ///   - now: The totals of a report on these days, or the rows of one campaign, each of another currency or horizon.
  ///   - before: The same of the days before; none where nothing is compared.
  package init(_ now: [EstimateReport.Row], before: [EstimateReport.Row] = []) {
    lines = now.map { row in
      Line(now: row, before: before.first { $0.currency == row.currency && $0.horizon == row.horizon })
    }
  }

  /// Whether no line has an estimate.
  package var isWithoutEstimate: Bool { lines.allSatisfy { $0.now.estimatedRevenue == nil } }

  /// What was paid in currencies that no line has, and no rate turns into one of theirs.
  package var foreignSpend: [(currency: CurrencyCode, amount: Amount)] {
    let own = Set(lines.compactMap(\.now.currency))
    var found: [CurrencyCode: Amount] = [:]
    for line in lines { found.merge(line.now.foreignSpend) { first, _ in first } }
    return found.filter { !own.contains($0.key) }.sorted { $0.key < $1.key }
      .map { (currency: $0.key, amount: $0.value) }
  }

  /// Whether anything was paid for the days.
  package var hasSpend: Bool { lines.contains { $0.now.spend ?? .zero > .zero } }
}

extension Headline.Line {
  package var spendMove: Headline.Move? {
    move(now.spend?.units, before?.spend?.units, isSure: true)
  }
  package var revenueMove: Headline.Move? {
    move(
      now.estimatedRevenue?.units, before?.estimatedRevenue?.units,
      isSure: isApart(now.estimatedRevenueInterval, before?.estimatedRevenueInterval))
  }
  package var returnMove: Headline.Move? {
    move(
      now.returns?.number, before?.returns?.number,
      isSure: isApart(now.returnsInterval, before?.returnsInterval))
  }
  package var costMove: Headline.Move? {
    move(now.costPerInstall?.units, before?.costPerInstall?.units, isSure: true)
  }
  package var installsMove: Headline.Move? {
    move(now.installs, before?.installs, isSure: true)
  }

  private func isApart<Bound>(_ now: Bounds<Bound>?, _ before: Bounds<Bound>?) -> Bool {
    guard let now = now?.ends, let before = before?.ends else { return false }
    return now.low > before.high || now.high < before.low
  }

  private func move(_ now: Double?, _ before: Double?, isSure: Bool) -> Headline.Move? {
    guard let now, let before, before > 0 else { return nil }
    return Headline.Move(share: now / before - 1, isSure: isSure)
  }
}

extension EstimateReport.Row {
  /// The revenue that the return is of; `nil` without one.
  package var comparedRevenue: Amount? { compared?.sum.estimate.flatMap { Amount(rounding: $0) } }
  /// Whether its return is below the target, without a look at the interval, which it is never beyond.
  package var mayLose: Bool { compared?.value.map { $0 < target.ratio } ?? false }
}
