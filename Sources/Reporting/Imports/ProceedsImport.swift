package import Intake
package import Ledger

/// The import of what apps earned by the advertiser's own books.
package enum ProceedsImport: ReferenceImport {
  package typealias Listed = ProceedsRows
  package typealias Choice = NoChoice
  package static let profileKind = ImportProfile.Kind.proceeds

  package static func warnings(
    _ rows: [ProceedsRow], _ stored: () throws -> [ProceedsRow], _ reader: LedgerReader
  ) throws -> [String] {
    try ImportCheck(reader).warnings(ofApps: rows.map(\.app))
  }
}
