package import Arguments
package import Campaigns
package import Ledger
package import Tables
import Values

/// How far relays have passed postbacks on.
package struct RelayListing: Report {
  package init() {}

  package struct Row: Sendable {
    let state: RelayState
    let backlog: RelayBacklog
    let pace: RelayPace
    let deadLetters: Int64
    let retrying: Int64
    let now: Instant

    var lagSeconds: Int64? { backlog.oldest.map { max(0, now.milliseconds - $0.milliseconds) / 1000 } }

    var condition: String {
      state.removedAt != nil ? "removed" : state.failingSince != nil ? "failing" : "working"
    }
  }

  /// Statuses from 400 to 499 after which the same postback is sent again: who may send, and when, is no matter of the
  /// one postback.
  package static let retried = [401, 403, 407, 408, 425, 429]

  package static let name = "relays"
  package static let command = "relay status"
  package static let path = "/v1/relays"
  package static let summary = "List relays, how far each one is behind, and why."
  package static let discussion = [
    "`relays` of the configuration file passes genuine postbacks on; `skan serve` does it. A relay sends eight at a "
      + "time, or as many as its `parallel` asks for, and starts with those that arrive after it was added. "
      + "An address that does not answer, or answers \(retried.map(String.init).joined(separator: ", ")) or 5xx, is tried "
      + "again after one second, two seconds and so on up to 15 minutes, or after its Retry-After. After nine days "
      + "without an accepted postback, each further attempt that fails puts one postback aside. A postback that is answered with another "
      + "4xx is tried once more after a minute and then given up: `skan relay dead` lists those.",
    "A relay that is no longer in the configuration file keeps its place, and goes on there when it is back.",
  ]
  package static let examples: [Command.Example] = [
    .init("List the relays of a service", "skan relay status -d skan.db")
  ]
  package static let parameters: [Parameter<Self>] = []

  package static let columns: [Column<Row>] = [
    Column("relay", "relay", "Name of the relay in the configuration file.") { Identifier($0.state.name) },
    Column("to", "to", "Address without its path.") { Identifier($0.state.place) },
    Column(
      "condition", "condition",
      "working; failing: the last attempt failed; removed: the configuration file has it no longer.",
      \.condition),
    Column("waiting", "waiting", "Stored postbacks that it has not dealt with yet.", \.backlog.waiting),
    Column(
      "lag-seconds", "lag (s)", "Age of the oldest of them in seconds; none if none waits.", none: "–",
      \.lagSeconds),
    Column(
      "per-second", "a second",
      "Postbacks that its address accepted a second lately, over two minutes at most; none within its first seconds.",
      none: "–"
    ) { $0.pace.accepted.map { ExpectedCount($0) } },
    Column(
      "caught-up-at", "caught up",
      "When none waits any more if it goes on like that and as many arrive; none if none waits, or ever more.",
      none: "–", \.pace.caughtUpAt),
    Column("delivered", "delivered", "Postbacks that its address accepted.", \.state.delivered),
    Column(
      "delivered-at", "last delivered", "When its address accepted one last; none for never.", none: "never",
      \.state.deliveredAt),
    Column("attempts", "failed attempts", "Attempts that failed since one was accepted.", \.state.attempts),
    Column(
      "failing-since", "failing since", "Since when every attempt has failed.", shown: .forPrograms,
      \.state.failingSince),
    Column(
      "next-at", "next attempt", "No attempt before that; none for now.", shown: .whereUseful, \.state.nextAt),
    Column("failure", "last error", "Why the last attempt failed.", shown: .whereUseful, \.state.failure),
    Column(
      "retrying", "retrying", "Declined postbacks that are tried once more.", shown: .forPrograms, \.retrying),
    Column("dead-letters", "dead letters", "Postbacks that it has given up.", \.deadLetters),
  ]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let counts = try source.reader.deadLetterCounts()
    var rows = Rows.held(
      try source.reader.relays().map { state in
        let backlog = try source.reader.relayBacklog(after: state.cursor)
        return Row(
          state: state, backlog: backlog,
          pace: try source.reader.relayPace(of: state, backlog, now: source.now),
          deadLetters: counts[state.name]?.dead ?? 0, retrying: counts[state.name]?.retrying ?? 0,
          now: source.now)
      }, key: { $0.state.name })
    rows.noteIfEmpty = Sentence("no relays; add `relays` to the configuration file of `skan serve`")
    return rows
  }
}

/// Postbacks that relays have given up, or try once more.
package struct DeadLetterListing: Report {
  /// The relay; `nil` for all.
  package var relay: String?

  package init() {}

  package static let name = "dead-letters"
  package static let command = "relay dead"
  package static let path = "/v1/relays/dead-letters"
  package static let summary = "List postbacks that relays could not deliver."
  package static let discussion = [
    "The postbacks themselves stay in the database. `skan relay retry NAME --dead-letters` sends those of a relay again."
  ]
  package static let examples: [Command.Example] = [
    .init("List what one relay gave up", "skan relay dead -d skan.db --relay partner")
  ]
  package static let pageSize: Int? = 1000
  package static let isStreamed = true
  package static let parameters: [Parameter<Self>] = [
    .init("relay", \.relay, "Name of the relay.", as: .init(defaultNote: "all"))
  ]

  package static let columns: [Column<DeadLetter>] = [
    Column("relay", "relay", "Name of the relay.") { Identifier($0.relay) },
    Column("postback", "postback", "Row of the postback, which receivers got as Skan-Delivery.") {
      letter in
      Identifier(letter.copy.map { "\(letter.postback)-\($0)" } ?? "\(letter.postback)")
    },
    Column("received-at", "arrived", "When the postback arrived.", \.receivedAt),
    Column("failed-at", "failed", "When the last attempt failed.", \.failedAt),
    Column("status", "status", "Status of the last answer; none without an answer.", none: "–") { letter in
      letter.status.map { Int64($0) }
    },
    Column("reason", "reason", "Why it was not accepted.", \.reason),
    Column(
      "next-at", "next attempt", "When it is tried again; none if it is given up.", none: "given up", \.nextAt
    ),
  ]

  package func rows(from source: ReportSource) throws -> Rows<DeadLetter> {
    let relay = relay
    var rows = Rows<DeadLetter>.stream {
      $0.id
    } _: { (place: Int64?, body) in
      var last = place ?? 0
      while true {
        let letters = try source.reader.deadLetters(of: relay, after: last, atMost: 1000)
        for letter in letters where !body(letter) { return }
        guard letters.count == 1000, let end = letters.last?.id else { return }
        last = end
      }
    }
    rows.noteIfEmpty = Sentence("no dead letters")
    return rows
  }
}
