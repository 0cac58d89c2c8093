package import Campaigns
package import Intake
package import Ledger
import Postbacks

package enum TotalImport: ReferenceImport {
  package typealias Listed = TotalRows
  package typealias Choice = NoChoice
  package static let profileKind = ImportProfile.Kind.totals

  package static func unmatched(
    _ rows: GatheredRows<NetworkTotalRow>, _ choice: NoChoice, _ reader: LedgerReader
  ) throws -> [Unmatched] {
    try ImportCheck(reader, [.production]).unmatched(rows) { $0.collect($1, in: &$2) }
  }
}
