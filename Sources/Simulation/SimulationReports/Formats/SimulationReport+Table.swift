import Postbacks
import Reporting
import Simulation
import Values

extension SimulationReport {
  /// The report as tables for people.
  var table: String {
    var blocks = [heading]
    for study in studies { blocks += [study.heading, study.campaignTable + study.notes] }
    blocks += comparisons.map(\.table)
    if let chain { blocks.append(chain.table) }
    // One list of days is what people can read; the others' days are in the JSON.
    blocks.append(first.dayTable)
    return blocks.joined(separator: "\n")
  }

  private var heading: String {
    var lines = [
      "\(counted(population.users, "user")) in \(counted(population.rows, "row")) of "
        + printable(population.source)
    ]
    lines += population.remarks
    let hasCrowd = studies.contains { $0.configuration.crowd != .none }
    lines.append(hasCrowd ? CrowdModel.caveat : Self.withoutCrowd)
    return lines.map { $0 + "\n" }.joined()
  }
}

extension SimulationReport.Population {
  /// What was not counted, a line for each reason.
  var remarks: [String] {
    skipped.map {
      "skipped: \(counted($0.rows, "row")), \(printable($0.code)), the first in line \($0.firstLine)"
    } + (duplicates > 0 ? ["counted once: \(counted(duplicates, "duplicated row"))"] : [])
  }
}

extension VariantStudy {
  fileprivate var heading: String {
    facts.map { "\($0.title): \($0.text)\n" }.joined()
  }

  /// What was simulated, as pairs of a name and a value.
  var facts: [(title: String, text: String)] {
    var facts = [
      ("mapping", name), ("protocol", deviceName),
      ("threshold", "\(configuration.crowd): \(configuration.crowd.sentence)"),
      (
        "seed",
        "\(configuration.seed), \(counted(runs, "run")), horizon \(counted(configuration.horizonDays, "day"))"
      ),
      ("organic users", "\(grouped(organicUsers)) with \(grouped(organicRevenue)) \(currency)"),
    ]
    if !otherRevenue.isEmpty {
      let sums = otherRevenue.map { "\(grouped($0.sum)) \($0.currency)" }
      facts.append(("other currencies", sums.joined(separator: ", ") + ", not counted"))
    }
    return facts
  }

  fileprivate var campaignTable: String {
    guard !rows.isEmpty else { return "no campaign has users\n" }
    return campaignTable(Measure.counts) + "\n" + campaignTable(Measure.money)
  }

  private func campaignTable(_ measures: [Measure]) -> String {
    let measures = shown(measures)
    var table = TextTable(
      [TextTable.Column("campaign")]
        + measures.map { TextTable.Column($0.title ?? $0.name, isNumeric: true) })
    let columns = measures.map { $0.cells(rows.map(\.figures) + [total]) }
    for (index, row) in rows.enumerated() {
      table.add([printable(row.campaign)] + columns.map { $0[index] })
    }
    if rows.count > 1 {
      table.addRule()
      table.add(["total"] + columns.map { $0[rows.count] })
    }
    return table.text
  }

  /// Those of the measures that people see: with a title, and with something in them.
  func shown(_ measures: [Measure]) -> [Measure] {
    let figures = rows.map(\.figures) + [total]
    return measures.filter { measure in
      guard measure.title != nil else { return false }
      if measure.isAlwaysShown { return true }
      // The only window's column would repeat the one of all postbacks.
      if measure.window == .first, windows.count == 1 { return false }
      return !measure.isEmpty(figures)
    }
  }

