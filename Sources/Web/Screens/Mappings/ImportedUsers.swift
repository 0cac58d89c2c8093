import Pages
import Postbacks
import System

/// Events files of users that were imported on the pages, one for each app, which mappings can be tried on.
struct ImportedUsers {
  /// The folder, which is made with the first file.
  let path: String

  init(_ context: ScreenContext) { path = context.usersFolder }

  private static let beginning = "imported-"

  /// The app whose users a sample has; `nil` for a file of the operator's.
  static func app(of sample: String) -> Int64? {
    guard sample.hasPrefix(beginning) else { return nil }
    return Int64(sample.dropFirst(beginning.count).prefix { $0 != "." })
  }

  /// The sample of an app's users.
  static func sample(of app: AppID, among names: [String]) -> String? {
    names.first { Self.app(of: $0) == app.number }
  }

  /// Keeps an events file, in the place of an earlier one of the app.
  ///
  /// - Returns: The sample's name.
  func keep(_ bytes: [UInt8], of app: AppID) throws -> String {
    let isJSON = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    let folder = try Folder(making: path)
    try remove(of: app.number)
    let name = "\(Self.beginning)\(app.number).\(isJSON ? "ndjson" : "csv")"
    // What users did is for this service alone.
    let file = try AtomicFile("\(folder.path)/\(name)", mode: 0o600)
    try file.write(bytes)
    try file.commit()
    return name
  }

  /// Deletes the files of all apps but those.
  func keepOnly(_ apps: Set<Int64>) throws {
    guard let folder = try? Folder(path) else { return }
    for app in try folder.files(endingWith: "").compactMap({ Self.app(of: $0.name) })
    where !apps.contains(app) {
      try remove(of: app)
    }
  }

  func remove(of app: Int64) throws {
    guard let folder = try? Folder(path) else { return }
    for mark in try folder.files(endingWith: "") where Self.app(of: mark.name) == app {
      try folder.remove(mark.name)
    }
  }
}
