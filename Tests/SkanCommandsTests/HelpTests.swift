import TestSupport
import Testing

@testable import SkanCommands

struct `The help` {
  @Test func `of the program and of every command is as agreed`() throws {
    try expectGolden(skan("help").output, "help.txt")
    for entry in entries {
      let name = entry.command.path.joined(separator: "-")
      let help = run(entry.command.path + ["--help"])
      #expect(help.code == .done)
      try expectGolden(help.output, "help-\(name).txt")
    }
  }

  private func run(_ words: [String]) -> Outcome {
    words.count == 2 ? skan(words[0], words[1]) : skan(words[0], words[1], words[2])
  }

  @Test func `gives the version`() { #expect(skan("--version").output == "skan 0.1.0\n") }

  @Test func `suggests what a misspelt command meant`() {
    let outcome = skan("verfy")
    #expect(outcome.code == .usage)
    #expect(outcome.errors.hasPrefix("skan: There is no command 'verfy'. Did you mean 'verify'?"))
    #expect(skan("simulate").code == .usage)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `has completions for a shell`(shell: String) {
    let outcome = skan("completions", shell)
    #expect(outcome.code == .done)
    #expect(outcome.output.contains("trust-test-keys"))
  }
}
