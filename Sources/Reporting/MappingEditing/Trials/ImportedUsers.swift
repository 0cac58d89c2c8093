import EventFiles
package import Postbacks
import System
package import Values

/// Events files of users that were imported on the pages, one for each app, which mappings can be tried on.
package struct ImportedUsers {
  /// The folder beside the database, which is made with the first file.
  package let path: String

  package init(beside database: String) { path = database + "-users" }

  private static let beginning = "imported-"

  /// The app whose users a sample has; `nil` for a file of the operator's.
  package static func app(of sample: String) -> Int64? {
    guard sample.hasPrefix(beginning) else { return nil }
    return Int64(sample.dropFirst(beginning.count).prefix { $0 != "." })
  }

  /// The sample of an app's users.
  package static func sample(of app: AppID, among names: [String]) -> String? {
    names.first { Self.app(of: $0) == app.number }
  }

  /// Keeps an events file, in the place of an earlier one of the app.
  ///
  /// - Parameter currency: The currency of amounts that name none.
  /// - Returns: The sample's name.
  /// - Throws: `CommandError` where no user can be read, and `FileError`; then an earlier file is still there.
  package func keep(_ bytes: [UInt8], of app: AppID, currency: CurrencyCode?) throws -> String {
    try Self.check(bytes, currency)
    let isJSON = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    // What users did is for this service alone.
    let folder = try Folder(making: path, mode: 0o700)
    let name = "\(Self.beginning)\(app.number).\(isJSON ? "ndjson" : "csv")"
    let file = try AtomicFile("\(folder.path)/\(name)", mode: 0o600)
    try file.write(bytes)
    try file.commit()
    for mark in try folder.files(endingWith: "") where Self.app(of: mark.name) == app.number {
      if mark.name != name { try folder.remove(mark.name) }
    }
    return name
  }

  private static func check(_ bytes: [UInt8], _ currency: CurrencyCode?) throws {
    var reader = PopulationReader(currency: currency)
    reader.mistakes = .skip
    var rest: [UInt8]? = bytes
    let population: Population
    do {
      population = try reader.read {
        defer { rest = nil }
        return rest
      }
    } catch let error as EventFileError {
      throw CommandError(.data, "line \(error.line): \(error.sentence)", remedy: error.cure?.english)
    }
    guard population.users > 0 else { throw CommandError(.data, "no row of the file can be used") }
  }

  /// Deletes the file of an app; one that is not there is no error.
  package func remove(of app: AppID) throws {
    guard let folder = try? Folder(path) else { return }
    for mark in try folder.files(endingWith: "") where Self.app(of: mark.name) == app.number {
      try folder.remove(mark.name)
    }
  }
}
