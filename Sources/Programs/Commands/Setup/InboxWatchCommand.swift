import Arguments
import Explanations
import JSONText
import Ledger
import Postbacks
import System
import Tables
import Values
import Verification

/// `skan inbox watch`: shows what arrives at test inboxes.
enum InboxWatchCommand {
  enum Options {
    static let inbox = TypedOption<Int?>.value(
      "--inbox", "N", .integer(1...(.max)), "Number of one inbox in `skan token list`.",
      defaultNote: "all inboxes")
    static let since = TypedOption<Instant?>.value(
      "--since", "TIME", .time, "Start of the time that is shown.", defaultNote: "an hour ago")
    static let count = TypedOption<Int?>.value(
      "--count", "N", .integer(1...(.max)), "Number of arrivals after which to end.", defaultNote: "no end")
    static let wait = TypedOption<Bool>.flag(
      "--wait", "Wait for further arrivals, until Ctrl-C.", isNegatable: true)
  }

  static let entry = Entry(
    command: Command(
      "inbox watch", "Show what arrives at test inboxes.",
      discussion: [
        "Each arrival has its verdict, its facts, what its value means by the loaded mappings, and what is missing, with "
          + "the possible reasons. Rejected bodies and production postbacks are shown too; a test inbox stores "
          + "only postbacks of development and test keys. skan keeps the newest 500 arrivals of each inbox.",
        "With --format json, each arrival is one JSON object on a line.",
      ],
      examples: [
        .init("Wait for postbacks of a phone", "skan inbox watch -d skan.db"),
        .init("Print what is there", "skan inbox watch -d skan.db --no-wait --since 2026-11-01"),
      ],
      options: [
        .database(), Options.inbox.option, Options.since.option, Options.count.option, Options.wait.option,
        .format(["text", "json"]),
      ]), signals: .heed, run: run)

  private static let pause: UInt32 = 300_000

  private static func run(_ call: Invocation) throws -> ExitCode {
    let path = try call.existingDatabase()
    let inbox = call[Options.inbox].map { Int64($0) }
    let since = call[Options.since] ?? call.world.clock() + -Hour.milliseconds
    let isJSON = call.format == .json
    var last: Int64 = 0
    var left = call[Options.count] ?? .max
    if call[Options.wait] { call.console.note("waiting for arrivals at test inboxes; Ctrl-C ends it") }
    while true {
      let messages = try naming("cannot read the database '\(path)'") {
        try LedgerReader(path: path).inboxMessages(of: inbox, after: last, since: since)
      }
      for message in messages.prefix(left) {
        call.console.write(isJSON ? message.json.text() + "\n" : text(message, call.console))
      }
      call.console.output.flush()
      left -= messages.count
      last = messages.last?.arrival.id ?? last
      guard call[Options.wait], left > 0, !call.interruption.isRequested else { return .done }
      rest(microseconds: pause)
      if call.interruption.isRequested { return .done }
    }
  }

  /// An arrival for people, with an empty line behind it.
  private static func text(_ message: InboxMessage, _ console: Console) -> String {
    let arrival = message.arrival
    let isGood = arrival.state == .valid && arrival.environment != .production
    let verdict = console.paint(
      ([arrival.state.rawValue, arrival.environment?.rawValue].compactMap { $0 }).joined(separator: ", "),
      isGood ? .green : .red)
    var text = "\(arrival.receivedAt)  inbox \(arrival.inbox)  \(verdict)\n"
    func line(_ name: String, _ content: String) {
      text += "  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + printable(content) + "\n"
    }
    if let reason = arrival.reason { line("reason", reason) }
    for fact in message.facts { line(fact.name, fact.text) }
    for meaning in message.meaning {
      line(meaning.fact == .value ? "meaning" : meaning.fact.rawValue, meaning.text.english)
    }
    for warning in message.warnings { line("warning", warning) }
    for missing in message.missing { line("missing", missing) }
    switch arrival.stored {
    case "first": line("stored", "in the environment \(arrival.environment?.rawValue ?? "")")
    case "copy": line("stored", "as a further copy of a stored postback")
    case "conflict": line("stored", "as a copy that conflicts with a stored postback")
    default: line("stored", "here only")
    }
    return text + "\n"
  }
}
