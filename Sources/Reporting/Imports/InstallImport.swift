package import Intake
package import Ledger
import Postbacks
package import Values

/// The import of installs that an advertiser counted itself.
package enum InstallImport: ReferenceImport {
  package typealias Listed = OwnInstallRows
  package typealias Choice = NoChoice
  package static let profileKind = ImportProfile.Kind.installs

  package static func warnings(
    _ rows: GatheredRows<OwnInstallsRow>, _ stored: () throws -> [OwnInstallsRow], _ reader: LedgerReader
  ) throws -> [Sentence] {
    var apps: Set<AppID> = []
    try rows.forEachChunk { apps.formUnion($0.map(\.app)) }
    return try ImportCheck(reader).warnings(ofApps: apps)
  }
}
