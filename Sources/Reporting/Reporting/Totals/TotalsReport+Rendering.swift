import CSVText
package import JSONText
import Values
import Verification

extension TotalsReport {
  /// The report in one of the formats; it ends with a line break.
  package func text(_ format: OutputFormat) -> String {
    switch format {
    case .table: table
    case .csv:
      CSV.line(Self.columns.map { .string($0) }) + rows.map { CSV.line(cells($0)) }.joined()
    case .json: json.text(pretty: true) + "\n"
    case .ndjson: rows.map { object($0).text() + "\n" }.joined()
    }
  }

  private static let columns = [
    "network", "campaign", "first-day", "last-day", "days", "network-installs", "installs", "difference",
    "network-redownloads", "redownloads", "network-postbacks", "postbacks",
    "network-conversions-with-value", "conversions-with-value", "agrees", "candidates",
  ]

  private func cells(_ row: Row) -> [CSV.Cell] {
    func count(_ count: Int64?) -> CSV.Cell { count.map { .integer($0) } ?? .none }
    return [
      .string(row.network), row.campaign.map { .string($0) } ?? .none,
      row.days.first.map { .string("\($0)") } ?? .none, row.days.last.map { .string("\($0)") } ?? .none,
      .integer(Int64(row.days.count)), .integer(row.told), count(row.installs), count(row.difference),
      count(row.toldRedownloads), count(row.redownloads), count(row.toldPostbacks), count(row.postbacks),
      count(row.toldWithValue), count(row.withValue), .string(row.candidates.isEmpty ? "yes" : "no"),
      .string(row.why),
    ]
  }

  private func object(_ row: Row) -> JSONOutput {
    let candidates: [JSONOutput] = row.candidates.map { candidate in
      [
        "reasons": .array(candidate.reasons.map { .string($0.rawValue) }),
        "installs": candidate.number.map { .integer($0) } ?? .null,
        "shift-days": candidate.shift.map { .integer(Int64($0)) } ?? .null,
      ]
    }
    return .object(
      zip(Self.columns, cells(row)).dropLast(2).map { .init($0, $1.json) } + [
        .init("agrees", .bool(row.candidates.isEmpty)), .init("candidates", .array(candidates)),
      ])
  }

  /// The report as one JSON document.
  package var json: JSONOutput {
    [
      "environment": .string(query.environment.rawValue), "rows": .array(rows.map(object)),
      "reasons": .object(reasons.map { .init($0.rawValue, .string($0.sentence)) }),
    ]
  }

  /// The reasons that stand in rows.
  private var reasons: [TotalsReason] {
    let found = Set(rows.flatMap { $0.candidates.flatMap(\.reasons) })
    return TotalsReason.allCases.filter(found.contains)
  }

  private var table: String {
    guard !rows.isEmpty else {
      return "no totals of networks in these days; `skan totals import` takes them in\n"
    }
    var table = TextTable(
      [.init("network"), .init("campaign")]
        + ["days", "network's", "here", "difference"].map { .init($0, isNumeric: true) }
        + [.init("best guess why")])
    for row in rows {
      table.add([
        printable(row.network), row.campaign.map(printable) ?? "in all", "\(row.days.count)",
        grouped(row.told), row.installs.map(grouped) ?? "", row.difference.map(grouped) ?? "",
        row.candidates.isEmpty ? "agrees" : row.why,
      ])
    }
    let heading =
      query.environment == .production
      ? "" : "\(query.environment.rawValue) postbacks, not part of any real figure\n"
    return heading + table.text + reasons.map { "\($0.rawValue): \($0.sentence)\n" }.joined()
  }
}

extension TotalsReport.Row {
  /// How much more the network has; `nil` where the database has never seen the campaign.
  package var difference: Int64? { installs.map { told - $0 } }

  /// The candidates in words.
  fileprivate var why: String {
    candidates.map { candidate in
      candidate.reasons.map { reason in
        guard reason == .dayShift, let shift = candidate.shift else { return reason.rawValue }
        return "\(reason.rawValue) (\(shift > 0 ? "+" : "")\(shift))"
      }.joined(separator: " + ")
    }.joined(separator: ", or ")
  }
}
