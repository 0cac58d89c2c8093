import Arguments
import TestSupport
import Testing

@Suite struct `The help` {
  @Test(arguments: [[], ["serve"], ["mapping"], ["mapping", "check"], ["report", "campaigns"]])
  func `The help begins with examples`(path: [String]) throws {
    try expectGolden(
      sample.help(on: path), "help-\(path.isEmpty ? "program" : path.joined(separator: "-")).txt")
  }

  @Test func `The help of a group lists its commands with their summaries`() throws {
    guard case .group(let group) = try read("help other") else {
      Issue.record("no group")
      return
    }
    try expectGolden(sample.help(on: group), "help-group.txt")
    #expect(try read("help environment") == .environment)
    #expect(sample.environmentHelp().contains("SKAN_DATABASE"))
  }

  @Test(arguments: [40, 60, 80, 100])
  func `The help fits the terminal`(columns: Int) throws {
    for path in [[]] + sample.commands.map(\.path) {
      for line in sample.help(on: path, columns: columns).split(separator: "\n") {
        // Command lines are never broken, so that they can be copied.
        let isCommandLine = line.hasPrefix("    $ ") || line.hasPrefix("Usage: ")
        #expect(line.count <= columns || isCommandLine, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  @Test func `The help has examples that parse`() throws {
    let examples = sample.commands.flatMap(\.examples).filter { $0.line.hasPrefix("skan ") }
    #expect(examples.count > 3)
    for example in examples {
      guard case .run = try sample.read(example.line.split(separator: " ").dropFirst().map(String.init))
      else {
        Issue.record("\(example.line)")
        continue
      }
    }
  }
}
