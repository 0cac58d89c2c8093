import Mappings
import Markup
import Postbacks
import Simulation
import Tables
import Values

/// The tables of the page.
struct PageTables {
  let language: PageLanguage

  /// More campaigns are not written into a page.
  private static let most = 500
  /// Campaigns whose revenue is drawn; the others are one.
  private static let mostBars = 20

  // MARK: Figures

  /// The campaigns of a variant; the suffix distinguishes it from others.
  func campaigns(_ study: VariantStudy, suffix: String?) throws -> HTML {
    let rows = try study.rows(most: Self.most)
    let left = study.campaignCount - rows.count
    func campaigns(_ figures: [Column<RunFigures>], _ caption: Sentence) -> HTML {
      let names = rows.map { "\($0.campaign)" as HTML } + [language.phrase(Sentence("total"))]
      return table(
        suffix.map { Sentence("\(caption): \(name: $0)") } ?? caption,
        [(Sentence("campaign"), names)] + columns(study.shown(figures), rows.map(\.figures) + [study.total]),
        hasTotal: true)
    }
    let leftOut: HTML =
      left > 0
      ? "<p>\(language.say(Sentence("\(left) smaller campaigns are only in the other formats.")))</p>" : ""
    return """
      \(campaigns(RunFigures.counts, Sentence("Installs, postbacks and values by campaign")))\
      \(campaigns(RunFigures.money, Sentence("Revenue by campaign, \(study.currency)")))\
      \(leftOut)\
      \(Panel.notes(study.remarks.map { language.say($0) }))
      """
  }

  func days(_ days: [DayFigures], _ currency: CurrencyCode) -> HTML {
    table(
      Sentence("Installs, postbacks and revenue by day, UTC; revenue in \(currency)"),
      columns(DayFigures.columns, days))
  }

  /// The columns that people see, each under its explanation.
  private func columns<Row: Sendable>(
    _ columns: [Column<Row>], _ rows: [Row]
  ) -> [(title: Sentence, cells: [HTML])] {
    let table = Table(columns, rows: rows)
    let shown = table.headersForPeople
    return table.headers.indices.filter { shown.contains(table.headers[$0]) }.map { place in
      let header = table.headers[place]
      return (header.help, numbers(table.rows.map { header.kind.text($0[place]) }))
    }
  }

  /// Numbers as the language writes them.
  private func numbers(_ texts: [String]) -> [HTML] { texts.map { "\(language.number($0))" } }

  /// The totals of several variants, a column for each.
  func totals(_ studies: [VariantStudy]) -> HTML {
    let figures = columns(RunFigures.columns, studies.map(\.total))
    let facts = [Sentence("protocol"), Sentence("privacy threshold"), Sentence("currency")]
    return table(
      language.phrase(Sentence("Totals of all campaigns by mapping")),
      [(language.phrase(Sentence("figure")), (facts + figures.map(\.title)).map { language.phrase($0) })]
        + studies.enumerated().map { index, study in
          (
            "\(study.name)",
            ["\(study.deviceName)", "\("\(study.configuration.crowd)" as String)", "\(study.currency.text)"]
              + figures.map { $0.cells[index] }
          )
        })
  }

  /// What SKAdNetwork 3's timer costs at best.
  func chain(_ chain: RollingChain) -> HTML {
    table(
      Sentence("Revenue that a chain of updates within 24 hours can measure, \(chain.currency)"),
      columns(RollingChain.Figures.columns, chain.figures))
  }

  // MARK: Revenue

  /// True, captured and visible revenue of the largest campaigns, and of the others together, as bars.
  func revenue(_ study: VariantStudy) throws -> HTML {
    // One campaign alone needs as much room as its sum with others.
    let kept = study.campaignCount <= Self.mostBars + 1 ? study.campaignCount : Self.mostBars
    let folded = study.campaignCount - kept
    var rows: [(name: String, sums: [MoneySum])] = []
    var others = [MoneySum](repeating: .zero, count: 5)
    try study.forEachRow { row in
      let (sum, figures) = (row.figures.sum, row.figures)
      rows.append(
        (
          row.campaign,
          [sum.revenue, sum.captured, sum.visible, sum.visibleLow, sum.visibleHigh].map { figures.mean($0) }
        ))
      rows.sort { ($1.sums[0].micros, $0.name) < ($0.sums[0].micros, $1.name) }
      guard rows.count > kept else { return }
      for (index, sum) in rows.removeLast().sums.enumerated() { others[index] += sum }
    }
    let names =
      rows.map { "\($0.name)" as HTML } + (folded > 0 ? [language.phrase(Sentence("\(folded) others"))] : [])
    let sums = rows.map(\.sums) + (folded > 0 ? [others] : [])
    let heading = language.say(Sentence("Revenue by campaign"))
    guard sums.contains(where: { $0.contains { $0 != .zero } }) else {
      return Panel.section(
        "revenue", heading,
        nothing(Sentence("No campaign has revenue in \(study.currency), neither true nor visible.")))
    }
    var note = [
      Sentence(
        "True revenue of each campaign within \(study.configuration.horizonDays, "day"), "
          + "revenue of its final values, and revenue visible in reports after Apple has withheld values; "
          + "in \(study.currency).")
    ]
    if folded > 0 {
      note.append(
        Sentence(
          "The \(Self.mostBars) campaigns with the most revenue; \(folded) others form one group."))
    }
    return Panel.section(
      "revenue", heading, note: language.say(note), flush: true,
      "\(legend)\(bars(names, sums, study.currency))")
  }

