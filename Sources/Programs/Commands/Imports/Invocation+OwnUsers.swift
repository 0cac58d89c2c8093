import Arguments
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// The options of commands that learn from the advertiser's own users.
enum OwnUserOptions {
  static let app = RequiredOption<Int>.value(
    "--app", "ID", .integer(1...(.max)), "App Store number of the app.")
  static let events = RequiredOption<String>.value(
    "--events", "EVENTS", .path, "Events file; -: standard input.")
  static let horizon = TypedOption<[Int]>.list(
    "--horizon", "DAYS,...", .integer(1...3_650), "Days since install whose revenue is measured too.",
    defaultNote: "none")
  static let accounts = TypedOption<String?>.value(
    "--accounts", "FILE", .path,
    "File of users and their original-transaction-id; --horizon then counts purchases that Apple signed.")
}

extension Invocation {
  /// The app that `--app` names, and the versions of its mapping in the database.
  ///
  /// - Throws: ``CommandError`` of exit code 65 where the app has none.
  func mappingHistory() throws -> (app: AppID, history: MappingHistory) {
    let number = Int64(try self[OwnUserOptions.app])
    let path = try existingDatabase()
    let catalog = try MappingCatalog(from: reader())
    guard let app = AppID(number), let history = catalog.histories[app] else {
      throw CommandError(
        .data, "found no mapping of app \(number) in '\(path)'",
        remedy: "load one with `skan mapping load`")
    }
    return (app, history)
  }

  /// The days of `--horizon`, each once, rising.
  var horizons: [WorthHorizon] {
    Set(self[OwnUserOptions.horizon]).sorted().map { .days($0) }
  }
}
