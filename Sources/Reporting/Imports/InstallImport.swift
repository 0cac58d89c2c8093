package import Intake
package import Ledger

/// The import of installs that an advertiser counted itself.
package enum InstallImport: ReferenceImport {
  package typealias Listed = OwnInstallRows
  package typealias Choice = NoChoice
  package static let profileKind = ImportProfile.Kind.installs

  package static func warnings(
    _ rows: [OwnInstallsRow], _ stored: () throws -> [OwnInstallsRow], _ reader: LedgerReader
  ) throws -> [String] {
    try ImportCheck(reader).warnings(ofApps: rows.map(\.app))
  }
}
