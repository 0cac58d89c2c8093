package import EstimateReports
import JSONText
import Tables
package import Values

extension Digest {
  /// What the judged install days cost and earned, in one currency up to one horizon, as the pages have it.
  package struct Money: Equatable, Sendable {
    package let currency: String
    /// Up to when after the install revenue counts, such as `48h` or `30d`.
    package let horizon: EstimateHorizon
    package let spend: Amount?
    package let revenue: Amount?
    package let revenueLow: Amount?
    package let revenueHigh: Amount?
    package let returns: Double?
    package let returnsLow: Double?
    package let returnsHigh: Double?
    package let costPerInstall: Amount?
    package let installs: Double

    package init(_ row: EstimateReport.Row) {
      currency = row.currency?.text ?? ""
      horizon = row.horizon
      (spend, revenue) = (row.spend, row.estimatedRevenue)
      let ends = row.estimatedRevenueInterval?.ends
      (revenueLow, revenueHigh) = (ends?.low, ends?.high)
      returns = row.returns?.number
      let returnEnds = row.returnsInterval?.ends
      (returnsLow, returnsHigh) = (returnEnds?.low.units, returnEnds?.high.units)
      costPerInstall = row.costPerInstall
      installs = row.installs
    }

    /// The revenue, then what was paid for it.
    var sentences: [Sentence] {
      var found: [Sentence] = []
      if let revenue, let revenueLow, let revenueHigh {
        let (low, high) = (Digest.money(revenueLow), Digest.money(revenueHigh))
        found.append(
          Sentence(
            "Estimated revenue \(number: Digest.money(revenue)) \(code: currency) \(Digest.words(of: horizon)) (90 % interval \(number: low) to \(number: high)), of \(grouped: Int64(nearest: installs)) installs."
          ))
      }
      guard let spend, spend > .zero else { return found }
      guard let returns, let returnsLow, let returnsHigh, let costPerInstall else {
        return found + [Sentence("Spend \(number: Digest.money(spend)) \(code: currency).")]
      }
      let (low, high) = (fixed(returnsLow, 2), fixed(returnsHigh, 2))
      return found + [
        Sentence(
          "Spend \(number: Digest.money(spend)) \(code: currency), \(number: Digest.money(costPerInstall)) per install: return \(number: fixed(returns, 2)) (90 % interval \(number: low) to \(number: high))."
        )
      ]
    }

    var json: JSONOutput {
      func amount(_ amount: Amount?) -> JSONOutput {
        amount.flatMap { JSONNumber($0.description) }.map { .number($0) } ?? .null
      }
      return [
        "currency": .string(currency), "horizon": .string(horizon.columnText), "spend": amount(spend),
        "estimated-revenue": amount(revenue), "estimated-revenue-low": amount(revenueLow),
        "estimated-revenue-high": amount(revenueHigh), "estimated-roas": .decimal(returns),
        "estimated-roas-low": .decimal(returnsLow), "estimated-roas-high": .decimal(returnsHigh),
        "ecpi": amount(costPerInstall), "installs": .decimal(installs),
      ]
    }
  }
}
