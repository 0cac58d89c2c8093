import Arguments
import CSVText
import JSONText
import Ledger
import Platform
import Postbacks
import Reporting
import Verification

/// `skan report conflicts`: conversions that were told differently in two valid copies.
enum ReportConflictsCommand {
  static let entry = Entry(
    command: Command(
      "report conflicts", "Print conversions that were told differently in two valid copies.",
      discussion: [
        "Apple signs neither the conversion value nor the country. Two copies of one conversion whose signatures hold and "
          + "which contradict each other in such a field are evidence that somebody changed one: a device sends the same "
          + "bytes to the network and to the advertiser. Both bodies are kept; --format json prints them.",
        "Below the rows stands, for each network, how many conversions were told more than once, and how many of those "
          + "differently.",
      ],
      examples: [
        .init("All of them", "skan report conflicts -d skan.db"),
        .init("With both bodies", "skan report conflicts -d skan.db --format ndjson"),
      ], options: ReportPostbacksCommand.options), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let query = try ReportPostbacksCommand.query(call)
    let reader = try call.reader()
    var found: [Contradiction] = []
    var rates: [ContradictionRate] = []
    try reader.consistently { () throws(LedgerError) in
      try reader.forEachContradiction(query) {
        found.append($0)
        return true
      }
      rates = try reader.contradictionRates(query)
    }
    let console = call.console
    switch call.format {
    case .table: console.write(table(found, rates))
    case .csv:
      let names = [
        "id", "network", "app", "campaign", "window", "fields", "first-received-at", "first-route",
        "first-value", "other-received-at", "other-route", "other-value", "times",
      ]
      console.write(CSV.line(names.map { .string($0) }))
      for row in found { console.write(CSV.line(cells(row).map { .string($0) })) }
    case .ndjson: for row in found { console.line(json(row).text()) }
    case .json:
      let whole: JSONOutput = [
        "conflicts": .array(found.map(json)),
        "networks": .array(
          rates.map {
            [
              "network": .string($0.network), "copied": .integer($0.copied),
              "contradicted": .integer($0.contradicted),
            ]
          }),
      ]
      console.write(whole.text(pretty: true) + "\n")
    }
    return .done
  }

  private static func cells(_ row: Contradiction) -> [String] {
    [
      row.identifier, row.network, "\(row.app.number)", row.campaign, "\(row.window.rawValue)",
      row.fields.joined(separator: " "), "\(row.first.receivedAt)", route(row.first.origin),
      value(row.first.body), "\(row.other.receivedAt)", route(row.other.origin), value(row.other.body),
      "\(row.times)",
    ]
  }

  private static func route(_ origin: Origin) -> String {
    origin.name.isEmpty ? origin.route.rawValue : "\(origin.route.rawValue) \(origin.name)"
  }

  /// The value that a body claims, as people write it.
  private static func value(_ body: [UInt8]) -> String {
    switch PostbackReading(body).postback?.claimed.value {
    case .fine(let value): "\(value.number)"
    case .coarse(let value): value.rawValue
    case .absent: "none"
    case .refused: "impossible"
    case nil: ""
    }
  }

  private static func json(_ row: Contradiction) -> JSONOutput {
    func copy(_ copy: Contradiction.Copy) -> JSONOutput {
      [
        "received-at": .string("\(copy.receivedAt)"), "route": .string(route(copy.origin)),
        "value": .string(value(copy.body)), "body": .string(String(decoding: copy.body, as: UTF8.self)),
      ]
    }
    return [
      "id": .string(row.identifier), "network": .string(row.network), "app": .integer(row.app.number),
      "campaign": .string(row.campaign), "window": .integer(Int64(row.window.rawValue)),
      "fields": .array(row.fields.map { .string($0) }), "first": copy(row.first), "other": copy(row.other),
      "times": .integer(row.times),
    ]
  }

  private static func table(_ found: [Contradiction], _ rates: [ContradictionRate]) -> String {
    guard !found.isEmpty else { return "no conflicts\n" + rateLines(rates) }
    var table = TextTable([
      .init("id"), .init("network"), .init("fields"), .init("counts"), .init("by"), .init("other"),
      .init("by"),
    ])
    for row in found {
      let cells = cells(row).map(printable)
      table.add([cells[0], cells[1], cells[5], cells[8], cells[7], cells[11], cells[10]])
    }
    return table.text + rateLines(rates)
  }

  private static func rateLines(_ rates: [ContradictionRate]) -> String {
    rates.map {
      "\(printable($0.network)): \($0.contradicted) of \($0.copied) conversions with copies were told differently\n"
    }.joined()
  }
}
