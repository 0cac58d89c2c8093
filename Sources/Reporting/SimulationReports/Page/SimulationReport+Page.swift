package import Markup
import Simulation
import Values

extension SimulationReport {
  /// The report as one page that needs nothing else: no network, no script, light and dark, for screen and paper.
  ///
  /// The same simulation gives the same bytes.
  ///
  /// - Throws: `FileError` where the figures of campaigns cannot be read.
  package func html(in language: PageLanguage = .english) throws -> String {
    let study = first
    let days = study.total.days
    let summary = Summary(self, language)
    var page: HTML = """
      <!DOCTYPE html>
      <html\(language.attributes)>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(language.phrase(Sentence("\(name: study.name): what reports will show")))</title>
      <style>
      \(HTML(stringLiteral: String(decoding: Stylesheet.bytes, as: UTF8.self)))
      main { overflow-wrap: anywhere; } table { overflow-wrap: break-word; }
      </style>
      </head>
      <body>
      <main class="body">
      <header class="stack">
      <h1>\(language.phrase(Sentence("What reports will show of “\(name: study.name)”")))</h1>
      <p>\(language.say(summary.sentences))</p>
      \(Panel.banner(language.say(caveat), .warning))
      \(Panel.notes(notes.map { language.say($0) }))</header>
      \(summary.figures)
      """
    let tables = PageTables(language: language)
    let charts = PageCharts(language: language)
    if studies.count > 1 {
      page += Panel.section(
        "mappings", language.say(Sentence("The mappings side by side")), tables.totals(studies))
      for (index, comparison) in comparisons.enumerated() { page += charts.comparison(comparison, index) }
    }
    page += try tables.revenue(study)
    page += tables.values(study)
    page += try charts.nulls(study)
    page += charts.delays(study)
    page += charts.days(days)
    page += try sections(days, tables)
    page += """
      </main>
      </body>
      </html>

      """
    return page.text
  }

  private var caveat: Sentence {
    let crowd = first.configuration.crowd
    guard crowd != .none else { return Self.withoutCrowd }
    return Sentence("Privacy threshold model “\(code: crowd)”: \(crowd.sentence). \(CrowdModel.caveat)")
  }

  /// The sections of tables.
  private func sections(_ days: [DayFigures], _ tables: PageTables) throws -> HTML {
    let language = tables.language
    var page: HTML = ""
    for (index, study) in studies.enumerated() {
      page += Panel.section(
        "figures-\(index)",
        language.phrase(
          studies.count > 1 ? Sentence("All figures: \(name: study.name)") : Sentence("All figures")),
        """
        <div class="stack">\(facts(study, language))\
        \(try tables.campaigns(study, suffix: studies.count > 1 ? study.name : nil))</div>
        """)
    }
    if let chain {
      page += Panel.section(
        "timer", language.say(Sentence("SKAdNetwork 3's timer")),
        note: language.say(
          Sentence("Revenue lost to the 24-hour timer alone, independent of the mapping.")),
        tables.chain(chain))
    }
    if !days.isEmpty {
      page += Panel.section(
        "days", language.say(Sentence("Every day")),
        note: language.say(
          Sentence(
            "Installs and true revenue are by install date, with all revenue within the horizon; the other "
              + "columns are by arrival date. Revenue in \(first.currency).")),
        tables.days(days, first.currency))
    }
    return page
  }

  private func facts(_ study: VariantStudy, _ language: PageLanguage) -> HTML {
    let read = (
      title: Sentence("users"),
      text: Sentence(
        "\(grouped: population.users) in \(population.rows, "row") of \(name: population.source)")
    )
    let facts = [read] + study.facts + population.remarks.map { (Sentence("read"), $0) }
    return Panel.list(facts.map { (language.phrase($0.title), language.phrase($0.text)) })
  }
}
