import Arguments
import System

/// `skan manual`: prints pages for man.
enum ManualCommand {
  static let entry = Entry(
    command: Command(
      "manual", "Print a manual page.",
      discussion: [
        "The page is in roff; `man -l -` displays it. The page of the program is skan(1); the page of a "
          + "command has its words joined by hyphens, such as skan-report-campaigns(1)."
      ],
      examples: [
        .init("Read one", "skan manual report campaigns | man -l -"),
        .init("Install all pages for the current user", "skan manual --out ~/.local/share/man/man1"),
      ],
      positionals: [
        Positional(
          "COMMAND", .text, "A command; none for the program.", isRequired: false,
          isRepeatable: true)
      ],
      options: [.value("--out", "DIR", .path, "Folder to write every page to.")]),
    run: run)

  static func run(_ call: Invocation) throws -> ExitCode {
    // The words of a command are those that help takes, with the same hints where they are misspelt.
    guard case .help(let path) = try call.program.read(["help"] + call.settings.positionals) else {
      preconditionFailure("the word help asks for help")
    }
    guard let out = call.settings.text("--out") else {
      call.console.write(page(path, of: call.program))
      return .done
    }
    guard path.isEmpty else {
      throw CommandError(
        .usage, "'--out' writes all pages, found the command '\(path.joined(separator: " "))' too",
        remedy: "use either '--out' or a command")
    }
    for topic in call.program.manualTopics {
      let file = "\(out)/\(call.program.manualName(of: topic)).1"
      try AtomicFile.write(Array(page(topic, of: call.program).utf8), to: file)
    }
    call.console.note("wrote \(call.program.manualTopics.count) pages to '\(out)'")
    return .done
  }

  private static func page(_ path: [String], of program: Program) -> String {
    program.manual(on: path, version: skanVersion, date: skanVersionDay)
  }
}
