import CSVText
import Estimates
package import JSONText
import Ledger
import Postbacks
import Values
import Verification

extension EstimateReport {
  /// The report in one of the formats; it ends with a line break.
  package func text(_ format: OutputFormat) -> String {
    switch format {
    case .table: table
    case .csv:
      CSV.line(Self.columns.map { .string($0) })
        + (rows + totals).map { CSV.line(cells($0)) }.joined()
    case .json: json.text(pretty: true) + "\n"
    case .ndjson: (rows + totals).map { object($0).text() + "\n" }.joined()
    }
  }

  // MARK: For machines

  private static let columns = [
    "scope", "app", "network", "campaign", "campaign-kind", "install-day", "currency", "installs", "nulls",
    "coarse", "unmapped", "decoded", "estimate", "low-90", "high-90", "imputed-share", "hidden-worth-70",
    "hidden-worth-130", "worst-low", "worst-high", "completeness", "flags",
  ]

  private func cells(_ row: Row) -> [CSV.Cell] {
    [
      .string(row.campaign == nil ? "total" : "campaign"),
      row.campaign.map { .integer($0.app.number) } ?? .none, text(row.campaign?.network),
      text(row.campaign?.campaign), text(row.campaign?.kind), text(row.day.map { "\($0)" }),
      text(row.currency?.text), number(row.installs), number(row.nulls), number(row.coarse),
      number(row.unmapped), number(row.decoded), number(row.estimate), number(row.interval?.low),
      number(row.interval?.high), number(row.imputedShare), number(row.sensitivity?.low),
      number(row.sensitivity?.high), number(row.worstCase.low), number(row.worstCase.high),
      number(row.completeness), .string(flags(row).joined(separator: " ")),
    ]
  }

  private func text(_ text: String?) -> CSV.Cell { text.map { .string($0) } ?? .none }

  private func number(_ number: Double?) -> CSV.Cell { .amount(number.flatMap(millionths)) }

  /// A number to the millionth; `nil` where it is none or does not fit.
  private func millionths(_ number: Double) -> Amount? {
    let scaled = (number * 1e6).rounded()
    return scaled.isFinite && scaled.magnitude < 9e18 ? Amount(micros: Int64(scaled)) : nil
  }

  private func flags(_ row: Row) -> [String] { row.flags.map(\.rawValue).sorted() }

  private func object(_ row: Row) -> JSONOutput {
    .object(
      zip(Self.columns, cells(row)).dropLast().map { .init($0, $1.json) }
        + [.init("flags", .array(flags(row).map { .string($0) }))])
  }

  /// The report as one JSON document.
  package var json: JSONOutput {
    [
      "environment": .string(query.environment.rawValue), "event": .optional(query.event),
      "from": .optional(query.from.map { "\($0)" }), "to": .optional(query.to.map { "\($0)" }),
      "estimator": .string(query.estimator.name), "seed": .string("\(query.seed)"), "level": "90 %",
      "own-users": .bool(hasOwnUsers), "without-mapping": number(undated).json,
      "rows": .array(rows.map(object)), "totals": .array(totals.map(object)),
    ]
  }

  // MARK: For people

  private var table: String {
    guard !rows.isEmpty else { return "no first postbacks under a mapping\n" + notes }
    let hasDays = query.byDay
    let unit = query.event.map { "users of \(printable($0))" } ?? "revenue"
    var columns: [TextTable.Column] = [
      .init("app", isNumeric: true), .init("network"), .init("campaign", isNumeric: true),
    ]
    if hasDays { columns.append(.init("install day")) }
    let numbers = [
      "installs", "null %", "decoded", "estimate", "90 % from", "to", "imputed %", "nulls -30 %", "+30 %",
    ]
    columns += (numbers + (hasDays ? ["come %"] : [])).map { TextTable.Column($0, isNumeric: true) }
    var table = TextTable(columns + [.init("currency"), .init("flags")])
    for row in rows { table.add(line(row, hasDays)) }
    table.addRule()
    for row in totals { table.add(line(row, hasDays)) }
    return
      "\(unit) by day of install, with withheld values estimated (\(query.estimator.name), seed \(query.seed))\n"
      + table.text + notes
  }

  private func line(_ row: Row, _ hasDays: Bool) -> [String] {
    func plain(_ number: Double?, _ decimals: Int = 2) -> String {
      number.flatMap(millionths).map { money($0, decimals: decimals) } ?? ""
    }
    func share(_ part: Double?) -> String { plain(part.map { $0 * 100 }, 1) }
    let known = row.installs - row.coarse - row.unmapped
    var cells = [
      row.campaign.map { "\($0.app.number)" } ?? "total", printable(row.campaign?.network ?? ""),
      row.campaign?.campaign ?? "",
    ]
    if hasDays { cells.append(row.day.map { "\($0)" } ?? "") }
    cells.append(plain(row.installs, hasDays ? 1 : 0))
    cells.append(share(known > 0 ? row.nulls / known : nil))
    cells += [plain(row.decoded), plain(row.estimate), plain(row.interval?.low), plain(row.interval?.high)]
    cells += [share(row.imputedShare), plain(row.sensitivity?.low), plain(row.sensitivity?.high)]
    if hasDays { cells.append(share(row.completeness)) }
    return cells + [row.currency?.text ?? "", flags(row).joined(separator: " ")]
  }

  private var notes: String {
    var notes: [String] = []
    if query.event == nil, !hasOwnUsers, !rows.isEmpty {
      notes.append(
        "amounts are the mapping's own; `skan users import` puts what your users really brought in their place"
      )
    }
    if rows.contains(where: { $0.flags.contains(.nothingRevealed) }) {
      notes.append(
        "a campaign that shows no value has no estimate of its own: its interval is what holds for the app, and the total "
          + "counts it at the app's mean")
    }
    if !rows.isEmpty {
      notes.append(
        "intervals hold where withholding depends on the size of a crowd alone; where it depends on the users' quality, "
          + "nothing in the postbacks shows it, and the columns of ±30 % tell how much hangs on it")
    }
    if undated > 0 {
      notes.append("\(grouped(Int64(undated.rounded()))) first postbacks came while no mapping was in force")
    }
    return notes.map { $0 + "\n" }.joined()
  }
}
