import CSVText
package import JSONText
import Ledger
import Postbacks
import Values
import Verification

extension CampaignReport {
  /// The report in one of the formats; it ends with a line break.
  package func text(_ format: OutputFormat) -> String {
    format == .table ? table : text(format, rows: rows.indices, next: nil)
  }

  /// A part of the rows in a format for programs; parts of CSV and NDJSON that are put together are the whole report.
  ///
  /// - Parameters:
  ///   - format: Any format but a table.
  ///   - part: The indices of the rows.
  ///   - next: What names the place of the next part to whoever reads it.
  /// - Returns: The text; in JSON what is told of all rows together stands beside each part.
  package func text(_ format: OutputFormat, rows part: Range<Int>, next: String?) -> String {
    switch format {
    case .csv: csv(part)
    case .json: json(part, next: next).text(pretty: true) + "\n"
    case .ndjson, .table: part.map { row($0).text() + "\n" }.joined()
    }
  }

  /// The report as one JSON document.
  package var json: JSONOutput { json(rows.indices, next: nil) }

  private func json(_ part: Range<Int>, next: String?) -> JSONOutput {
    .object(
      [
        .init("environment", .string(query.environment.rawValue)),
        .init("from", .optional(query.from.map { "\($0)" })),
        .init("to", .optional(query.to.map { "\($0)" })),
        .init("rows", .array(part.map(row))),
        .init(
          "total",
          .object(
            members(of: total) + totalTally.members(total) + [efficiency(nil)])),
        .init("spend-of-no-row", sums(spending.unmatched)),
        .init("unreadable-mappings", .array(unreadableMappings.map { .string($0) })),
        .init(
          "not-counted",
          .array(
            rejections.map { rejection in
              .object([
                .init("state", .string(rejection.state.rawValue)), .init("reason", .string(rejection.reason)),
                .init("seen", .integer(rejection.seen)), .init("kept", .integer(rejection.kept)),
              ])
            })),
      ] + (next.map { [.init("next", .string($0))] } ?? []))
  }

  /// What tells a row apart from all others of the report.
  package func key(of row: Int) -> [String] {
    query.dimensions.flatMap { dimension -> [String] in
      let text = rows[row].text(dimension)
      return dimension == .campaign ? [rows[row].campaign?.kind ?? "", text] : [text]
    }
  }

  private func row(_ index: Int) -> JSONOutput {
    let row = rows[index]
    return .object(
      query.dimensions.flatMap { row.members($0) } + nameMembers(names[index]) + members(of: row.counts)
        + tallies[index].members(row.counts) + [
          efficiency(index)
        ])
  }

  private func members(of counts: CampaignCounts) -> [JSONOutput.Member] {
    CampaignMeasure.all.map { .init($0.name, .integer($0.value(counts))) }
      + [.init("fine-values", .array(counts.fine.map { .integer($0) }))]
  }

  private func csv(_ part: Range<Int>) -> String {
    let fineNames = (0...63).map { "fine-\($0)" }
    let decoded = DecodedColumns(currencies: currencies, events: events)
    let titles =
      query.dimensions.flatMap { $0 == .campaign ? ["campaign", "campaign-kind"] : [$0.rawValue] }
      + CampaignMeasure.all.map(\.name) + fineNames + decoded.names
      + spendingNames
    let lines = part.map { index in
      let row = rows[index]
      let cells: [CSV.Cell] = query.dimensions.flatMap { dimension -> [CSV.Cell] in
        [.string(row.text(dimension))] + (dimension == .campaign ? [.string(row.campaign?.kind ?? "")] : [])
      }
      let counts: [CSV.Cell] = CampaignMeasure.all.map { .integer($0.value(row.counts)) }
      let fine: [CSV.Cell] = row.counts.fine.map { .integer($0) }
      return CSV.line(
        cells + counts + fine + decoded.cells(tallies[index], row.counts) + spendingCells(index))
    }
    return (part.lowerBound == 0 ? CSV.line(titles.map { .string($0) }) : "") + lines.joined()
  }

  private var table: String {
    guard !rows.isEmpty else { return emptyNote + rejectionNote }
    let measures = CampaignMeasure.all.filter { measure in
      measure.isAlwaysShown || rows.contains { measure.value($0.counts) != 0 }
    }
    var table = TextTable(
      query.dimensions.map { TextTable.Column($0.rawValue, isNumeric: $0 == .campaign) }
        + nameTitles.map { TextTable.Column($0) }
        + measures.map { TextTable.Column($0.title, isNumeric: true) } + [
          TextTable.Column("null %", isNumeric: true)
        ] + (decodedTitles + efficiencyTitles).map { TextTable.Column($0, isNumeric: true) })
    for index in rows.indices {
      let (row, tally) = (rows[index], tallies[index])
      table.add(
        query.dimensions.map { row.text($0) } + nameCells(names[index]) + cells(row.counts, measures)
          + decodedCells(tally, row.counts) + efficiencyCells(index))
    }
    if rows.count > 1 {
      table.addRule()
      let label = ["total"] + [String](repeating: "", count: max(0, query.dimensions.count - 1))
      table.add(
        label.prefix(query.dimensions.count) + nameTitles.map { _ in "" } + cells(total, measures)
          + decodedCells(totalTally, total) + efficiencyCells(nil))
    }
    return heading + table.text + decodingNote + spendingNote + rejectionNote
  }

  private func cells(_ counts: CampaignCounts, _ measures: [CampaignMeasure]) -> [String] {
    measures.map { grouped($0.value(counts)) } + [percent(counts.valueNull, of: counts.winners)]
  }

  private var heading: String {
    query.environment == .production
      ? "" : "\(query.environment.rawValue) postbacks, not part of any real figure\n"
  }

  private var emptyNote: String {
    let networks = query.networks.map { printable($0.canonical) }.joined(separator: ", ")
    let apps = query.apps.map { "\($0.number)" }.joined(separator: ", ")
    return "no \(query.environment.rawValue) postbacks"
      + (networks.isEmpty ? "" : " of \(networks)") + (apps.isEmpty ? "" : " for \(apps)")
      + (query.from == nil && query.to == nil ? "" : " in these days") + "\n"
      + alternatives.sentences(to: query)
  }

  private var rejectionNote: String {
    let seen = Rejection.State.allCases.compactMap { state -> String? in
      let count = rejections.filter { $0.state == state }.reduce(0) { $0 + $1.seen }
      return count == 0 ? nil : "\(grouped(count)) \(state.rawValue)"
    }
    guard !seen.isEmpty else { return "" }
    let isFiltered = !query.apps.isEmpty || !query.networks.isEmpty
    return "not counted\(isFiltered ? ", by what kept bodies claim" : ""): \(seen.joined(separator: ", "))\n"
  }
}

/// A share in per cent with one decimal; empty where there is nothing to have a share of.
func percent(_ part: Int64, of whole: Int64) -> String {
  guard whole > 0 else { return "" }
  let tenths = (part * 1000 + whole / 2) / whole
  return "\(tenths / 10).\(tenths % 10)"
}
