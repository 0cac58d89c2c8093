import Foundation
import Testing

/// Compares text with the file `Golden/<name>` beside the test.
///
/// With `UPDATE_GOLDEN=1` in the environment the file is rewritten instead.
public func expectGolden(
  _ actual: String, _ name: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  // A name may lead out of the folder, which a clean checkout need not have.
  let path = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden/\(name)").standardized
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
