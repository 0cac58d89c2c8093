import Estimates
import Postbacks
import Values

/// The campaigns of two periods in one currency up to one time since the install, as parts of a change.
struct CausePairs {
  /// A campaign's rows; one of the periods can have none.
  struct Pair {
    let before: EstimateReport.Row?
    let after: EstimateReport.Row?
  }

  private typealias Rates = [CurrencyCode: Double]

  private let measure: CausesReport.Measure
  private let totals: (before: EstimatedSum, after: EstimatedSum)
  let pairs: [Pair]
  /// Whether one version of a mapping states what values of an app are worth, or own users of each show it.
  let knowsMapping: Bool

  init(
    _ measure: CausesReport.Measure, before: [EstimateReport.Row], after: [EstimateReport.Row],
    _ totals: (before: EstimatedSum, after: EstimatedSum)
  ) {
    (self.measure, self.totals) = (measure, totals)
    let (before, after) = (before.filter { $0.measure == measure }, after.filter { $0.measure == measure })
    let earlier = Dictionary(before.map { ($0.group, $0) }) { first, _ in first }
    let later = Dictionary(after.map { ($0.group, $0) }) { first, _ in first }
    pairs = Set(earlier.keys).union(later.keys).sorted().map {
      Pair(before: earlier[$0], after: later[$0])
    }
    knowsMapping = Self.knowsMapping([before, after])
  }

  private static func knowsMapping(_ periods: [[EstimateReport.Row]]) -> Bool {
    var origins: [AppID: Set<CodeWorth.Origin>] = [:]
    var stated: Set<AppID> = []
    for rows in periods {
      var installs: [AppID: Double] = [:]
      var versions: [AppID: [EstimatedSum.Version]] = [:]
      for row in rows {
        guard let app = row.app else { continue }
        installs[app, default: 0] += row.conversions
        versions[app, default: []] += row.sum.versions
      }
      for (app, versions) in versions {
        for (origin, own) in Dictionary(grouping: versions, by: \.origin) {
          // Days of install are estimated, so a few can be of a version that was not in force yet.
          let count = own.reduce(0) { $0 + $1.installs }
          guard count > EstimateReport.notableShare * (installs[app] ?? 0) else { continue }
          origins[app, default: []].insert(origin)
          if own.contains(where: { !$0.isOfOwnUsers }) { stated.insert(app) }
        }
      }
    }
    return stated.allSatisfy { origins[$0]?.count ?? 0 <= 1 }
  }

  var move: RevenueMove {
    let rates = meanRates
    return RevenueMove(
      pairs.map { pair in
        RevenueMove.Campaign(before: counts(pair.before, rates), after: counts(pair.after, rates))
      }, knowsMapping: knowsMapping, before: openness(pairs.map(\.before), totals.before),
      after: openness(pairs.map(\.after), totals.after))
  }

  /// The rates of the earlier period by currency of a mapping, weighted by its revenue.
  private var meanRates: Rates {
    var sums: [CurrencyCode: (own: Double, counted: Double)] = [:]
    for version in pairs.lazy.compactMap(\.before).flatMap(\.sum.versions) {
      sums[version.origin.currency, default: (0, 0)].own += version.own
      sums[version.origin.currency, default: (0, 0)].counted += version.counted
    }
    return sums.compactMapValues { $0.own > 0 ? $0.counted / $0.own : nil }
  }

  private func counts(_ row: EstimateReport.Row?, _ rates: Rates) -> RevenueMove.Counts {
    guard let sum = row?.sum, let total = sum.total else { return RevenueMove.Counts() }
    var exchange: Double?
    for version in sum.versions where version.origin.currency != measure.currency {
      // Where the earlier period has no revenue of the currency, nothing was at another rate.
      let more = rates[version.origin.currency].map { version.counted - version.own * $0 } ?? 0
      // What the arithmetic alone leaves is no change of rates.
      exchange = (exchange ?? 0) + (abs(more) < 1e-9 * version.counted ? 0 : more)
    }
    let revenue = total - (exchange ?? 0)
    let factor = revenue > 0 ? total / revenue : 1
    return RevenueMove.Counts(
      conversions: sum.installs, revenue: revenue, squares: sum.squares / (factor * factor),
      exchange: exchange)
  }

  private func openness(_ rows: [EstimateReport.Row?], _ total: EstimatedSum) -> RevenueMove.Openness {
    RevenueMove.Openness(widening: total.widening) { weights in
      let sums = zip(rows, weights).compactMap { row, weight in row.map { ($0.sum, weight) } }
      return .init(EstimatedSum.draws(of: sums) ?? [], common: EstimatedSum.commonDraws(of: sums))
    }
  }
}

extension EstimateReport.Row {
  /// What its amounts never add up across; `nil` for users of an event.
  var measure: CausesReport.Measure? { currency.map { .init(currency: $0, horizon: horizon) } }
}
