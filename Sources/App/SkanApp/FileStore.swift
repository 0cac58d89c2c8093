public import Foundation
public import SkanMapping

/// Keeps the state in files of a folder, one for each item; each is replaced as a whole.
public struct FileStore: StateStore, Sendable {
  private let folder: URL

  /// Makes the folder where there is none.
  ///
  /// On Apple's systems the folder stays out of backups: conversions belong to one device, and another one that is set up
  /// from its backup has none of them.
  ///
  /// - Parameter folder: A folder for this alone, such as one in Application Support.
  /// - Throws: What the system throws where the folder cannot be made.
  public init(folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #if canImport(Darwin)
      var place = folder
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try place.setResourceValues(values)
    #endif
    self.folder = folder
  }

  /// Takes the folder `skan` of the app's Application Support.
  public init() throws {
    let support = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    try self.init(folder: support.appendingPathComponent("skan", isDirectory: true))
  }

  public func load(_ item: String) throws -> [UInt8]? {
    do {
      return [UInt8](try Data(contentsOf: place(item)))
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    }
  }

  public func save(_ bytes: [UInt8], as item: String) throws {
    try Data(bytes).write(to: place(item), options: .atomic)
  }

  public func remove(_ item: String) throws {
    do {
      try FileManager.default.removeItem(at: place(item))
    } catch let error as CocoaError where error.code == .fileNoSuchFile {}
  }

  private func place(_ item: String) -> URL { folder.appendingPathComponent(item, isDirectory: false) }
}
