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
    lines += population.remarks.map(\.english)
    let hasCrowd = studies.contains { $0.configuration.crowd != .none }
    lines.append((hasCrowd ? CrowdModel.caveat : Self.withoutCrowd).english)
    return lines.map { $0 + "\n" }.joined()
  }
}

extension SimulationReport.Population {
  /// What was not counted, a line for each reason.
  var remarks: [Sentence] {
    skipped.map {
      Sentence("skipped: \($0.rows, "row"), \(name: $0.code), the first in line \(code: $0.firstLine)")
    } + (duplicates > 0 ? [Sentence("counted once: \(duplicates, "duplicated row")")] : [])
  }
}

extension VariantStudy {
  fileprivate var heading: String {
    facts.map { "\($0.title): \($0.text)\n" }.joined()
  }

  /// What was simulated, as pairs of a name and a value.
  var facts: [(title: Sentence, text: Sentence)] {
    let crowd = configuration.crowd
    var facts: [(title: Sentence, text: Sentence)] = [
      (Sentence("mapping"), Sentence(name: name)), (Sentence("protocol"), Sentence("\(code: deviceName)")),
      (Sentence("threshold"), Sentence("\(code: crowd): \(crowd.sentence)")),
      (
        Sentence("seed"),
        Sentence("\(code: configuration.seed), \(runs, "run"), horizon \(configuration.horizonDays, "day")")
      ),
      (
        Sentence("organic users"),
        Sentence("\(grouped: organicUsers) with \(number: grouped(organicRevenue)) \(currency)")
      ),
    ]
    if !otherRevenue.isEmpty {
      let sums = otherRevenue.map { Sentence("\(number: grouped($0.sum)) \($0.currency)") }
      facts.append(
        (Sentence("other currencies"), Sentence("\(Sentence.joined(sums, by: ", ")), not counted")))
    }
    return facts
  }

  fileprivate func writeCampaignTable(_ write: (String) throws -> Void) throws {
    guard campaignCount > 0 else { return try write("no campaign has users\n") }
    for (index, columns) in [RunFigures.counts, RunFigures.money].enumerated() {
      if index > 0 { try write("\n") }
      try writeRows([Self.campaign] + shown(columns).map { $0.of(\.figures) }, .table, write)
    }
  }

  /// What the columns mean.
  var remarks: [Sentence] {
    var notes = [
      Sentence(
        "true, captured, low, visible, high: \(currency) within \(configuration.horizonDays, "day"); "
          + "captured: revenue of the final values; visible: revenue of the shown values; errors against the "
          + "true revenue"),
      Sentence(
        "null, zero, value: of all postbacks; p50, p90, p99 h: hours until this percentage has "
          + "arrived; of 64: number of different fine values shown; bits: information in a shown value"),
    ]
    if total.sum.windows.contains(where: { $0.withheld > 0 }) {
      notes.append(Sentence("withheld: later postbacks that the privacy threshold model withholds"))
    }
    if total.sum.windows.contains(where: { $0.withoutLimit > 0 }) {
      notes.append(
        Sentence("high: a value without an upper limit counts as its mid revenue, so more is possible"))
    }
    if runs > 1 {
      notes.append(
        Sentence(
          "means of \(runs) runs; 5 % and 95 %: points of the runs in order, straight between neighbours, "
            + "the first at 0 %, the last at 100 %; delays: of all runs' postbacks"))
    }
    let left = windows.filter { !total.sum.addsUp[$0.rawValue] && total.sum[$0].postbacks > 0 }
      .map { Sentence("\($0.rawValue + 1)") }
    if let first = left.first {
      let windows = left.dropFirst().reduce(first) { Sentence("\($0) and \($1)") }
      notes.append(
        Sentence("window \(windows) counts everything since install, so its revenue is not added"))
    }
    return notes
  }

  fileprivate var notes: String { remarks.map { "\($0)\n" }.joined() }

  fileprivate var dayTable: String {
    let days = total.days
    guard !days.isEmpty else { return "no day has installs or postbacks\n" }
    return Table(DayFigures.columns, rows: days).text(.table)
      + "installs and true: by install date; other columns: by arrival date; \(currency)\n"
  }
}

extension VariantComparison {
  fileprivate var table: String {
    guard let paired else { return "\(sentence)\n" }
    return "A: \(nameOfA)\nB: \(nameOfB)\n"
      + Table(PairedComparison.Row.columns, rows: paired.rows, total: paired.mean).text(.table)
      + "\(sentence)\n"
  }
}

extension RollingChain {
  fileprivate var table: String {
    "best case of SKAdNetwork 3's 24-hour timer, independent of the mapping; \(currency):\n"
      + Table(Figures.columns, rows: figures).text(.table)
  }
}
