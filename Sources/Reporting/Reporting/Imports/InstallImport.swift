package import Intake
package import Ledger

/// The import of installs that an advertiser counted itself.
package enum InstallImport: ReferenceImport {
  package typealias Listed = OwnInstallRows
  package typealias Choice = NoChoice

  package static let columns = "date, app and installs"
  package static let noun = (one: "day and app of installs", many: "days and apps of installs")

  package static func read(_ bytes: [UInt8], _ choice: NoChoice, _ mistakes: inout ReferenceMistakes)
    throws(ReferenceFileError) -> [OwnInstallsRow]
  {
    try ReferenceFile.installs(bytes, &mistakes)
  }

  package static func unmatched(_ rows: [OwnInstallsRow], _ choice: NoChoice, _ reader: LedgerReader) throws
    -> [Unmatched]
  {
    []
  }

  package static func warnings(
    _ rows: [OwnInstallsRow], _ stored: () throws -> [OwnInstallsRow], _ reader: LedgerReader
  ) throws -> [String] {
    try ImportCheck(reader).warnings(rows)
  }
}
