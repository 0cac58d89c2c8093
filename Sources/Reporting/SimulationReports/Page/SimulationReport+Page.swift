import Markup
import Simulation
import Values

extension SimulationReport {
  /// The report as one page that needs nothing else: no network, no script, light and dark, for screen and paper.
  ///
  /// The same simulation gives the same bytes.
  ///
  /// - Throws: `FileError` where the figures of campaigns cannot be read.
  package func html() throws -> String {
    let study = first
    let days = study.total.days
    let summary = Summary(self)
    var page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(study.name): what reports will show</title>
      <style>
      \(HTML(stringLiteral: String(decoding: Stylesheet.bytes, as: UTF8.self)))
      main { overflow-wrap: anywhere; } table { overflow-wrap: break-word; }
      </style>
      </head>
      <body>
      <main class="body">
      <header class="stack">
      <h1>What reports will show of “\(study.name)”</h1>
      <p>\(summary.paragraph)</p>
      \(Panel.banner(.prose(caveat), .warning))
      \(Panel.notes(notes))</header>
      \(summary.figures)
      """
    if studies.count > 1 {
      page += Panel.section("mappings", "The mappings side by side", PageTables.totals(studies))
      for (index, comparison) in comparisons.enumerated() { page += PageCharts.comparison(comparison, index) }
    }
    page += try PageTables.revenue(study)
    page += PageTables.values(study)
    page += try PageCharts.nulls(study)
    page += PageCharts.delays(study)
    page += PageCharts.days(days)
    page += try tables(days)
    page += """
      </main>
      </body>
      </html>

      """
    return page.text
  }

  private var caveat: String {
    guard first.configuration.crowd != .none else { return Self.withoutCrowd }
    let crowd = first.configuration.crowd
    return "Privacy threshold model “\(crowd)”: \(crowd.sentence). \(CrowdModel.caveat)"
  }

  private func tables(_ days: [DayFigures]) throws -> HTML {
    var page: HTML = ""
    for (index, study) in studies.enumerated() {
      let name = studies.count > 1 ? ": \(study.name)" : ""
      page += Panel.section(
        "figures-\(index)", "All figures\(name)",
        "<div class=\"stack\">\(facts(study))\(try PageTables.campaigns(study, name))</div>")
    }
    if let chain {
      page += Panel.section(
        "timer", "SKAdNetwork 3's timer",
        note: "Revenue lost to the 24-hour timer alone, independent of the mapping.", PageTables.chain(chain))
    }
    if !days.isEmpty {
      page += Panel.section(
        "days", "Every day",
        note: """
          Installs and true revenue are by install date, with all revenue within the horizon; the other columns are by \
          arrival date. Revenue in \(first.currency.text).
          """, PageTables.days(days, first.currency))
    }
    return page
  }

  private func facts(_ study: VariantStudy) -> HTML {
    let read = [
      ("users", "\(grouped(population.users)) in \(counted(population.rows, "row")) of \(population.source)")
    ]
    let facts = read + study.facts + population.remarks.map { ("read", $0) }
    return Panel.list(facts.map { ("\($0.0)", "\($0.1)") })
  }
}
