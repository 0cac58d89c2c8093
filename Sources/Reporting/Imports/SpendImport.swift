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

  package static func read(
    _ bytes: [UInt8], _ layout: ImportLayout<SpendRow>, _ choice: Choice,
    _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> ReferenceRows<SpendRow> {
    var file = try ReferenceFile.read(bytes, layout, &mistakes)
    for index in file.rows.indices { file.rows[index].environment = choice.environment }
    return file
  }

  package static func unmatched(_ rows: [SpendRow], _ choice: Choice, _ reader: LedgerReader) throws
    -> [Unmatched]
  {
    try ImportCheck(reader, [choice.environment]).unmatched(rows)
  }
}
