import ConversionMapping
import Platform
import Postbacks
import Simulation

/// The tables of the page; each scrolls inside its own box.
enum PageTables {
  /// More campaigns are not written into a page.
  private static let most = 500

  /// The campaigns of a variant.
  static func campaigns(_ study: VariantStudy) -> HTML {
    let folded = study.rows.count - min(most, study.rows.count)
    let remarks = study.remarks.map { remark -> HTML in "<li>\(remark)</li>\n" }
    return """
      \(campaigns(study, Measure.counts))\(campaigns(study, Measure.money))\
      \(folded > 0 ? "<p>\(folded) smaller campaigns are only in the other formats.</p>" as HTML : "")\
      <ul class="notes">\(remarks.joined())</ul>
      """
  }

  private static func campaigns(_ study: VariantStudy, _ measures: [Measure]) -> HTML {
    let measures = study.shown(measures)
    let rows = study.rows.prefix(most)
    let columns = measures.map { $0.cells(rows.map(\.figures) + [study.total]) }
    let body = rows.enumerated().map { index, row in
      line(printable(row.campaign), columns.map { $0[index] })
    }
    let total = line("total", columns.map { $0[rows.count] })
    return table(["campaign"] + measures.map { $0.title ?? $0.name }, body.joined(), total)
  }

  /// The days of a variant.
  static func days(_ days: [DayFigures]) -> HTML {
    let body = days.map { day in line("\(day.day)", DayColumn.all.map { $0.figure(day).text }) }
    return table(["day, UTC"] + DayColumn.all.map(\.title), body.joined(), "")
  }

  /// The totals of several variants, a column for each.
  static func totals(_ studies: [VariantStudy]) -> HTML {
    let totals = studies.map(\.total)
    let measures = Measure.all.filter { measure in
      measure.title != nil && (measure.isAlwaysShown || !measure.isEmpty(totals))
    }
    let body =
      [
        line("device", studies.map(\.deviceName)), line("crowd", studies.map { "\($0.configuration.crowd)" }),
        line("currency", studies.map(\.currency.text)),
      ] + measures.map { line($0.title ?? $0.name, $0.cells(totals)) }
    return table([""] + studies.map(\.name), body.joined(), "", style: "scroll whole")
  }

  /// What the 64 values mean and who has them; those without a meaning and a user are left out.
  static func values(_ study: VariantStudy) -> HTML {
    let window = study.total.sum[.first]
    let users = window.trueFine.reduce(0, +)
    let body = (0..<64).compactMap { value -> HTML? in
      guard let fine = FineValue(Int64(value)) else { return nil }
      let meaning = study.configuration.mapping.decode(fine)
      let count = window.trueFine[value]
      guard count > 0 || meaning != .unmapped else { return nil }
      return """
        <tr><th scope="row">\(value)</th><td class="words">\(meaning.line)</td>\
        <td>\(grouped(study.total.mean(count)))</td>\
        <td>\(users == 0 ? "" : fixed(100 * Double(count) / Double(users), 1))</td>\
        <td>\(grouped(study.total.mean(window.visibleFine[value])))</td>\
        <td>\(grouped(study.total.mean(window.revenueByFine[value])))</td></tr>\n
        """
    }
    return table(
      ["value", "meaning", "users", "users, %", "shown", "brought, \(study.currency)"], body.joined(), "")
  }

  /// What SKAdNetwork 3's timer costs at best.
  static func chain(_ chain: RollingChain) -> HTML {
    let body = chain.figures.map { length in
      line(
        counted(length.days, "day"),
        [
          grouped(length.users), length.brokenShare.map { Figure.share($0) }.text, grouped(length.revenue),
          grouped(length.captured), length.capturedShare.map { Figure.share($0) }.text,
        ])
    }
    return table(
      ["measured for", "users", "broken %", "revenue, \(chain.currency)", "captured", "captured %"],
      body.joined(), "")
  }

  private static func line(_ name: String, _ cells: [String]) -> HTML {
    let cells = cells.map { cell -> HTML in "<td>\(cell)</td>" }
    return "<tr><th scope=\"row\">\(name)</th>\(cells.joined())</tr>\n"
  }

  private static func table(
    _ titles: [String], _ body: HTML, _ foot: HTML, style: String = "scroll"
  ) -> HTML {
    let head = titles.map { title -> HTML in "<th scope=\"col\">\(title)</th>" }
    return """
      <div class="\(style)" tabindex="0"><table>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>\(body)</tbody>
      <tfoot>\(foot)</tfoot>
      </table></div>

      """
  }
}
