import Arguments
import System

/// `skan manual`: prints pages for man.
enum ManualCommand {
  static let entry = Entry(
    command: Command(
      "manual", "Print a page of the manual for man.",
      discussion: [
        "The page is roff, which `man -l -` shows. The page of the program is skan(1), that of a command bears its words "
          + "joined by hyphens, such as skan-report-campaigns(1)."
      ],
      examples: [
        .init("Read one", "skan manual report campaigns | man -l -"),
        .init("Install all of them for one person", "skan manual --out ~/.local/share/man/man1"),
      ],
      positionals: [
        Positional(
          "COMMAND", .text, "The words of a command, or none for the program.", isRequired: false,
          isRepeatable: true)
      ],
      options: [.value("--out", "DIR", .path, "Write every page into this folder instead.")]),
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
        .usage, "the option '--out' is for all pages, and '\(path.joined(separator: " "))' asks for one",
        remedy: "leave out one of the two")
    }
    for topic in call.program.manualTopics {
      let file = "\(out)/\(call.program.manualName(of: topic)).1"
      try AtomicFile.write(Array(page(topic, of: call.program).utf8), to: file)
    }
    call.console.note("\(call.program.manualTopics.count) pages are in '\(out)'")
    return .done
  }

  private static func page(_ path: [String], of program: Program) -> String {
    program.manual(on: path, version: skanVersion, date: skanVersionDay)
  }
}
