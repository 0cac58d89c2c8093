import Arguments
import Foundation
import TestSupport
import Testing

@Suite struct `A completion script` {
  @Test(arguments: Shell.allCases)
  func `A completion script is accepted by its shell`(shell: Shell) throws {
    let script = sample.completions(for: shell)
    for command in sample.commands {
      for option in command.options where shell == .bash { #expect(script.contains(option.name)) }
    }
    let path = ["/bin/\(shell.rawValue)", "/usr/bin/\(shell.rawValue)"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    // bash is part of every Debian; the other two are checked where they are installed.
    guard let path else {
      #expect(shell != .bash)
      return
    }
    let folder = try TemporaryFolder()
    let result = try Subprocess.run(path, ["-n", folder.write(script, to: "script")])
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: [Shell.zsh, .fish])
  func `A completion script equals the reviewed file`(shell: Shell) throws {
    try expectGolden(sample.completions(for: shell), "completions.\(shell.rawValue)")
  }

  @Test(arguments: [
    (["ser"], "serve"), (["mapping", ""], "--help check diff"), (["mapping", "d"], "diff"),
    (["serve", "--l"], "--listen"), (["serve", "--no"], "--no-color --no-sync"),
    (["report", "campaigns", "--format", ""], "csv json ndjson table"),
    (["report", "campaigns", "--format", "n"], "ndjson"),
    (["report", "campaigns", "--app", "1", "--fr"], "--from"),
    (["completions", ""], "bash fish zsh"), (["mapping", "check", "a-f"], "a-file"),
    (["serve", "--database", "a-"], "a-file"), (["serve", "--database", ""], "a-file"),
    (["serve", "--listen", ""], ""),
  ])
  func `A completion script completes words in bash`(words: [String], completions: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "a-file")
    let quoted = (["skan"] + words).map { "'\($0)'" }.joined(separator: " ")
    let script =
      sample.completions(for: .bash).replacing("complete -o", with: ": complete -o")
      + "cd '\(folder.path)'; COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); _skan; printf '%s\\n' \"${COMPREPLY[@]}\""
    let result = try Subprocess.run("/bin/bash", ["-c", script])
    #expect(result.errors.isEmpty)
    #expect(
      Set(result.output.split(separator: "\n").map(String.init)).sorted().joined(separator: " ")
        == completions)
  }
}
