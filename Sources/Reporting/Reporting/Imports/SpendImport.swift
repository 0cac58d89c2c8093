package import Arguments
package import Intake
package import Ledger
package import Postbacks

package enum SpendImport: ReferenceImport {
  package typealias Listed = SpendRows

  package struct Choice: Query {
    package var environment = Environment.production

    package init() {}

    package static let parameters: [Parameter<Self>] = [
      .init("environment", \.environment, "Environment of the spend.")
    ]
  }

  package static let columns =
    "date, network, campaign, amount and currency, and optionally app, impressions and clicks"
  package static let noun = (one: "day and campaign of spend", many: "days and campaigns of spend")

  package static func read(_ bytes: [UInt8], _ choice: Choice, _ mistakes: inout ReferenceMistakes)
    throws(ReferenceFileError) -> [SpendRow]
  {
    try ReferenceFile.spend(bytes, of: choice.environment, &mistakes)
  }

  package static func unmatched(_ rows: [SpendRow], _ choice: Choice, _ reader: LedgerReader) throws
    -> [Unmatched]
  {
    try ImportCheck(reader, [choice.environment]).unmatched(rows)
  }
}
