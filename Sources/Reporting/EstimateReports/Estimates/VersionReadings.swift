import Estimates
import Ledger
import MappingLibrary
import Mappings
import MeasuredUsers
import Postbacks
import Values

/// What versions of an app's mapping read of own users' revenue.
struct VersionReadings {
  private struct Ratio {
    let read: Double
    /// The variance of ``read``, as own users are a sample.
    let variance: Double
  }

  private var ratios: [Int: Ratio] = [:]

  init(_ app: AppID, _ catalog: MappingCatalog, _ worths: [ValueWorthRow]) {
    guard let history = catalog.histories[app] else { return }
    for (index, version) in history.versions.enumerated() {
      var (read, truth, squares, mixed, ofMids) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for row in worths
      where row.app == app && row.effectiveFrom == version.effectiveFrom && row.horizon == .firstWindow
        && !row.isCoarse && row.currency == version.currency.text
      {
        guard let value = FineValue(Int64(row.value)) else { continue }
        let meaning = version.decode(.fine(value), window: .first, type: nil)
        let mid = CodeWorth.mean(of: meaning, event: nil)
        let (users, sum) = (Double(row.users), Double(row.micros) / 1e6)
        read += users * mid
        truth += sum
        squares += row.squares
        mixed += mid * sum
        ofMids += users * mid * mid
      }
      guard truth > 0, read > 0 else { continue }
      let ratio = read / truth
      ratios[index] = Ratio(
        read: ratio,
        variance: max(0, ofMids - 2 * ratio * mixed + ratio * ratio * squares) / (truth * truth))
    }
  }

  /// How the versions of two periods read the same users; `nil` where that is not known.
  ///
  /// - Parameters:
  ///   - before: How many conversions follow which version.
  func reading(before: [Int: Double], after: [Int: Double]) -> RevenueMove.Reading? {
    let all = (before.values.reduce(0, +), after.values.reduce(0, +))
    guard all.0 > 0, all.1 > 0 else { return .same }
    let versions = Set(before.keys).union(after.keys)
    guard versions.count > 1 else { return .same }
    guard versions.allSatisfy({ ratios[$0] != nil }) else { return nil }
    func mean(_ shares: [Int: Double], _ all: Double) -> Double {
      versions.reduce(0) { $0 + (shares[$1] ?? 0) / all * (ratios[$1]?.read ?? 0) }
    }
    let (first, second) = (mean(before, all.0), mean(after, all.1))
    let ratio = first / second
    let variance = versions.reduce(0.0) { sum, version in
      let slope = ((before[version] ?? 0) / all.0 - ratio * (after[version] ?? 0) / all.1) / second
      return sum + slope * slope * (ratios[version]?.variance ?? 0)
    }
    return .init(ratio: ratio, variance: variance)
  }
}
