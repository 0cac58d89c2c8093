import Arguments
import Intake
import System
import Tables
import Values

/// `skan profile list` and `skan profile show`: the profiles by which imports read files and streams of other
/// systems.
enum ImportProfileCommand {
  static let entries: [Entry] = [list, show]

  private struct Row {
    let name: String
    let profile: ImportProfile
  }

  private static let list = Entry(
    command: Command(
      "profile list", "List the profiles of other systems' files and record streams.",
      discussion: [
        "A profile states which column of a file, or which member of a record, is which column of skan. Name it with "
          + "--from of an import. `skan profile show` prints one, as a start for your own."
      ],
      examples: [.init("List all profiles", "skan profile list")],
      options: [.format()])
  ) { call in
    let rows = try ImportProfile.builtIn().map { Row(name: $0.name.rawValue, profile: $0.profile) }
    call.print(columns, rows)
    return .done
  }

  private static let columns: [Column<Row>] = [
    Column("name", "profile", "Name of the profile.", \.name),
    Column("imports", "imports", "What it imports.") { $0.profile.kind.rawValue },
    Column("summary", "reads", "What it reads.") { $0.profile.summary },
    Column("source", "source", "Where the form is documented.", shown: .forPrograms) { $0.profile.source },
  ]

  private static let show = Entry(
    command: Command(
      "profile show", "Print a profile of files or record streams.",
      discussion: [
        "The output is the profile's file. Change a copy of it, and give its path to --from of an import."
      ],
      examples: [
        .init("Start a profile of your own", "skan profile show singer:facebook > meta.json")
      ],
      positionals: [Positional("NAME", .text, "Name of the profile.")])
  ) { call in
    let name = call.settings.positionals.first ?? ""
    guard let profile = BuiltInProfile(rawValue: name) else {
      let names = BuiltInProfile.allCases.map(\.rawValue)
      throw call.mistake(
        "There is no profile '\(printable(name))'.",
        hint: nearest(to: name, among: names).map { "Did you mean '\($0)'?" }
          ?? "Use \(names.joined(separator: ", ")).")
    }
    call.console.write(profile.document)
    return .done
  }
}
