import Mappings
import Markup
import Postbacks
import Simulation
import Values

enum PageTables {
  /// More campaigns are not written into a page.
  private static let most = 500
  /// Campaigns whose revenue is drawn; the others are one.
  private static let mostBars = 20

  // MARK: Figures

  /// The campaigns of a variant; the suffix distinguishes it from others.
  static func campaigns(_ study: VariantStudy, _ suffix: String) throws -> HTML {
    let rows = try study.rows(most: most)
    let left = study.campaignCount - rows.count
    func campaigns(_ measures: [Measure<RunFigures>], _ caption: String) throws -> HTML {
      let names = rows.map { "\($0.campaign)" as HTML } + ["total"]
      return table(
        "\(caption)\(suffix)",
        [("campaign", names)]
          + (try study.shown(measures)).map { measure in
            ("\(measure.label)", measure.cells(rows.map(\.figures) + [study.total]).map { "\($0)" })
          }, hasTotal: true)
    }
    return """
      \(try campaigns(RunFigures.counts, "Installs, postbacks and values by campaign"))\
      \(try campaigns(RunFigures.money, "Revenue by campaign, \(study.currency)"))\
      \(left > 0 ? "<p>\(left) smaller campaigns are only in the other formats.</p>" as HTML : "")\
      \(Panel.notes(study.remarks))
      """
  }

  static func days(_ days: [DayFigures], _ currency: CurrencyCode) -> HTML {
    table(
      "Installs, postbacks and revenue by day, UTC; revenue in \(currency)",
      [("day", days.map { "\("\($0.day)" as String)" })] + columns(DayFigures.measures, days))
  }

  /// A column for each measure that people see.
  private static func columns<Subject>(
    _ measures: [Measure<Subject>], _ subjects: [Subject]
  ) -> [(title: HTML, cells: [HTML])] {
    measures.filter { $0.title != nil }.map { measure in
      ("\(measure.label)", subjects.map { "\(measure.figure($0).text)" })
    }
  }

  /// The totals of several variants, a column for each.
  static func totals(_ studies: [VariantStudy]) -> HTML {
    let totals = studies.map(\.total)
    let measures = RunFigures.measures.filter { measure in
      measure.title != nil
        && (measure.isAlwaysShown || !totals.allSatisfy { measure.figure($0)?.isZero ?? true })
    }
    let cells = measures.map { $0.cells(totals) }
    return table(
      "Totals of all campaigns by mapping",
      [("figure", ["protocol", "privacy threshold", "currency"] + measures.map { "\($0.label)" })]
        + studies.enumerated().map { index, study in
          (
            "\(study.name)",
            ["\(study.deviceName)", "\("\(study.configuration.crowd)" as String)", "\(study.currency.text)"]
              + cells.map { "\($0[index])" }
          )
        })
  }

  /// What SKAdNetwork 3's timer costs at best.
  static func chain(_ chain: RollingChain) -> HTML {
    table(
      "Revenue that a chain of updates within 24 hours can measure, \(chain.currency)",
      columns(RollingChain.Figures.measures, chain.figures))
  }

  // MARK: Revenue

