import Campaigns
import Estimates
import Postbacks
import Values

extension [EstimateReport.Row] {
  /// Gives rows what was paid for their groups; of rows of one group and currency the first one has it.
  mutating func take(_ spend: EstimateSpend) {
    let counts = Dictionary(grouping: map(\.group), by: \.self).mapValues(\.count)
    for index in indices {
      let group = self[index].group
      guard let paid = spend.sums[group] else { continue }
      let isFirst =
        index == 0 || self[index - 1].group != group || self[index - 1].currency != self[index].currency
      self[index].take(paid, spend.compared[group], isOnlyRow: counts[group] == 1, isFirst: isFirst)
    }
  }

  /// Gives totals what was paid for everything; of those of one currency the first one has it.
  mutating func takeTotal(of spend: EstimateSpend) {
    for index in indices {
      let isFirst = index == 0 || self[index - 1].currency != self[index].currency
      self[index].take(spend.total, spend.comparedTotal, isOnlyRow: count == 1, isFirst: isFirst)
    }
  }
}

extension EstimateReport.Row {
  /// Takes what was paid, and compares what can be.
  ///
  /// - Parameters:
  ///   - isOnlyRow: Whether no other row has the same group, which would share its spend.
  ///   - isFirst: Whether no row before is of the same group and currency, so that spend counts once in a sum of rows.
  fileprivate mutating func take(
    _ paid: [CurrencyCode: Amount], _ known: EstimateSpend.Compared?, isOnlyRow: Bool, isFirst: Bool
  ) {
    spend = isFirst ? currency.flatMap { paid[$0] } : nil
    guard isOnlyRow, !leavesOutMany, let currency, !paid.isEmpty else { return }
    if let comparedSum, let known, let amount = known.amounts[currency] {
      compared = ComparedSpend(comparedSum, amount, days: known.days, isIncomplete: known.isIncomplete)
    }
    unpaidInstalls = max(0, sum.installs - (compared?.sum.installs ?? 0))
    uncomparedSpend = max(.zero, (spend ?? .zero).subtracting(compared?.spend ?? .zero))
    awaitedSpend = known?.awaited[currency] ?? .zero
    hasForeignSpend = paid.contains { $0.key != currency && $0.value != .zero }
  }
}
