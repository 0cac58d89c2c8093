import Foundation
import Testing

/// The root of the package.
private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

struct `The threat model` {
  @Test func `The threat model names tests that exist`() throws {
    let page = try String(
      contentsOf: root.appending(path: "docs/threat-model.md"), encoding: .utf8)
    let tests = try #require(
      FileManager.default.enumerator(at: root.appending(path: "Tests"), includingPropertiesForKeys: nil)
    )
    .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    // Names of tests are sentences; code, codes and commands between the same marks are not.
    let names = page.matches(of: /`([A-Za-z0-9][^`\n]* [^`\n]+)`/).map { String($0.1) }
      .filter { !$0.hasPrefix("skan ") }
    #expect(names.count > 40)
    #expect(names.filter { !tests.contains("func `\($0)`") } == [])
  }
}
