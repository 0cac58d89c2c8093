import EstimateReports
import Values

/// The campaigns that surely cost more than they earn, and by how much together.
struct SureLosses {
  /// Campaigns whose returns are looked at; each needs draws of its own.
  static let mostJudged = 500

  /// In one currency, the first one's, because amounts of others do not add up with it.
  let rows: [EstimateReport.Row]
  let currency: CurrencyCode?
  /// What they cost beyond what they earned, of the spend that is compared.
  let amount: Amount

  /// - Parameter rows: Those with most spend first.
  init?(_ rows: [EstimateReport.Row]) {
    let judged = rows.prefix(Self.mostJudged).filter {
      $0.mayLose && $0.verdict == .no && $0.comparedRevenue != nil
    }
    guard let first = judged.first else { return nil }
    currency = first.currency
    self.rows = judged.filter { $0.currency == first.currency }
    amount = self.rows.reduce(Amount.zero) { sum, row in
      sum.adding(row.comparedSpend.subtracting(row.comparedRevenue ?? .zero)).sum
    }
  }
}
