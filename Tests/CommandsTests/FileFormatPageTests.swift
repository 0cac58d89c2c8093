@testable import Commands
import Foundation
import TestSupport
import Testing

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

struct `A page of a file format` {
  @Test func `A page of a file format exists for each section of the document`() throws {
    let document = try String(
      contentsOf: root.appending(path: "docs/reference/file-formats.md"), encoding: .utf8)
    let marks = document.matches(of: /\n## .*\n<!-- manual: skan-([a-z]+): (.*) -->\n/)
    #expect(marks.map { String($0.1) }.contains("mapping"))
    #expect(marks.count == document.matches(of: /\n##\s/).count)
    let folder = try TemporaryFolder()
    #expect(skan("manual", "5", "--quiet", "--out", folder.path).code == .done)
    let program = skan("manual").output
    for mark in marks {
      #expect(program.contains(".BR skan\\-\(mark.1) (5)"))
      let page = skan("manual", "5", String(mark.1))
      #expect(page.code == .done && page.output.hasPrefix(".TH \"SKAN\\-\(mark.1.uppercased())\" 5 "))
      #expect(page.output.replacing("\\-", with: "-").replacing("\\(aq", with: "'").contains(String(mark.2)))
      let file = folder.file("skan-\(mark.1).5")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == page.output)
    }
    // Members come from the schema, whose every name is on the page.
    for name in ["effective-from", "measurement-window-hours", "first-value", "since-install"] {
      #expect(skan("manual", "5", "mapping").output.contains(name.replacing("-", with: "\\-")))
    }
  }

  @Test(arguments: ManualFormatter.all(mandocLevel: "warning"))
  func `A page of a file format is accepted by the formatters that are installed`(formatter: ManualFormatter)
    throws
  {
    let folder = try TemporaryFolder()
    #expect(skan("manual", "5", "--quiet", "--out", folder.path).code == .done)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let result = try Subprocess.run(formatter.path, formatter.words + [folder.file(name)])
      #expect(result.exitCode == 0 && result.output.isEmpty && result.errors.isEmpty, "\(name): \(result)")
    }
  }
}
