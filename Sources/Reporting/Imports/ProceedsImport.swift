package import Intake
package import Ledger
import Postbacks
package import Values

/// The import of what apps earned by the advertiser's own books.
package enum ProceedsImport: ReferenceImport {
  package typealias Listed = ProceedsRows
  package typealias Choice = NoChoice
  package static let profileKind = ImportProfile.Kind.proceeds

  package static func warnings(
    _ rows: GatheredRows<ProceedsRow>, _ stored: () throws -> [ProceedsRow], _ reader: LedgerReader
  ) throws -> [Sentence] {
    var apps: Set<AppID> = []
    try rows.forEachChunk { apps.formUnion($0.map(\.app)) }
    return try ImportCheck(reader).warnings(ofApps: apps)
  }
}
