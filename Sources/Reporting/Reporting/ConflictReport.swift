import CSVText
import JSONText
package import Ledger
import Postbacks
import System
import Values

/// A part of the conversions that were told differently in two valid copies, and how often each network's are.
package struct ConflictReport: Sendable {
  /// The conversions, in order of arrival.
  package let rows: [Contradiction]
  /// How many conversions of each network were told more than once, and how many of those differently.
  package let rates: [ContradictionRate]
  /// Where the next part begins; nil where this one is the last.
  package let next: RowCursor?
  private let isFirst: Bool

  /// Bytes of bodies that one part holds at most, beside its first row.
  static let mostBytes = 4 << 20

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - query: Which conversions, by their first copy.
  ///   - page: Which part; it has fewer rows than asked for where their bodies are large.
  ///   - reader: The ledger.
  /// - Throws: ``LedgerError``.
  package init(
    _ query: PostbackQuery, page: PageRequest, from reader: LedgerReader
  ) throws(LedgerError) {
    try self.init(query, page: page, from: reader, countsNetworks: { _ in true })
  }

  private init(
    _ query: PostbackQuery, page: PageRequest, from reader: LedgerReader,
    countsNetworks: (_ isLast: Bool) -> Bool
  ) throws(LedgerError) {
    let start = page.after ?? RowCursor()
    isFirst = page.after == nil
    var found: [Contradiction] = []
    var bytes = 0
    var rates: [ContradictionRate] = []
    var isWhole = true
    try reader.consistently { () throws(LedgerError) in
      try reader.forEachContradiction(query, after: (start.row, start.part)) { row in
        bytes += row.bodyBytes
        isWhole = found.count < page.limit && (bytes <= Self.mostBytes || found.isEmpty)
        if isWhole { found.append(row) }
        return isWhole
      }
      if countsNetworks(isWhole) { rates = try reader.contradictionRates(query) }
    }
    rows = found
    self.rates = rates
    next = isWhole ? nil : found.last.map { RowCursor(row: $0.row, part: $0.copy) }
  }

  /// Writes the whole report part by part, so that memory does not grow with it; a table is aligned in parts.
  ///
  /// - Parameters:
  ///   - query: Which conversions, by their first copy.
  ///   - format: The format.
  ///   - reader: The ledger.
  ///   - write: Takes the next piece of the text; `false` ends the report.
  /// - Throws: ``LedgerError``.
  package static func write(
    _ query: PostbackQuery, as format: OutputFormat, from reader: LedgerReader, to write: (String) -> Bool
  ) throws(LedgerError) {
    var place: RowCursor?
    while true {
      let part = try ConflictReport(
        query, page: PageRequest(after: place, limit: 1000), from: reader, countsNetworks: { $0 })
      var text = format == .json ? part.objects : part.text(format)
      if format == .json {
        if part.isFirst { text = opening + text }
        if part.next == nil {
          text += part.closing(behindRows: !(part.isFirst && part.rows.isEmpty), next: nil)
        }
      }
      guard write(text), let next = part.next else { return }
      place = next
    }
  }

  private static let columns = [
    "id", "network", "app", "campaign", "window", "fields", "first-received-at", "first-route", "first-value",
    "other-received-at", "other-route", "other-value", "times", "kept",
  ]

  /// The part in one of the formats; it ends with a line break.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - next: What names the place of the next part to whoever reads it.
  /// - Returns: The text; parts of CSV and NDJSON that are put together are the whole report.
  package func text(_ format: OutputFormat, next: String? = nil) -> String {
    switch format {
    case .table: table
    case .csv:
      (isFirst ? CSV.line(Self.columns.map { .string($0) }) : "")
        + rows.map { CSV.line(cells($0).map { .string($0) }) }.joined()
    case .ndjson: rows.map { object($0).text() + "\n" }.joined()
    case .json: Self.opening + objects(behindRows: false) + closing(behindRows: !rows.isEmpty, next: next)
    }
  }

  // The text of JSON is put together here, because one value for all of it would take many times its memory.

  private static let opening = "{\n  \"conflicts\": ["

  private var objects: String { objects(behindRows: !isFirst) }

  private func objects(behindRows: Bool) -> String {
    var text = ""
    for (index, row) in rows.enumerated() {
      text += index == 0 && !behindRows ? "\n    " : ",\n    "
      text += object(row).text(pretty: true).split(separator: "\n").joined(separator: "\n    ")
    }
    return text
  }

  private func closing(behindRows: Bool, next: String?) -> String {
    let networks = rates.map { rate -> JSONOutput in
      [
        "network": .string(rate.network), "copied": .integer(rate.copied),
        "contradicted": .integer(rate.contradicted), "counted-only": .integer(rate.countedOnly),
      ]
    }
    var members: [JSONOutput.Member] = [.init("networks", .array(networks))]
    if let next { members.append(.init("next", .string(next))) }
    let rest = JSONOutput.object(members).text(pretty: true).dropFirst()
    return (behindRows ? "\n  ]," : "],") + rest + "\n"
  }

  private func cells(_ row: Contradiction) -> [String] {
    [
      row.identifier, row.network, "\(row.app.number)", row.campaign, "\(row.window.rawValue)",
      row.fields.joined(separator: " "), "\(row.first.receivedAt)", route(row.first.origin),
      value(row.first.body), "\(row.other.receivedAt)", route(row.other.origin), value(row.other.body),
      "\(row.times)", row.other.body == nil ? "no" : "yes",
    ]
  }

  private func route(_ origin: Origin) -> String {
    origin.name.isEmpty ? origin.route.rawValue : "\(origin.route.rawValue) \(origin.name)"
  }

  /// The value that a body claims, as people write it; empty where there is none to read.
  private func value(_ body: [UInt8]?) -> String {
    switch body.flatMap({ PostbackReading($0).postback })?.claimed.value {
    case .fine(let value): "\(value.number)"
    case .coarse(let value): value.rawValue
    case .absent: "none"
    case .rejected: "impossible"
    case nil: ""
    }
  }

  private func object(_ row: Contradiction) -> JSONOutput {
    func object(_ copy: Contradiction.Copy) -> JSONOutput {
      [
        "received-at": .string("\(copy.receivedAt)"), "route": .string(route(copy.origin)),
        "value": copy.body == nil ? .null : .string(value(copy.body)),
        "body": .optional(copy.body.map { String(decoding: $0, as: UTF8.self) }),
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
    guard !rows.isEmpty else { return (isFirst ? "no conflicts\n" : "") + rateLines }
    var table = TextTable([
      .init("id"), .init("network"), .init("fields"), .init("counts"), .init("by"), .init("other"),
      .init("by"),
    ])
    for row in rows {
      let cells = cells(row).map(printable)
      let other = row.other.body == nil ? "(not kept)" : cells[11]
      table.add([cells[0], cells[1], cells[5], cells[8], cells[7], other, cells[10]])
    }
    return table.text + rateLines
  }

  private var rateLines: String {
    rates.map {
      "\(printable($0.network)): \($0.contradicted) of \($0.copied) conversions with copies were told differently\n"
        + ($0.countedOnly == 0
          ? "" : "  \($0.countedOnly) contradicting copies beyond the quota were counted and not kept\n")
    }.joined()
  }
}
