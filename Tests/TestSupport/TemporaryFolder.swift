import Foundation

/// An empty folder that is removed with all it holds when the value goes.
public struct TemporaryFolder: ~Copyable {
  /// The folder's absolute path.
  public let path: String

  /// Makes a folder with a name of its own.
  public init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "skan-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Returns the path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file into the folder and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// Writes text into the folder and returns the file's path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Returns what a file in the folder holds.
  public func read(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: file(name))))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
