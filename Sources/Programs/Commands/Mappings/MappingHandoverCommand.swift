import Arguments
import JSONText
import Ledger
import MappingEditing
import Mappings
import Postbacks
import System
import Values

/// `skan mapping handover`: prints what the developers of an app need of a mapping.
enum MappingHandoverCommand {
  enum HandoverFormat: String, CaseIterable, ParameterValue { case markdown, json }

  enum Options {
    static let format = TypedOption<HandoverFormat>.choice(
      "--format", "FORMAT", "Output format.", default: .markdown)
  }

  static let entry = Entry(
    command: Command(
      "mapping handover", "Print the rules, calls and test cases of a mapping for app developers.",
      discussion: [
        "skan prints the rules in words, the calls of the library SkanMapping and of Apple's frameworks, and test cases: "
          + "what a user does, and the call that follows. The evaluator that reports decode with computes the calls, so a test that "
          + "fails shows a mistake in the app. The JSON has every call of a user; Markdown has the last one.",
        "Labels and worths of values are not in the text. Without FILE, skan prints the newest version of --app. The page "
          + "for developers shows the same and makes a link that needs no account.",
      ],
      examples: [
        .init("Print a mapping as Markdown", "skan mapping handover mapping.json"),
        .init(
          "Save the test cases of a database's newest version",
          "skan mapping handover -d skan.db --app 1000000001 --format json > handover.json"),
      ],
      positionals: [Positional("FILE", .path, "Mapping file; -: standard input.", isRequired: false)],
      options: [.database(isRequired: false), PublishingOptions.app.option, Options.format.option]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    guard let mapping = try mapping(call) else { return .failedCheck }
    let handover = MappingHandover(mapping)
    switch call[Options.format] {
    case .markdown: call.console.write(handover.markdown)
    case .json: call.console.write(handover.json.text(pretty: true) + "\n")
    }
    return .done
  }

  private static func mapping(_ call: Invocation) throws -> Mapping? {
    switch (call.settings.positionals.first, call.databaseIfAny, call.appIfAny) {
    case (let path?, _, nil): return try call.mapping(path)
    case (nil, _?, let app?):
      let versions = try AppMappings(call.reader(), app: app.number).versions
      guard let newest = versions.last else {
        throw CommandError(
          .failedCheck, "app \(app.number) has no mapping version",
          remedy: "`skan mapping list` lists the versions")
      }
      return newest.mapping
    default: throw call.mistake("Give a file, or '--database' and '--app'.")
    }
  }
}
