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

  package static func read(_ bytes: [UInt8], _ choice: Choice, _ mistakes: inout ReferenceMistakes)
    throws(ReferenceFileError) -> [SpendRow]
  {
    var rows = try ReferenceFile.read(SpendRow.self, bytes, &mistakes)
    for index in rows.indices { rows[index].environment = choice.environment }
    return rows
  }

  package static func unmatched(_ rows: [SpendRow], _ choice: Choice, _ reader: LedgerReader) throws
    -> [Unmatched]
  {
    try ImportCheck(reader, [choice.environment]).unmatched(rows)
  }
}
