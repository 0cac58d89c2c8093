package import Values

/// Why a folder cannot be exported to.
package enum ExportError: UserFacingError, Equatable, CustomStringConvertible {
  /// The folder has something that is not part of an export.
  case foreign(folder: String, name: String)
  case busy(folder: String)
  case otherEnvironment(folder: String, found: String, asked: String)
  /// The database does not have the last postback that was exported.
  case otherDatabase(folder: String, row: Int64)
  case newerLayout(folder: String, found: Int64, known: Int64)

  package var exitCode: ExitCode {
    switch self {
    case .foreign, .otherEnvironment, .otherDatabase, .newerLayout: .data
    case .busy: .unavailable
    }
  }

  package var description: String {
    switch self {
    case .foreign(let folder, let name):
      "cannot export to '\(folder)': found '\(printable(name))', which is not part of an export of skan"
    case .busy(let folder): "cannot export to '\(folder)': another export to it is running"
    case .otherEnvironment(let folder, let found, let asked):
      "cannot export \(asked) postbacks to '\(folder)': it has an export of \(printable(found)) postbacks"
    case .otherDatabase(let folder, let row):
      "cannot continue the export in '\(folder)': the database does not have its last postback (row \(row))"
    case .newerLayout(let folder, let found, let known):
      "cannot continue the export in '\(folder)': its manifest has layout \(found), this program knows \(known)"
    }
  }

  package var remedy: String? {
    switch self {
    case .foreign: "name an empty or new folder, or move the file away"
    case .busy: "wait until it ends, and run the command again"
    case .otherEnvironment: "name another folder, or use --restart to replace the export"
    case .otherDatabase:
      "name the database that was exported before; after restoring a backup use --restart to export everything again"
    case .newerLayout: "use the newer version of skan, or another folder"
    }
  }
}