  /// What the columns mean.
  var remarks: [String] {
    var notes = [
      "true, captured, low, visible, high: \(currency) within "
        + "\(counted(configuration.horizonDays, "day")); captured: revenue of the final values; visible: "
        + "revenue of the shown values; errors against the true revenue",
      "null, zero, value %: of all postbacks; p50, p90, p99 h: hours until this percentage has "
        + "arrived; of 64: number of different fine values shown; bits: information in a shown value",
    ]
    if total.sum.windows.contains(where: { $0.withheld > 0 }) {
      notes.append("withheld: later postbacks that the privacy threshold model withholds")
    }
    if total.sum.windows.contains(where: { $0.withoutLimit > 0 }) {
      notes.append("high: a value without an upper limit counts as its mid revenue, so more is possible")
    }
    if runs > 1 {
      notes.append(
        "means of \(runs) runs; 5 % and 95 %: points of the runs in order, straight between neighbours, "
          + "the first at 0 %, the last at 100 %; delays: of all runs' postbacks")
    }
    let left = windows.filter { !total.sum.addsUp[$0.rawValue] && total.sum[$0].postbacks > 0 }
    if !left.isEmpty {
      notes.append(
        "window \(left.map { "\($0.rawValue + 1)" }.joined(separator: " and ")) counts everything since "
          + "install, so its revenue is not added")
    }
    return notes
  }

  fileprivate var notes: String { remarks.map { $0 + "\n" }.joined() }

  fileprivate var dayTable: String {
    let days = total.days
    guard !days.isEmpty else { return "no day has installs or postbacks\n" }
    var table = TextTable(
      [TextTable.Column("day (UTC)")]
        + DayColumn.all.map { TextTable.Column($0.title, isNumeric: true) })
    for day in days { table.add(["\(day.day)"] + DayColumn.all.map { $0.figure(day).text }) }
    return table.text
      + "installs and true: by install date; other columns: by arrival date; \(currency)\n"
  }
}

/// A column of the table of days.
struct DayColumn: Sendable {
  /// The short title over a column of a terminal's table.
  let title: String
  /// The title in words, for pages.
  let label: String
  /// The figure of a day.
  let figure: @Sendable (DayFigures) -> Figure

  /// Every column but the day itself, in order.
  static let all = [
    DayColumn(title: "installs", label: "installs") { .count($0.installs) },
    DayColumn(title: "true", label: "true revenue") { .money($0.revenue) },
    DayColumn(title: "postbacks", label: "postbacks") { .count($0.postbacks) },
    DayColumn(title: "nulls", label: "without a value") { .count($0.nulls) },
    DayColumn(title: "visible", label: "visible revenue") { .money($0.visible) },
    DayColumn(title: "true so far", label: "true revenue so far") { .money($0.revenueSoFar) },
    DayColumn(title: "visible so far", label: "visible revenue so far") { .money($0.visibleSoFar) },
  ]
}

extension VariantComparison {
  fileprivate var table: String {
    guard let paired else { return sentence + "\n" }
    var table = TextTable(
      [TextTable.Column("campaign")]
        + ["error % of A", "error % of B", "gain, points"].map { TextTable.Column($0, isNumeric: true) })
    for row in paired.rows {
      table.add(
        [printable(row.campaign)]
          + [row.errorOfA, row.errorOfB, row.gain].map { fixed($0 * 100, 1) })
    }
    if paired.rows.count > 1 {
      table.addRule()
      table.add(["mean"] + [paired.errorOfA, paired.errorOfB, paired.gain].map { fixed($0 * 100, 1) })
    }
    return "A: \(nameOfA)\nB: \(nameOfB)\n" + table.text + sentence + "\n"
  }
}

extension RollingChain {
  fileprivate var table: String {
    var table = TextTable(
      ["days", "users", "broken %", "revenue", "captured", "captured %"].map {
        TextTable.Column($0, isNumeric: true)
      })
    for length in figures {
      table.add([
        "\(length.days)", grouped(length.users), length.brokenShare.map { Figure.share($0) }.text,
        grouped(length.revenue), grouped(length.captured), length.capturedShare.map { Figure.share($0) }.text,
      ])
    }
    return "best case of SKAdNetwork 3's 24-hour timer, independent of the mapping; \(currency):\n"
      + table.text
  }
}
