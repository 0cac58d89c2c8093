import Arguments
import EventFiles
import JSONText
import MappingFormats
import Mappings
import Postbacks
import System
import Tables
import Values

/// `skan mapping try`: replays users' events under a mapping.
enum MappingTryCommand {
  enum Options {
    static let type = TypedOption<ConversionType>.choice(
      "--conversion-type", "TYPE", "Conversion type that the events follow; their times count from it.",
      default: .install)
    static let events = RequiredOption<String>.value(
      "--events", "EVENTS", .path, "Events file; -: standard input.")
  }

  static let entry = Entry(
    command: Command(
      "mapping try",
      "Replay users' events, and print the resulting updates and postbacks.",
      discussion: [
        "An events file is CSV with a header or one JSON object per line (NDJSON), gzip-compressed or "
          + "not, with the columns user, time and event, and optionally revenue, currency, campaign and "
          + "installed. Times are RFC 3339 or whole seconds. If no row of a user has an install time, the "
          + "first event is the install. Revenue without a currency is in the mapping's currency. Use "
          + "--columns for other column names.",
        "skan lists events and currencies without a rule on standard error.",
        "All printed times are seconds since install.",
      ],
      examples: [
        .init("Replay events", "skan mapping try mapping.json --events events.csv"),
        .init(
          "Print one JSON object per user",
          "skan mapping try mapping.json --events events.ndjson.gz --format ndjson"),
      ],
      positionals: [.mappingFile()],
      options: [
        Options.events.option
      ] + Option.eventRows + [Options.type.option, .format(["table", "ndjson", "json"])]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let path = call.settings.positionals.first ?? "-"
    let eventsPath = try call[Options.events]
    try call.checkStandardInput([path, eventsPath])
    guard let mapping = try call.mapping(path) else { return .failedCheck }
    let users = try call.users(eventsPath, currency: mapping.currency)
    let type = call[Options.type]
    let console = call.console
    var rows: [Row] = []
    var (updates, postbacks, saturated) = (0, 0, 0)
    if call.format == .json { console.write("[\n") }
    for (index, user) in users.enumerated() {
      let replay = mapping.replay(user.events, type: type)
      updates += replay.updates.count
      postbacks += replay.postbacks.count
      saturated += replay.didSaturate ? 1 : 0
      switch call.format {
      case .ndjson: console.line(json(user, replay, mapping).text())
      case .json: console.write((index > 0 ? ",\n" : "") + json(user, replay, mapping).text())
      case .table, .csv: rows += Self.rows(user, replay, mapping)
      }
    }
    switch call.format {
    case .ndjson: break
    case .json: console.write("\n]\n")
    case .table, .csv: console.write(Table(columns, rows: rows).text(.table))
    }
    console.output.flush()
    if saturated > 0 {
      console.note(
        "the revenue of \(counted(saturated, "user")) exceeds the largest amount and is limited to it")
    }
    for note in UnknownEvents(users, mapping).notes { console.note(note) }
    console.note(
      "\(counted(users.count, "user")), \(counted(updates, "update")), \(counted(postbacks, "postback"))")
    return .done
  }

  private static func json(_ user: UserHistory, _ replay: Mapping.Replay, _ mapping: Mapping)
    -> JSONOutput
  {
    let updates = replay.updates.map { update -> JSONOutput in
      [
        "time": .integer(update.time), "value": update.fine.map { .integer(Int64($0.number)) } ?? .null,
        "coarse": .optional(update.coarse?.rawValue), "lock": .bool(update.lock),
        "rule": .string(mapping.name(of: update.cause)),
      ]
    }
    let postbacks = replay.postbacks.map { postback -> JSONOutput in
      [
        "window": .integer(Int64(postback.window.number)),
        "fine": postback.fine.map { .integer(Int64($0.number)) } ?? .null,
        "coarse": .optional(postback.coarse?.rawValue), "send-earliest": .integer(postback.sendEarliest),
        "send-latest": .integer(postback.sendLatest),
      ]
    }
    return ["user": .string(user.name), "updates": .array(updates), "postbacks": .array(postbacks)]
  }

  /// An update or a postback of a user.
  private struct Row {
    let user: String
    var seconds = ""
    var what = "nothing"
    var value: FineValue?
    var coarse: CoarseValue?
    var locks = false
    var cause = ""
  }

  private static let columns: [Column<Row>] = [
    Column("user", "user", "User of the events.", \.user),
    Column("seconds", "seconds", "Seconds since install.") { NumberCell($0.seconds) },
    Column("what", "what", "update, postback or nothing.", \.what),
    Column("value", "value", "Fine value.") { $0.value.map { Int($0.number) } },
    Column("coarse", "coarse", "Coarse value.") { $0.coarse?.rawValue },
    Column("lock", "lock", "Whether the update locks.") { $0.locks ? "locks" : "" },
    Column("cause", "rule or window", "Rule of the update, or window of the postback.", \.cause),
  ]

  private static func rows(_ user: UserHistory, _ replay: Mapping.Replay, _ mapping: Mapping) -> [Row] {
    let updates = replay.updates.map { update in
      Row(
        user: user.name, seconds: "\(update.time)", what: "update", value: update.fine,
        coarse: update.coarse, locks: update.lock, cause: mapping.name(of: update.cause))
    }
    let postbacks = replay.postbacks.map { postback in
      Row(
        user: user.name, seconds: "\(postback.sendEarliest)-\(postback.sendLatest)", what: "postback",
        value: postback.fine, coarse: postback.coarse, cause: "window \(postback.window.number)")
    }
    return updates.isEmpty && postbacks.isEmpty ? [Row(user: user.name)] : updates + postbacks
  }
}
