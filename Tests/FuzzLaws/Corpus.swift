import Foundation

/// The inputs that are kept in the source tree, `Tests/Corpus/<target>/`.
public enum Corpus {
  /// The folder of a target.
  public static func folder(_ target: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/\(target)")
  }

  /// Returns the inputs of a target, in the order of their names.
  ///
  /// - Throws: What Foundation throws where the folder cannot be read.
  public static func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder(target), includingPropertiesForKeys: nil)
    return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }.map {
      ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0)))
    }
  }
}
