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
      \(pageStyle)
      </style>
      </head>
      <body>
      <main>
      <header>
      <h1>What reports will show of “\(study.name)”</h1>
      <p class="lead">\(summary.paragraph)</p>
      <p class="caveat">\(.prose(caveat))</p>
      \(notes.map { note -> HTML in "<p class=\"caveat\">\(.prose(note))</p>\n" }.joined())</header>
      \(summary.cards)
      """
    if studies.count > 1 {
      page += "<section><h2>The mappings side by side</h2>\n\(PageTables.totals(studies))</section>\n"
      for comparison in comparisons { page += ComparisonView(comparison).section }
    }
    page += try RevenueBars(study).section
    page += SimulatedValueMap(study).section
    page += try NullScatter(study).section
    page += DelayCurve(study).section
    page += DayLines(days).section
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
    for study in studies {
      let name = studies.count > 1 ? ": \(study.name)" : ""
      let campaigns = try PageTables.campaigns(study, name)
      page += "<section><h2>All figures\(name)</h2>\n\(facts(study))\(campaigns)</section>\n"
    }
    if let chain {
      page += figure(
        "SKAdNetwork 3's timer", "Revenue lost to the 24-hour timer alone, independent of the mapping.",
        PageTables.chain(chain))
    }
    if !days.isEmpty {
      page += figure(
        "Every day",
        "Installs and true revenue are by install date, with all revenue within the horizon; the other "
          + "columns are by arrival date. Revenue in \(first.currency).",
        PageTables.days(days, first.currency))
    }
    return page
  }

  private func facts(_ study: VariantStudy) -> HTML {
    let read = [
      ("users", "\(grouped(population.users)) in \(counted(population.rows, "row")) of \(population.source)")
    ]
    let items = (read + study.facts).map { fact -> HTML in "<dt>\(fact.0)</dt><dd>\(fact.1)</dd>\n" }
    let remarks = population.remarks.map { remark -> HTML in "<dt>read</dt><dd>\(remark)</dd>\n" }
    return "<dl>\(items.joined())\(remarks.joined())</dl>\n"
  }
}
