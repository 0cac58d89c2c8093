@testable import Commands
import Foundation
@testable import Serving
import Testing
import TestSupport

struct `The help` {
  @Test func `The help of the program and of every command equals the reviewed file`() throws {
    var all = skan("help").output
    for topic in allGroups.map(\.name) + ["report", "environment"] {
      all += "\n==== skan help \(topic)\n\n" + skan("help", topic).output
    }
    for entry in allGroups.flatMap(\.entries) {
      let help = run(entry.command.path + ["--help"])
      #expect(help.code == .done)
      all += "\n==== skan \(entry.command.path.joined(separator: " "))\n\n" + help.output
    }
    try expectGolden(all, "help.txt")
  }

  private func run(_ words: [String]) -> Outcome {
    words.count == 2 ? skan(words[0], words[1]) : skan(words[0], words[1], words[2])
  }

  @Test
  func `The help of the program fits a screen, and that of a word that begins commands shows few examples`() {
    #expect(skan("help").output.split(separator: "\n", omittingEmptySubsequences: false).count <= 51)
    for group in allGroups { #expect(skan("help").output.contains("\n  \(group.name) ")) }
    #expect(skan("report", "--help").output == skan("help", "report").output)
    #expect(skan("help", "report").output.split(separator: "\n").count { $0.hasPrefix("    $ ") } == 3)
  }

  @Test func `The help names the group that was meant, and has no command of its name`() {
    #expect(
      skan("help", "exprimnts").errors.hasPrefix(
        "skan: There is no command or group 'exprimnts'. Did you mean"))
    #expect(skan("help", "operat").errors.contains("Did you mean 'operate'?"))
    #expect(skan("operate").code == .usage)
    #expect(skan("operate").errors.contains("See 'skan help operate'."))
    #expect(skan("manual", "operate").errors.contains("the manual has no page 'operate'"))
  }

  @Test func `The help prints the version`() { #expect(skan("--version").output == "skan 0.1.0\n") }

  @Test func `The help suggests what a misspelt command meant`() {
    let outcome = skan("verfy")
    #expect(outcome.code == .usage)
    #expect(outcome.errors.hasPrefix("skan: There is no command 'verfy'. Did you mean 'verify'?"))
    #expect(skan("simulate").code == .usage)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `The help has completions for a shell`(shell: String) {
    let outcome = skan("completions", shell)
    #expect(outcome.code == .done)
    #expect(outcome.output.contains("trust-test-keys"))
  }

  @Test func `The help has a page of the manual for every command`() throws {
    let folder = try TemporaryFolder()
    #expect(skan("manual", "--quiet", "--out", folder.path).code == .done)
    for entry in allGroups.flatMap(\.entries) {
      let name = "skan-" + entry.command.path.joined(separator: "-")
      let page = outcome(of: ["manual"] + entry.command.path)
      #expect(page.code == .done && page.output.hasPrefix(".TH \""))
      #expect(page.output.contains(entry.command.examples.isEmpty ? ".SH" : ".SH EXAMPLES"))
      #expect(try String(contentsOfFile: folder.file(name + ".1"), encoding: .utf8) == page.output)
    }
    #expect(
      try String(contentsOfFile: folder.file("skan.1"), encoding: .utf8) == skan("manual").output)
    #expect(skan("manual", "mapping").output.contains("skan mapping check"))
  }

  @Test func `The help has no page on commands that do not exist`() throws {
    let folder = try TemporaryFolder()
    #expect(skan("manual", "verfy").code == .usage)
    #expect(skan("manual", "verfy").errors.contains("Did you mean 'verify'?"))
    #expect(skan("manual", "mapping", "chek").code == .usage)
    #expect(skan("manual", "5", "maping").errors.contains("use one of mapping, events, config"))
    #expect(skan("manual", "5", "mapping", "--out", folder.path).code == .usage)
    #expect(skan("manual", "verify", "--out", folder.path).code == .usage)
    #expect(skan("manual", "--out", folder.file("none")).code == .inputOutput)
  }
}
