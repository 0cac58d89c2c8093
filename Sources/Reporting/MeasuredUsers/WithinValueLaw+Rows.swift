package import Estimates
package import Ledger
import Postbacks
import Values

extension WithinValueLaw {
  /// What is stored of it.
  func rows(of app: AppID, _ effectiveFrom: Instant, _ horizon: WorthHorizon) -> [WithinValueRow] {
    places.map { place in
      WithinValueRow(
        app: app, effectiveFrom: effectiveFrom, horizon: horizon, slope: Int(nearest: 100 * place.slope),
        spread: Int(nearest: 100 * place.spread), groups: groups,
        weight: Int64(nearest: 1e6 * place.weight))
    }
  }

  /// What is stored of one version and horizon; nothing is known without a row.
  package init(_ rows: [WithinValueRow]) {
    self.init(
      groups: rows.first?.groups ?? 0,
      places: rows.map {
        Place(slope: Double($0.slope) / 100, spread: Double($0.spread) / 100, weight: Double($0.weight))
      })
  }
}
