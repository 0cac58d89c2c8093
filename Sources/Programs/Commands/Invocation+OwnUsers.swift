import Arguments
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

extension Invocation {
  /// The app that `--app` names, and the versions of its mapping in the database.
  ///
  /// - Throws: ``CommandError`` of exit code 65 where the app has none.
  func mappingHistory() throws -> (app: AppID, history: MappingHistory) {
    let number = Int64(settings.integer("--app") ?? 0)
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
    let days = settings.texts("--horizon").flatMap { $0.split(separator: ",") }.compactMap { Int($0) }
    return Set(days).sorted().map { .days($0) }
  }
}

extension WorthHorizon {
  var text: String {
    switch self {
    case .firstWindow: "window-1"
    case .days(let days): "\(days)d"
    }
  }
}
