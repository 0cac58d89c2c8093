import Arguments
import Ledger
import MappingEditing
import Mappings
import Postbacks
import System
import Values

/// `skan mapping publish`: makes a draft, a file or an earlier version the app's next mapping version.
enum MappingPublishCommand {
  enum Options {
    static let draft = TypedOption<Int?>.value(
      "--draft", "ID", .integer(1...(.max)), "Draft to publish; see `skan mapping drafts`.")
    static let rollBackTo = TypedOption<Instant?>.value(
      "--roll-back-to", "TIME", .time, "Effective date of an earlier version to publish again.")
    static let effectiveFrom = TypedOption<Instant?>.value(
      "--effective-from", "TIME", .time, "Time from which devices use the version.",
      defaultNote: "the document's")
    static let author = TypedOption<String?>.value(
      "--by", "NAME", .text, "Who publishes it.", defaultNote: "the user's login name")
    static let note = TypedOption<String?>.value("--note", "TEXT", .text, "Note for others.")
  }

  static let entry = Entry(
    command: Command(
      "mapping publish", "Publish a draft, a file or an earlier version as an app's next mapping version.",
      discussion: [
        "A published version never changes: skan rejects a date that another version of the app has. "
          + "It keeps who published what and when; `skan mapping history` lists that.",
        "The version is loaded as by `skan mapping load`. With --mappings it becomes a file in that folder, "
          + "which is what `skan serve --mappings DIR` watches.",
        "skan rejects a draft if another user changed the versions of the app since the draft was begun. "
          + "Compare both with `skan mapping diff`, then save the draft again in the editor.",
        "--roll-back-to publishes the text of an earlier version again, with another date.",
        "The exit code is 1 if the version was not published.",
      ],
      examples: [
        .init("Publish a file", "skan mapping publish -d skan.db december.json"),
        .init(
          "Publish a draft from 30 November on",
          "skan mapping publish -d skan.db --draft 7 --effective-from 2026-11-30"),
        .init(
          "Roll back to the version of 1 November",
          "skan mapping publish -d skan.db --app 1000000001 --roll-back-to 2026-11-01 --effective-from 2026-12-05"
        ),
      ],
      positionals: [Positional("FILE", .path, "Mapping file; -: standard input.", isRequired: false)],
      options: [
        .database(), .journal, PublishingOptions.mappings.option, Options.draft.option,
        PublishingOptions.app.option,
        Options.rollBackTo.option, Options.effectiveFrom.option, Options.author.option, Options.note.option,
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let environment = call.console.environment
    let author = call[Options.author] ?? environment["USER"] ?? environment["LOGNAME"] ?? "unknown"
    let order = MappingPublisher.Order(
      effectiveFrom: call[Options.effectiveFrom], by: author, note: call[Options.note] ?? "")
    let now = call.world.clock()
    let outcome: MappingPublisher.Outcome
    switch (call.settings.positionals.first, call[Options.draft], call[Options.rollBackTo]) {
    case (let path?, nil, nil):
      let bytes = try FileReader.contents(of: path, limit: MappingDocument.largestFile)
      outcome = try publisher(call).publish(document: bytes, order, now: now)
    case (nil, let draft?, nil):
      outcome = try publisher(call).publish(draft: Int64(draft), ifMatch: nil, order, now: now)
    case (nil, nil, let date?):
      guard let app = call.appIfAny, order.effectiveFrom != nil else {
        throw call.mistake("'--roll-back-to' requires '--app' and '--effective-from'.")
      }
      outcome = try publisher(call).rollBack(app, to: date, order, now: now)
    default: throw call.mistake("Give a file, '--draft' or '--roll-back-to'.")
    }
    return try report(outcome, call)
  }

  /// A file or a draft may be the first thing in a database.
  private static func publisher(_ call: Invocation) throws -> MappingPublisher {
    let folder = try call[PublishingOptions.mappings].map { try Folder($0) }
    return MappingPublisher(try call.changes(of: call.database), folder: folder)
  }

  private static func report(_ outcome: MappingPublisher.Outcome, _ call: Invocation) throws -> ExitCode {
    let console = call.console
    switch outcome {
    case .published(let publication, let file):
      console.note(
        "published the mapping of app \(publication.app.number) from \(publication.effectiveFrom)"
          + (file.map { " as '\($0)'" } ?? ""))
      return .done
    case .outdated(let contest):
      let other = contest.theirs.map { ": '\(printable($0.source))', from \($0.effectiveFrom)" } ?? ""
      console.problem(
        "another user changed the versions of the app since the draft was begun\(other)",
        remedy: "compare both with `skan mapping diff`, then save the draft again in the editor")
    case .stale(let draft):
      console.problem(
        "\(printable(draft.savedBy)) saved the draft meanwhile", remedy: "run the command again")
    case .dateTaken(let version):
      console.problem(
        "'\(printable(version.source))' is the version of app \(version.app.number) from "
          + "\(version.effectiveFrom) already; a published version never changes",
        remedy: "choose another --effective-from")
    case .broken(let findings):
      for finding in findings {
        let row = FindingRow(file: call.settings.positionals.first ?? "the draft", finding: finding)
        console.errors.write(Array(row.text(console, on: console.errors).utf8))
      }
      console.problem("a mapping with errors is not published", remedy: "correct them")
    case .otherApp(let app):
      console.problem("the document is for app \(app.number)", remedy: "begin a draft for that app")
    case .notLoaded(let reason, let remedy): console.problem(reason.english, remedy: remedy?.english)
    case .missing:
      console.problem(
        "there is no such draft or version",
        remedy: "`skan mapping drafts` and `skan mapping list` list what there is")
    }
    return .failedCheck
  }
}
