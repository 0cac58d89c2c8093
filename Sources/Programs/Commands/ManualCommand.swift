import Arguments
import System
import Values

/// `skan manual`: prints pages for man.
enum ManualCommand {
  enum Options {
    static let out = TypedOption<String?>.value(
      "--out", "DIR", .path, "Folder for all pages, or for those of the section.")
  }

  static let entry = Entry(
    command: Command(
      "manual", "Print a manual page.",
      discussion: [
        "Section 1 has a page for the program, skan(1), and one for each command, named by its words with hyphens, such as "
          + "skan-report-campaigns(1). Section 5 has a page for each file format, such as skan-mapping(5).",
        "The output is roff, which `man -l -` shows.",
      ],
      examples: [
        .init("Read the page of a command", "skan manual report campaigns | man -l -"),
        .init("Read the page of a file format", "skan manual 5 mapping | man -l -"),
        .init("Install section 1 for one person", "skan manual 1 --out ~/.local/share/man/man1"),
      ],
      positionals: [
        Positional(
          "TOPIC", .text, "A section, 1 or 5, and the words of a command or the name of a format.",
          isRequired: false, isRepeatable: true)
      ],
      options: [
        Options.out.option
      ]),
    run: run)

  static func run(_ call: Invocation) throws -> ExitCode {
    let topic = try Topic(call.settings.positionals, in: call.program)
    guard let out = call[Options.out] else {
      call.console.write(topic.text(in: call.program))
      return .done
    }
    let pages = try topic.pages(in: call.program)
    for page in pages { try AtomicFile.write(Array(page.text.utf8), to: "\(out)/\(page.file)") }
    call.console.note("\(pages.count) pages are in '\(out)'")
    return .done
  }
}

private enum Topic {
  case all
  case commands
  case command([String])
  case formats
  case format(FileFormatPage)

  /// - Throws: ``CommandError`` or ``UsageError`` for what has no page.
  init(_ words: [String], in program: Program) throws {
    switch words.first {
    case nil: self = .all
    case "1" where words.count == 1: self = .commands
    case "5" where words.count == 1: self = .formats
    case "5":
      let name = words.dropFirst().joined(separator: "-")
      guard let page = FileFormatPage.all.first(where: { [name, "skan-" + name].contains($0.name) }) else {
        let names = FileFormatPage.all.map { $0.name.dropFirst(5) }.joined(separator: ", ")
        throw CommandError(
          .usage, "section 5 of the manual has no page '\(name)'", remedy: "use one of \(names)")
      }
      self = .format(page)
    default:
      // The words of a command are those that help takes, with the same hints where they are misspelt.
      let path = words.first == "1" ? Array(words.dropFirst()) : words
      guard case .help(let path) = try program.read(["help"] + path) else {
        throw CommandError(
          .usage, "the manual has no page '\(path.joined(separator: " "))'",
          remedy: "read it in the page of the program, `skan manual`")
      }
      self = .command(path)
    }
  }

  /// The page; of a section, its first one or an overview.
  func text(in program: Program) -> String {
    switch self {
    case .all, .commands: Self.page([], of: program)
    case .command(let path): Self.page(path, of: program)
    case .formats: FileFormatPage.all.map { $0.text(of: program) }.joined()
    case .format(let page): page.text(of: program)
    }
  }

  func pages(in program: Program) throws -> [(file: String, text: String)] {
    let commands = program.manualTopics.map {
      ("\(program.manualName(of: $0)).1", Self.page($0, of: program))
    }
    let formats = FileFormatPage.all.map { ("\($0.name).5", $0.text(of: program)) }
    switch self {
    case .all: return commands + formats
    case .commands: return commands
    case .formats: return formats
    case .command(let path): throw Self.tooNarrow(path.joined(separator: " "))
    case .format(let page): throw Self.tooNarrow(page.name)
    }
  }

  private static func tooNarrow(_ name: String) -> CommandError {
    CommandError(
      .usage, "the option '--out' writes all pages, and '\(name)' is one page",
      remedy: "leave out one of the two")
  }

  private static func page(_ path: [String], of program: Program) -> String {
    program.manual(on: path, version: skanVersion, date: skanVersionDay)
  }
}
