import CSVText
import JSONText
public import Ledger
import Platform
import Postbacks

/// Conversions that were told differently in two valid copies, and how often each network's are.
public struct ConflictReport: Sendable {
  /// The conversions, in order of arrival.
  public let rows: [Contradiction]
  /// How many conversions of each network were told more than once, and how many of those differently.
  public let rates: [ContradictionRate]
  /// Where the next part begins; nil where this one is the last.
  public let next: RowPlace?
  private let isFirst: Bool

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - query: Which conversions, by their first copy.
  ///   - page: Which part; all of it where there is none.
  ///   - reader: The ledger.
  /// - Throws: ``LedgerError``.
  public init(
    _ query: PostbackQuery, page: PageRequest? = nil, from reader: LedgerReader
  ) throws(LedgerError) {
    let start = page?.after ?? RowPlace()
    let limit = page?.limit ?? .max
    isFirst = page?.after == nil
    var found: [Contradiction] = []
    var rates: [ContradictionRate] = []
    var isWhole = true
    try reader.consistently { () throws(LedgerError) in
      try reader.forEachContradiction(query, after: (start.row, start.part)) { row in
        isWhole = found.count < limit
        if isWhole { found.append(row) }
        return isWhole
      }
      rates = try reader.contradictionRates(query)
    }
    rows = found
    self.rates = rates
    next = isWhole ? nil : found.last.map { RowPlace(row: $0.row, part: $0.sighting) }
  }

  private static let columns = [
    "id", "network", "app", "campaign", "window", "fields", "first-received-at", "first-route", "first-value",
    "other-received-at", "other-route", "other-value", "times",
  ]

  /// The report in one of the formats; it ends with a line break.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - next: What names the place of the next part to whoever reads it.
  /// - Returns: The text; parts of CSV and NDJSON that are put together are the whole report.
  public func text(_ format: OutputFormat, next: String? = nil) -> String {
    switch format {
    case .table: return table
    case .csv:
      return (isFirst ? CSV.line(Self.columns.map { .string($0) }) : "")
        + rows.map { CSV.line(cells($0).map { .string($0) }) }.joined()
    case .ndjson: return rows.map { object($0).text() + "\n" }.joined()
    case .json:
      var members: [JSONOutput.Member] = [
        .init("conflicts", .array(rows.map(object))),
        .init(
          "networks",
          .array(
            rates.map {
              [
                "network": .string($0.network), "copied": .integer($0.copied),
                "contradicted": .integer($0.contradicted),
              ]
            })),
      ]
      if let next { members.append(.init("next", .string(next))) }
      return JSONOutput.object(members).text(pretty: true) + "\n"
    }
  }

  private func cells(_ row: Contradiction) -> [String] {
    [
      row.identifier, row.network, "\(row.app.number)", row.campaign, "\(row.window.rawValue)",
      row.fields.joined(separator: " "), "\(row.first.receivedAt)", route(row.first.origin),
      value(row.first.body), "\(row.other.receivedAt)", route(row.other.origin), value(row.other.body),
      "\(row.times)",
    ]
  }

  private func route(_ origin: Origin) -> String {
    origin.name.isEmpty ? origin.route.rawValue : "\(origin.route.rawValue) \(origin.name)"
  }

  /// The value that a body claims, as people write it.
  private func value(_ body: [UInt8]) -> String {
    switch PostbackReading(body).postback?.claimed.value {
    case .fine(let value): "\(value.number)"
    case .coarse(let value): value.rawValue
    case .absent: "none"
    case .refused: "impossible"
    case nil: ""
    }
  }

  private func object(_ row: Contradiction) -> JSONOutput {
    func object(_ copy: Contradiction.Copy) -> JSONOutput {
      [
        "received-at": .string("\(copy.receivedAt)"), "route": .string(route(copy.origin)),
        "value": .string(value(copy.body)), "body": .string(String(decoding: copy.body, as: UTF8.self)),
      ]
    }
    return [
      "id": .string(row.identifier), "network": .string(row.network), "app": .integer(row.app.number),
      "campaign": .string(row.campaign), "window": .integer(Int64(row.window.rawValue)),
      "fields": .array(row.fields.map { .string($0) }), "first": object(row.first),
      "other": object(row.other), "times": .integer(row.times),
    ]
  }

  private var table: String {
    guard !rows.isEmpty else { return "no conflicts\n" + rateLines }
    var table = TextTable([
      .init("id"), .init("network"), .init("fields"), .init("counts"), .init("by"), .init("other"),
      .init("by"),
    ])
    for row in rows {
      let cells = cells(row).map(printable)
      table.add([cells[0], cells[1], cells[5], cells[8], cells[7], cells[11], cells[10]])
    }
    return table.text + rateLines
  }

  private var rateLines: String {
    rates.map {
      "\(printable($0.network)): \($0.contradicted) of \($0.copied) conversions with copies were told differently\n"
    }.joined()
  }
}
