import Postbacks
import Simulation
import Tables
import Values

extension SimulationReport {
  func writeTable(_ write: (String) throws -> Void) throws {
    try write(heading + "\n")
    for study in studies {
      try write(study.heading + "\n")
      try study.writeCampaignTable(write)
      try write(study.notes + "\n")
    }
    for comparison in comparisons { try write(comparison.table + "\n") }
    if let chain { try write(chain.table + "\n") }
    // One list of days is what people can read; the others' days are in the JSON.
    try write(first.dayTable)
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

  fileprivate func writeCampaignTable(_ write: (String) throws -> Void) throws {
    guard campaignCount > 0 else { return try write("no campaign has users\n") }
    try writeCampaignTable(RunFigures.counts, write)
    try write("\n")
    try writeCampaignTable(RunFigures.money, write)
  }

  private func writeCampaignTable(_ measures: [Measure<RunFigures>], _ write: (String) throws -> Void) throws
  {
    // A column has as many decimals as one of its cells needs, so all are looked at before.
    let profiles = try profile(of: measures)
    let columns = zip(measures, profiles).filter { isShown($0, $1) }.map { measure, profile in
      Column<Row>(measure.name, measure.title ?? measure.name, measure.label) {
        NumberCell(measure.figure($0.figures)?.text(isMean: profile.hasFraction) ?? "")
      }
    }
    let name = Column<Row>("campaign", "campaign", "Campaign.") { $0.campaign }
    let sheet = Sheet([name] + columns, held: [Row](), for: .table)
    var renderer = Format.table.renderer(for: sheet.headers)
    try write(renderer.begin())
    try forEachRow { row in
      let text = renderer.row(sheet.cells(of: row))
      if !text.isEmpty { try write(text) }
    }
    var ending = Ending()
    if campaignCount > 1 { ending.total = sheet.cells(of: Row(campaign: "", figures: total)) }
    try write(renderer.end(ending))
  }

  /// Those of the measures that people see: with a title, and with something in them.
  ///
  /// - Throws: `FileError` where the figures cannot be read.
  func shown(_ measures: [Measure<RunFigures>]) throws -> [Measure<RunFigures>] {
    zip(measures, try profile(of: measures)).filter { isShown($0, $1) }.map(\.0)
  }

  private func isShown(_ measure: Measure<RunFigures>, _ profile: MeasureProfile) -> Bool {
    guard measure.title != nil else { return false }
    if measure.isAlwaysShown { return true }
    // The only window's column would repeat the one of all postbacks.
    if measure.window == .first, windows.count == 1 { return false }
    return !profile.isEmpty
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
    let day = Column<DayFigures>("day", "day (UTC)", "UTC day.", \.day)
    return figureTable(DayFigures.measures, days, behind: [day])
      + "installs and true: by install date; other columns: by arrival date; \(currency)\n"
  }
}

extension VariantComparison {
  fileprivate var table: String {
    guard let paired else { return sentence + "\n" }
    typealias Row = PairedComparison.Row
    let campaign = Column<Row>("campaign", "campaign", "Campaign.", \.campaign)
    return "A: \(nameOfA)\nB: \(nameOfB)\n"
      + figureTable(
        Row.measures, paired.rows, behind: [campaign], total: paired.rows.count > 1 ? paired.mean : nil)
      + sentence + "\n"
  }
}

extension RollingChain {
  fileprivate var table: String {
    "best case of SKAdNetwork 3's 24-hour timer, independent of the mapping; \(currency):\n"
      + figureTable(Figures.measures, figures)
  }
}
