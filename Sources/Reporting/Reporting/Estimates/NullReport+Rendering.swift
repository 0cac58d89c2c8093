import CSVText
import Estimates
package import JSONText
import Postbacks
import Values

extension NullReport {
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
    "app", "network", "campaign", "campaign-kind", "day", "postbacks", "nulls", "null-share", "low-90",
    "high-90", "coarse", "zeroes", "unmapped", "drift-probability", "changes",
  ]

  private func cells(_ row: Row) -> [CSV.Cell] {
    let changes = row.changes.map { change in
      "\(change.day): \(percent(change.before)) to \(percent(change.after))"
    }
    return [
      .integer(row.campaign.app.number), .string(row.campaign.network), .string(row.campaign.campaign),
      .string(row.campaign.kind), row.day.map { .string("\($0)") } ?? .none,
      .integer(Int64(row.postbacks)), .integer(Int64(row.nulls)), share(row.share), share(row.interval.low),
      share(row.interval.high), .integer(Int64(row.coarse)), .integer(Int64(row.zeroes)),
      .integer(Int64(row.unmapped)), share(row.drift), .string(changes.joined(separator: "; ")),
    ]
  }

  private func share(_ share: Double?) -> CSV.Cell {
    share.map { .number(decimals($0)) } ?? .none
  }

  private func object(_ row: Row) -> JSONOutput {
    let changes: [JSONOutput] = row.changes.map { change in
      [
        "day": .string("\(change.day)"), "before": number(change.before), "after": number(change.after),
      ]
    }
    return .object(
      zip(Self.columns, cells(row)).dropLast().map { .init($0, $1.json) } + [
        .init("changes", .array(changes))
      ])
  }

  private func number(_ number: Double?) -> JSONOutput {
    number.flatMap { JSONNumber(decimals($0)) }.map { .number($0) } ?? .null
  }

  /// The report as one JSON document.
  package var json: JSONOutput {
    let threshold: JSONOutput =
      self.threshold.map { fit in
        [
          "installs-a-day": number(fit.threshold), "low-90": number(fit.interval.low),
          "high-90": number(fit.interval.high), "slope": number(fit.slope),
          "dispersion": number(fit.dispersion),
          "hard": .bool(fit.isHard),
        ]
      } ?? .null
    let smallest: JSONOutput =
      self.smallest.map { cell in
        [
          "users": number(cell.count), "times": .integer(Int64(cell.times)),
          "cells": .integer(Int64(cell.cells)),
        ]
      } ?? .null
    return [
      "rows": .array(rows.map(object)), "threshold": threshold, "smallest-cell": smallest,
      "non-winning": .integer(assists), "seed": .string("\(seed)"),
    ]
  }

  private var table: String {
    guard !rows.isEmpty else { return "no first postbacks\n" }
    let hasDays = rows[0].day != nil
    var columns: [TextTable.Column] = [
      .init("app", isNumeric: true), .init("network"), .init("campaign", isNumeric: true),
    ]
    if hasDays { columns.append(.init("day")) }
    columns += ["postbacks", "nulls", "null %", "90 % from", "to", "coarse", "zero", "unmapped"].map {
      TextTable.Column($0, isNumeric: true)
    }
    if !hasDays { columns += [.init("drift p", isNumeric: true), .init("changed")] }
    var table = TextTable(columns)
    for row in rows {
      var cells = ["\(row.campaign.app.number)", printable(row.campaign.network), row.campaign.campaign]
      if hasDays { cells.append(row.day.map { "\($0)" } ?? "") }
      cells += [grouped(Int64(row.postbacks)), grouped(Int64(row.nulls))]
      cells += [percent(row.share ?? 0), percent(row.interval.low), percent(row.interval.high)]
      cells += [row.coarse, row.zeroes, row.unmapped].map { grouped(Int64($0)) }
      if !hasDays {
        cells.append(row.drift.map { decimals($0, 3) } ?? "")
        cells.append(
          row.changes.map { "\($0.day): \(percent($0.before)) to \(percent($0.after)) %" }.joined(
            separator: ", "))
      }
      table.add(cells)
    }
    return table.text + notes
  }

  private var notes: String {
    var notes: [String] = []
    if let fit = threshold, fit.isHard {
      notes.append(
        "values are shown from \(decimals(fit.threshold, 0)) installs per campaign and day of install on, and withheld below: "
          + "90 % interval \(decimals(fit.interval.low, 0)) to \(decimals(fit.interval.high, 0)) (random seed \(seed))"
      )
    } else if let fit = threshold {
      notes.append(
        "half of the values are shown at \(decimals(fit.threshold, 1)) installs per campaign and day of install, "
          + "90 % interval \(decimals(fit.interval.low, 1)) to \(decimals(fit.interval.high, 1)) "
          + "(gradual, slope \(decimals(fit.slope, 2)), random seed \(seed))")
    } else {
      notes.append(
        "no threshold visible: no values or all are withheld, or not by the size of a campaign's day")
    }
    if let smallest {
      notes.append(
        smallest.count <= 1
          ? "a value was shown for a single user of a campaign and week, so it is crowds that are hidden, not rare values"
          : "no value was shown for fewer than \(Int(smallest.count)) users of a campaign and week: rare values may be hidden"
      )
    }
    if assists > 0 {
      notes.append("\(grouped(assists)) non-winning postbacks stand apart: they never have a value")
    }
    notes.append(
      "a null is withheld by Apple or was never set by the app; nothing in a postback tells the two apart")
    return notes.map { $0 + "\n" }.joined()
  }

  /// A number with up to six decimals.
  private func decimals(_ number: Double, _ places: Int = 6) -> String {
    guard number.isFinite, number.magnitude < 9e11 else { return "" }
    return places == 6
      ? "\(Amount(micros: Int64((number * 1e6).rounded())))"
      : money(Amount(micros: Int64((number * 1e6).rounded())), decimals: places)
  }

  private func percent(_ share: Double) -> String { decimals(share * 100, 1) }
}

extension NullReport.Row {
  /// The share of nulls; `nil` without postbacks.
  var share: Double? { postbacks > 0 ? nulls / postbacks : nil }
}