  /// True, captured and visible revenue of the largest campaigns, and of the others together, as bars.
  static func revenue(_ study: VariantStudy) throws -> HTML {
    // One campaign alone needs as much room as its sum with others.
    let kept = study.campaignCount <= mostBars + 1 ? study.campaignCount : mostBars
    let folded = study.campaignCount - kept
    var rows: [(name: String, sums: [MoneySum])] = []
    var others = (name: "\(folded) others", sums: [MoneySum](repeating: .zero, count: 5))
    try study.forEachRow { row in
      let (sum, figures) = (row.figures.sum, row.figures)
      rows.append(
        (
          row.campaign,
          [sum.revenue, sum.captured, sum.visible, sum.visibleLow, sum.visibleHigh].map { figures.mean($0) }
        ))
      rows.sort { ($1.sums[0].micros, $0.name) < ($0.sums[0].micros, $1.name) }
      guard rows.count > kept else { return }
      for (index, sum) in rows.removeLast().sums.enumerated() { others.sums[index] += sum }
    }
    if folded > 0 { rows.append(others) }
    guard rows.contains(where: { $0.sums.contains { $0 != .zero } }) else {
      return Panel.section(
        "revenue", "Revenue by campaign",
        "<p>No campaign has revenue in \(study.currency.text), neither true nor visible.</p>")
    }
    let units = rows.flatMap { $0.sums.map(\.units) }
    let (least, most) = (min(0, units.min() ?? 0), max(0, units.max() ?? 0))
    func place(_ sum: MoneySum) -> Double { 100 * (sum.units - least) / max(most - least, 1e-9) }
    let bars = rows.map { row -> HTML in
      let bars = zip(row.sums, ["f6", "f1", "f2"]).enumerated().map { index, bar -> HTML in
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
    func sums(_ index: Int) -> [HTML] { rows.map { "\(grouped($0.sums[index]))" } }
    let columns: [DataTable.Column] = [
      .init("campaign", isNumber: false, rows.map { "\($0.name)" }), .init("true revenue", sums(0)),
      .init("captured by the mapping", sums(1)), .init("visible in reports", sums(2)),
      .init("visible, at least", sums(3)), .init("visible, at most", sums(4)),
      .init("true, captured, visible", isNumber: false, style: "wh", bars),
    ]
    let legend = Panel.legend(
      [(.bar("f6"), "true"), (.bar("f1"), "captured by the mapping"), (.bar("f2"), "visible in reports")],
      style: "legend in")
    return Panel.section(
      "revenue", "Revenue by campaign",
      note: .prose(
        "True revenue of each campaign within \(counted(study.configuration.horizonDays, "day")), "
          + "revenue of its final values, and revenue visible in reports after Apple has withheld values; "
          + "in \(study.currency)."
          + (folded > 0
            ? " The \(mostBars) campaigns with the most revenue; \(folded) others form one group." : "")),
      flush: true, "\(legend)\(DataTable("revenue by campaign, \(study.currency.text)", columns).markup())")
  }

  // MARK: Values

  /// The 64 fine values coloured by users and by money, and what all values mean.
  static func values(_ study: VariantStudy) -> HTML {
    let window = study.total.sum[.first]
    let users = window.trueFine.reduce(0, +)
    guard users > 0 else {
      return Panel.section(
        "values", "The 64 values", "<p>No user has a final fine value, so there is nothing to show.</p>")
    }
    // A refund must not make the others' shares larger than all.
    let money = window.revenueByFine.reduce(MoneySum.zero) { $1.micros > 0 ? $0 + $1 : $0 }.micros
    let byUsers = grid("share of users by value") { Double(window.trueFine[$0]) / Double(users) }
    let byMoney = grid("share of revenue by value") { value in
      money == 0 ? 0 : max(0, Double(window.revenueByFine[value].micros) / Double(money))
    }
    let note: HTML = money == 0 ? "No user has revenue." : "Percentage of the users' revenue in window 1."
    return Panel.section(
      "values", "The 64 values",
      note:
        "Final values of users in window 1, before Apple withholds any. The list below has their meanings.",
      """
      <div class="stack"><h3>By users</h3><p>Percentage of the users with a value.</p>\(byUsers)
      <h3>By revenue</h3><p>\(note)</p>\(byMoney)<h3>Meanings</h3>\(meanings(study))\(coarse(study))</div>
      """)
  }

  private static func grid(_ caption: HTML, _ share: (Int) -> Double) -> HTML {
    ValueGrid.markup(caption) { value in
      let share = share(value)
      let step = share <= 0 ? 0 : 1 + [0.001, 0.003, 0.01, 0.03, 0.1, 0.3].count { share >= $0 }
      let text = share < 0.001 ? "<.1" : fixed(share * 100, share < 0.0995 ? 1 : 0)
      let shown: HTML = share > 0 ? "\(text)<small> %</small>" : ""
      return """
        <div class="cell h\(step)"><span class="v">\(value)</span><span class="n">\(shown)</span></div>
        """
    }
  }

  /// What the 64 values mean and who has them; those without a meaning and a user are left out.
  private static func meanings(_ study: VariantStudy) -> HTML {
    let (total, window) = (study.total, study.total.sum[.first])
    let users = Double(window.trueFine.reduce(0, +))
    let values = (0..<64).compactMap { number -> (number: Int, meaning: Meaning)? in
      guard let value = FineValue(Int64(number)) else { return nil }
      let meaning = study.configuration.mapping.decode(value)
      return window.trueFine[number] > 0 || meaning != .unmapped ? (number, meaning) : nil
    }
    return table(
      "Meaning, users and revenue of the values, \(study.currency)",
      [
        ("value", values.map { "\($0.number)" }), ("meaning", values.map { "\($0.meaning.line)" }),
        ("users", values.map { "\(grouped(total.mean(window.trueFine[$0.number])))" }),
        ("users, %", values.map { "\(fixed(100 * Double(window.trueFine[$0.number]) / users, 1))" }),
        ("shown", values.map { "\(grouped(total.mean(window.visibleFine[$0.number])))" }),
        (
          "revenue, \(study.currency.text)",
          values.map { "\(grouped(total.mean(window.revenueByFine[$0.number])))" }
        ),
      ], words: 1)
  }

  /// The coarse values, which have no place among the 64; empty where no user has one.
  private static func coarse(_ study: VariantStudy) -> HTML {
    let windows = study.windows.filter { window in
      let outcome = study.total.sum[window]
      return outcome.trueCoarse.reduce(0, +) + outcome.visibleCoarse.reduce(0, +) > 0
    }
    guard !windows.isEmpty else { return "" }
    let rows = windows.flatMap { window in
      CoarseValue.allCases.enumerated().map { (window: window, index: $0, value: $1) }
    }
    func counts(_ count: (WindowOutcome) -> [Int]) -> [HTML] {
      rows.map { "\(grouped(study.total.mean(count(study.total.sum[$0.window])[$0.index])))" }
    }
    let table = table(
      "Coarse values by window: users with the value, and postbacks that show it",
      [
        ("window", rows.map { "window \($0.window.rawValue + 1)" }),
        ("value", rows.map { "\($0.value.rawValue)" }),
        (
          "meaning",
          rows.map { "\(study.configuration.mapping.decode($0.value, window: $0.window).line)" }
        ), ("set", counts(\.trueCoarse)), ("shown", counts(\.visibleCoarse)),
      ], words: 2)
    return "<h3>The coarse values</h3>\n\(table)"
  }

  // MARK: Tables

  /// A table that can be put away; `words` is how many columns behind the first are texts.
  private static func table(
    _ caption: String, _ columns: [(title: HTML, cells: [HTML])], words: Int = 0, hasTotal: Bool = false
  ) -> HTML {
    let columns = columns.enumerated().map { index, column in
      DataTable.Column(column.title, isNumber: index > words, column.cells)
    }
    return """
      <details class="as-table" open><summary>\(caption)</summary>\
      \(DataTable("\(caption)", columns).markup(hasTotal: hasTotal))</details>

      """
  }
}
