package import Intake
package import Ledger
import Postbacks

package enum TotalImport: ReferenceImport {
  package typealias Listed = TotalRows
  package typealias Choice = NoChoice

  package static let columns =
    "date, network and installs, and optionally campaign, redownloads, postbacks, conversions-with-value, "
    + "revenue and currency"
  package static let noun = (one: "day and campaign of totals", many: "days and campaigns of totals")

  package static func read(_ bytes: [UInt8], _ choice: NoChoice, _ mistakes: inout ReferenceMistakes)
    throws(ReferenceFileError) -> [NetworkTotalRow]
  {
    try ReferenceFile.totals(bytes, &mistakes)
  }

  package static func unmatched(_ rows: [NetworkTotalRow], _ choice: NoChoice, _ reader: LedgerReader) throws
    -> [Unmatched]
  {
    try ImportCheck(reader, [.production]).unmatched(rows)
  }
}
