import Estimates
import Tables
package import Values

extension EstimateReport.Row {
  /// Winning first postbacks that are first installs.
  package var installs: Double { sum.firstInstalls }
  /// Compared spend for each of the installs that it is compared with; `nil` where there is none of either.
  package var costPerInstall: Amount? { compared?.costPerInstall.flatMap { Amount(rounding: $0) } }
}
