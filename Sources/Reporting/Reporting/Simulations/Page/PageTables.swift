import Mappings
import Markup
import Postbacks
import Simulation
import Values

enum PageTables {
  /// More campaigns are not written into a page.
  private static let most = 500

  /// The campaigns of a variant; the suffix distinguishes it from others.
  static func campaigns(_ study: VariantStudy, _ suffix: String) throws -> HTML {
    let rows = try study.rows(most: most)
    let folded = study.campaignCount - rows.count
    let remarks = study.remarks.map { remark -> HTML in "<li>\(remark)</li>\n" }
    let counts = try campaigns(
      study, rows, Measure.counts, "Installs, postbacks and values by campaign\(suffix)")
    let money = try campaigns(study, rows, Measure.money, "Revenue by campaign, \(study.currency)\(suffix)")
    return """
      \(counts)\(money)\
      \(folded > 0 ? "<p>\(folded) smaller campaigns are only in the other formats.</p>" as HTML : "")\
      <ul class="notes">\(remarks.joined())</ul>
      """
  }

  private static func campaigns(
    _ study: VariantStudy, _ rows: [VariantStudy.Row], _ measures: [Measure], _ caption: String
  ) throws -> HTML {
    let measures = try study.shown(measures)
    let columns = measures.map { $0.cells(rows.map(\.figures) + [study.total]) }
    var table = PageTable(caption, ["campaign"] + measures.map(\.label))
    for (index, row) in rows.enumerated() { table.add(printable(row.campaign), columns.map { $0[index] }) }
    table.close("total", columns.map { $0[rows.count] })
    return table.markup
  }

  static func days(_ days: [DayFigures], _ currency: CurrencyCode) -> HTML {
    var table = PageTable(
      "Installs, postbacks and revenue by day, UTC; revenue in \(currency)",
      ["day"] + DayColumn.all.map(\.label))
    for day in days { table.add("\(day.day)", DayColumn.all.map { $0.figure(day).text }) }
    return table.markup
  }

  /// The totals of several variants, a column for each.
  static func totals(_ studies: [VariantStudy]) -> HTML {
    let totals = studies.map(\.total)
    let measures = Measure.all.filter { measure in
      measure.title != nil
        && (measure.isAlwaysShown || !totals.allSatisfy { measure.figure($0)?.isZero ?? true })
    }
    var table = PageTable(
      "Totals of all campaigns by mapping", ["figure"] + studies.map(\.name), isWhole: true)
    table.add("protocol", studies.map(\.deviceName))
    table.add("privacy threshold", studies.map { "\($0.configuration.crowd)" })
    table.add("currency", studies.map(\.currency.text))
    for measure in measures { table.add(measure.label, measure.cells(totals)) }
    return table.markup
  }

  /// What the 64 values mean and who has them; those without a meaning and a user are left out.
  static func values(_ study: VariantStudy) -> HTML {
    let window = study.total.sum[.first]
    let users = window.trueFine.reduce(0, +)
    var table = PageTable(
      "Meaning, users and revenue of the values, \(study.currency)",
      ["value", "meaning", "users", "users, %", "shown", "revenue, \(study.currency)"], words: 0)
    for value in 0..<64 {
      guard let fine = FineValue(Int64(value)) else { continue }
      let meaning = study.configuration.mapping.decode(fine)
      let count = window.trueFine[value]
      guard count > 0 || meaning != .unmapped else { continue }
      table.add(
        "\(value)",
        [
          meaning.line, grouped(study.total.mean(count)),
          users == 0 ? "" : fixed(100 * Double(count) / Double(users), 1),
          grouped(study.total.mean(window.visibleFine[value])),
          grouped(study.total.mean(window.revenueByFine[value])),
        ])
    }
    return table.markup
  }

  /// The coarse values, which have no place among the 64; empty where no user has one.
  static func coarse(_ study: VariantStudy) -> HTML {
    let windows = study.windows.filter { window in
      let outcome = study.total.sum[window]
      return outcome.trueCoarse.reduce(0, +) + outcome.visibleCoarse.reduce(0, +) > 0
    }
    guard !windows.isEmpty else { return "" }
    var table = PageTable(
      "Coarse values by window: users with the value, and postbacks that show it",
      ["window", "value", "meaning", "set", "shown"], words: 1)
    for window in windows {
      let outcome = study.total.sum[window]
      for (index, value) in CoarseValue.allCases.enumerated() {
        table.add(
          "window \(window.rawValue + 1)",
          [
            value.rawValue, study.configuration.mapping.decode(value, window: window).line,
            grouped(study.total.mean(outcome.trueCoarse[index])),
            grouped(study.total.mean(outcome.visibleCoarse[index])),
          ])
      }
    }
    return "<h3>The coarse values</h3>\n\(table.markup)"
  }

  /// What SKAdNetwork 3's timer costs at best.
  static func chain(_ chain: RollingChain) -> HTML {
    var table = PageTable(
      "Revenue that a chain of updates within 24 hours can measure, \(chain.currency)",
      ["measured for", "users", "timers that ran out, %", "true revenue", "captured", "captured, %"])
    for length in chain.figures {
      table.add(
        counted(length.days, "day"),
        [
          grouped(length.users), length.brokenShare.map { Figure.share($0) }.text, grouped(length.revenue),
          grouped(length.captured), length.capturedShare.map { Figure.share($0) }.text,
        ])
    }
    return table.markup
  }
}
