package import Arguments
package import Campaigns
package import Intake
package import Ledger
package import Postbacks

package enum SpendImport: ReferenceImport {
  package typealias Listed = SpendRows
  package static let profileKind = ImportProfile.Kind.spend

  package struct Choice: Query {
    package var environment = Environment.production

    package init() {}

    package static let parameters: [Parameter<Self>] = [
      .init("environment", \.environment, "Environment of the spend.")
    ]
  }

  package static func adapted(_ row: SpendRow, _ choice: Choice) -> SpendRow {
    var row = row
    row.environment = choice.environment
    return row
  }

  package static func unmatched(
    _ rows: GatheredRows<SpendRow>, _ choice: Choice, _ reader: LedgerReader
  ) throws -> [Unmatched] {
    try ImportCheck(reader, [choice.environment]).unmatched(rows) { $0.collect($1, in: &$2) }
  }
}