  private var legend: HTML {
    let entries: [(sample: LegendSample, word: Sentence)] = [
      (.bar("f6"), Sentence("true")), (.bar("f1"), Sentence("captured by the mapping")),
      (.bar("f2"), Sentence("visible in reports")),
    ]
    return Panel.legend(entries.map { ($0.sample, language.phrase($0.word)) }, style: "legend in")
  }

  /// A table of names with their true, captured and visible revenue, the last at least and at most, and bars of it.
  private func bars(_ names: [HTML], _ rows: [[MoneySum]], _ currency: CurrencyCode) -> HTML {
    let units = rows.flatMap { $0.map(\.units) }
    let (least, most) = (min(0, units.min() ?? 0), max(0, units.max() ?? 0))
    func place(_ sum: MoneySum) -> Double { 100 * (sum.units - least) / max(most - least, 1e-9) }
    let bars = rows.map { row -> HTML in
      let bars = zip(row, ["f6", "f1", "f2"]).enumerated().map { index, bar -> HTML in
        let (zero, end) = (place(.zero), place(bar.0))
        return """
          <rect class="\(bar.1)" x="\(trimmed(min(zero, end), 1))" y="\(4 * index)" \
          width="\(trimmed((end - zero).magnitude, 1))" height="3.5"/>
          """
      }
      return """
        <svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">\(bars.joined())</svg>
        """
    }
    func sums(_ title: Sentence, _ index: Int) -> DataTable.Column {
      .init(language.phrase(title), numbers(rows.map { grouped($0[index]) }))
    }
    let columns: [DataTable.Column] = [
      .init(language.phrase(Sentence("campaign")), isNumber: false, names),
      sums(Sentence("true revenue"), 0), sums(Sentence("captured by the mapping"), 1),
      sums(Sentence("visible in reports"), 2), sums(Sentence("visible, at least"), 3),
      sums(Sentence("visible, at most"), 4),
      .init(
        language.phrase(Sentence("true, captured, visible")), isNumber: false, style: "wh", bars),
    ]
    return DataTable(language.phrase(Sentence("revenue by campaign, \(currency)")), columns).markup()
  }

  // MARK: Values

  /// The 64 fine values coloured by users and by money, and what all values mean.
  func values(_ study: VariantStudy) -> HTML {
    let window = study.total.sum[.first]
    let users = window.trueFine.reduce(0, +)
    let heading = language.say(Sentence("The 64 values"))
    guard users > 0 else {
      return Panel.section(
        "values", heading,
        nothing(Sentence("No user has a final fine value, so there is nothing to show.")))
    }
    // A refund must not make the others' shares larger than all.
    let money = window.revenueByFine.reduce(MoneySum.zero) { $1.micros > 0 ? $0 + $1 : $0 }.micros
    let byUsers = grid(Sentence("share of users by value")) { Double(window.trueFine[$0]) / Double(users) }
    let byMoney = grid(Sentence("share of revenue by value")) { value in
      money == 0 ? 0 : max(0, Double(window.revenueByFine[value].micros) / Double(money))
    }
    let note =
      money == 0
      ? Sentence("No user has revenue.") : Sentence("Percentage of the users' revenue in window 1.")
    return Panel.section(
      "values", heading,
      note: language.say(
        Sentence(
          "Final values of users in window 1, before Apple withholds any. The list below has their meanings.")
      ),
      """
      <div class="stack"><h3>\(language.say(Sentence("By users")))</h3>\
      <p>\(language.say(Sentence("Percentage of the users with a value.")))</p>\(byUsers)
      <h3>\(language.say(Sentence("By revenue")))</h3><p>\(language.say(note))</p>\(byMoney)\
      <h3>\(language.say(Sentence("Meanings")))</h3>\(meanings(study))\(coarse(study))</div>
      """)
  }

