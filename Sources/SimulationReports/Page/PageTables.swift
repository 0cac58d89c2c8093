import ConversionMapping
import Platform
import Simulation

/// The tables of the page; each scrolls inside its own box.
enum PageTables {
  /// More campaigns are not written into a page.
  private static let most = 500

  /// The campaigns of a variant.
  static func campaigns(_ study: VariantStudy) -> HTML {
    let measures = study.shownMeasures
    let rows = study.rows.prefix(most)
    let folded = study.rows.count - rows.count
    let body = rows.map { row in
      line(printable(row.campaign), measures.map { $0.figure(row.figures).text })
    }
    let total = line("total", measures.map { $0.figure(study.total).text })
    let remarks = study.remarks.map { remark -> HTML in "<li>\(remark)</li>\n" }
    return """
      \(table(["campaign"] + measures.map { $0.title ?? $0.name }, body.joined(), total))\
      \(folded > 0 ? "<p>\(folded) smaller campaigns are only in the other formats.</p>" as HTML : "")\
      <ul class="notes">\(remarks.joined())</ul>
      """
  }

  /// The days of a variant.
  static func days(_ days: [DayFigures]) -> HTML {
    let body = days.map { day in line("\(day.day)", DayColumn.all.map { $0.figure(day).text }) }
    return table(["day, UTC"] + DayColumn.all.map(\.title), body.joined(), "")
  }

  /// The totals of several variants, one below the other.
  static func totals(_ studies: [VariantStudy]) -> HTML {
    let measures = Measure.all.filter { measure in
      measure.title != nil && (measure.isAlwaysShown || !measure.isEmpty(studies.map(\.total)))
    }
    let body = studies.map { study in
      line(
        "\(study.name), \(study.deviceName), \(study.currency)",
        measures.map { $0.figure(study.total).text })
    }
    return table(["mapping"] + measures.map { $0.title ?? $0.name }, body.joined(), "")
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

  private static func table(_ titles: [String], _ body: HTML, _ foot: HTML) -> HTML {
    let head = titles.map { title -> HTML in "<th scope=\"col\">\(title)</th>" }
    return """
      <div class="scroll" tabindex="0"><table>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>\(body)</tbody>
      <tfoot>\(foot)</tfoot>
      </table></div>

      """
  }
}
