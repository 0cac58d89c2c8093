import Foundation
import Testing

/// Compares text with the file `Golden/<name>` beside the test.
///
/// With `UPDATE_GOLDEN=1` in the environment the file is rewritten instead.
public func expectGolden(
  _ actual: String, _ name: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let path = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden/\(name)")
  if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(actual.utf8).write(to: path, options: .atomic)
    return
  }
  let expected = try String(decoding: Data(contentsOf: path), as: UTF8.self)
  #expect(
    actual == expected, "differs from Golden/\(name); UPDATE_GOLDEN=1 rewrites it",
    sourceLocation: sourceLocation)
}