  private func grid(_ caption: Sentence, _ share: (Int) -> Double) -> HTML {
    ValueGrid.markup(language.phrase(caption)) { value in
      let share = share(value)
      let step = share <= 0 ? 0 : 1 + [0.001, 0.003, 0.01, 0.03, 0.1, 0.3].count { share >= $0 }
      let text = language.number(share < 0.001 ? "<.1" : fixed(share * 100, share < 0.0995 ? 1 : 0))
      let shown: HTML = share > 0 ? "\(text)<small> %</small>" : ""
      return """
        <div class="cell h\(step)"><span class="v">\(value)</span><span class="n">\(shown)</span></div>
        """
    }
  }

  /// What the 64 values mean and who has them; those without a meaning and a user are left out.
  private func meanings(_ study: VariantStudy) -> HTML {
    let (total, window) = (study.total, study.total.sum[.first])
    let users = Double(window.trueFine.reduce(0, +))
    let values = (0..<64).compactMap { number -> (number: Int, meaning: Meaning)? in
      guard let value = FineValue(Int64(number)) else { return nil }
      let meaning = study.configuration.mapping.decode(value)
      return window.trueFine[number] > 0 || meaning != .unmapped ? (number, meaning) : nil
    }
    func counts(_ counts: [Int]) -> [HTML] {
      numbers(values.map { grouped(total.mean(counts[$0.number])) })
    }
    return table(
      Sentence("Meaning, users and revenue of the values, \(study.currency)"),
      [
        (Sentence("value"), values.map { "\($0.number)" }),
        (Sentence("meaning"), values.map { words($0.meaning) }),
        (Sentence("users"), counts(window.trueFine)),
        (
          Sentence("users, %"),
          numbers(values.map { fixed(100 * Double(window.trueFine[$0.number]) / users, 1) })
        ),
        (Sentence("shown"), counts(window.visibleFine)),
        (
          Sentence("revenue, \(study.currency)"),
          numbers(values.map { grouped(total.mean(window.revenueByFine[$0.number])) })
        ),
      ], words: 1)
  }

  private func words(_ meaning: Meaning) -> HTML { language.phrase(meaning.line) }

  /// The coarse values, which have no place among the 64; empty where no user has one.
  private func coarse(_ study: VariantStudy) -> HTML {
    let windows = study.windows.filter { window in
      let outcome = study.total.sum[window]
      return outcome.trueCoarse.reduce(0, +) + outcome.visibleCoarse.reduce(0, +) > 0
    }
    guard !windows.isEmpty else { return "" }
    let rows = windows.flatMap { window in
      CoarseValue.allCases.enumerated().map { (window: window, index: $0, value: $1) }
    }
    func counts(_ count: (WindowOutcome) -> [Int]) -> [HTML] {
      numbers(rows.map { grouped(study.total.mean(count(study.total.sum[$0.window])[$0.index])) })
    }
    let table = table(
      Sentence("Coarse values by window: users with the value, and postbacks that show it"),
      [
        (
          Sentence("window"),
          rows.map { language.phrase(Sentence("window \($0.window.rawValue + 1)")) }
        ),
        (Sentence("value"), rows.map { language.phrase($0.value.word) }),
        (
          Sentence("meaning"),
          rows.map { words(study.configuration.mapping.decode($0.value, window: $0.window)) }
        ), (Sentence("set"), counts(\.trueCoarse)), (Sentence("shown"), counts(\.visibleCoarse)),
      ], words: 2)
    return "<h3>\(language.say(Sentence("The coarse values")))</h3>\n\(table)"
  }

  // MARK: Tables

  /// A table that can be put away; `words` is how many columns behind the first are texts.
  private func table(
    _ caption: Sentence, _ columns: [(title: Sentence, cells: [HTML])], words: Int = 0, hasTotal: Bool = false
  ) -> HTML {
    table(
      language.phrase(caption), columns.map { (language.phrase($0.title), $0.cells) }, words: words,
      hasTotal: hasTotal)
  }

  private func table(
    _ caption: HTML, _ columns: [(title: HTML, cells: [HTML])], words: Int = 0, hasTotal: Bool = false
  ) -> HTML {
    let columns = columns.enumerated().map { index, column in
      DataTable.Column(column.title, isNumber: index > words, column.cells)
    }
    return """
      <details class="as-table" open><summary>\(caption)</summary>\
      \(DataTable(caption, columns).markup(hasTotal: hasTotal))</details>

      """
  }

  /// Why there is nothing to show.
  private func nothing(_ sentence: Sentence) -> HTML { "<p>\(language.say(sentence))</p>" }
}

extension CoarseValue {
  fileprivate var word: Sentence {
    switch self {
    case .low: Sentence("low")
    case .medium: Sentence("medium")
    case .high: Sentence("high")
    }
  }
}
