package import Intake
package import Ledger

package enum RateImport: ReferenceImport {
  package typealias Listed = RateRows
  package typealias Choice = NoChoice

  package static let columns = "date, currency, quote and rate"
  package static let noun = (one: "rate", many: "rates")

  package static func read(_ bytes: [UInt8], _ choice: NoChoice, _ mistakes: inout ReferenceMistakes)
    throws(ReferenceFileError) -> [RateRow]
  {
    try ReferenceFile.rates(bytes, &mistakes)
  }

  package static func unmatched(_ rows: [RateRow], _ choice: NoChoice, _ reader: LedgerReader) throws
    -> [Unmatched]
  {
    []
  }
}
