package import Markup
package import Values

extension Panel {
  /// A table: one whose rows can be sorted in a box that scrolls, any other one fits its page.
  ///
  /// - Parameters:
  ///   - sorted: What rows are sorted by, as the parameter `sort` has it, and the address that has the parameter.
  ///   - hasTotal: Whether the last cell of each column is of all rows together.
  ///   - attributes: The attributes of each row that can be sorted, beginning with a space.
  package static func table(
    _ caption: HTML, _ columns: [DataTable.Column], sorted: (by: String, at: PageAddress)? = nil,
    hasTotal: Bool = false, attributes: [HTML] = [], _ texts: Texts
  ) -> HTML {
    guard let sorted else {
      return DataTable(caption, columns).fitting(helpTitle: texts.tableColumnHelp, hasTotal: hasTotal)
    }
    let address = sorted.at.without(["page"])
    return DataTable(caption, columns, order: (sorted.by, { address.with("sort", $0).text }))
      .markup(helpTitle: texts.tableColumnHelp, hasTotal: hasTotal, attributes: attributes)
  }

  /// A table whose rows have two lines and that fits its page, so that the page alone scrolls.
  ///
  /// - Parameters:
  ///   - totals: How many of the last cells of each column are of all rows together.
  ///   - scrolls: Whether it is in a box that scrolls, because it has columns of choice.
  package static func lines(
    _ caption: HTML, _ columns: [DataTable.Column], sorted: (by: String, at: PageAddress), totals: Int,
    scrolls: Bool, _ texts: Texts
  ) -> HTML {
    let address = sorted.at.without(["page"])
    return DataTable(caption, columns, order: (sorted.by, { address.with("sort", $0).text }))
      .lines(helpTitle: texts.tableColumnHelp, totals: totals, scrolls: scrolls)
  }

  /// A section with a table of the same name, and what comes below it.
  package static func section(
    _ id: String, _ heading: HTML, note: HTML = "", link: HTML = "", columns: [DataTable.Column],
    sorted: (by: String, at: PageAddress)? = nil, hasTotal: Bool = false, below: HTML = "", _ texts: Texts
  ) -> HTML {
    section(
      id, heading, note: note, link: link, flush: true,
      "\(table(heading, columns, sorted: sorted, hasTotal: hasTotal, texts))\(below)")
  }

  /// Links to pages that belong together, the page's own marked; `label` is what they have in common.
  package static func tabs(
    _ label: HTML, _ links: [(address: PageAddress, word: HTML)], current path: String
  ) -> HTML {
    let links = links.map { link -> HTML in
      let mark: HTML = link.address.path == path ? " aria-current=\"page\"" : ""
      return "<a href=\"\(link.address.text)\"\(mark)>\(link.word)</a>"
    }
    return "<nav aria-label=\"\(label)\"><span class=\"seg\">\(links.joined())</span></nav>"
  }

  /// The links between the pages of a long table.
  package static func pager(_ place: HTML, _ links: [(address: PageAddress, word: HTML)?], _ texts: Texts)
    -> HTML
  {
    let links = links.compactMap { link -> HTML? in
      link.map { "<a class=\"btn small\" href=\"\($0.address.text)\">\($0.word)</a>" }
    }
    guard !links.isEmpty else { return "" }
    return """
      <nav class="pager" aria-label="\(texts.pagerLabel)"><span>\(place)</span>\
      <span class="row">\(links.joined())</span></nav>
      """
  }

  /// The links to the pages before and behind a numbered one.
  package static func pager(
    _ place: HTML, page: Int, hasMore: Bool, _ address: PageAddress, _ texts: Texts
  ) -> HTML {
    pager(
      place,
      [
        page > 1 ? (address.with("page", "\(page - 1)"), texts.pagerBack) : nil,
        hasMore ? (address.with("page", "\(page + 1)"), texts.pagerNext) : nil,
      ], texts)
  }

  /// The rows of one page of a table, and the links to the others; a page beyond the last one counts as the last.
  package static func page<Row>(
    _ page: Int, of size: Int, _ rows: [Row], _ address: PageAddress, _ texts: Texts
  ) -> (rows: [Row], links: HTML) {
    let (start, links) = self.page(page, of: size, among: rows.count, address, texts)
    return (Array(rows.dropFirst(start).prefix(size)), links)
  }

  /// Where the rows of one page of a table begin among all, and the links to the other pages.
  package static func page(
    _ page: Int, of size: Int, among rows: Int, _ address: PageAddress, _ texts: Texts
  ) -> (start: Int, links: HTML) {
    let count = max(1, (rows + size - 1) / size)
    let current = min(max(1, page), count)
    return (
      (current - 1) * size,
      pager(
        texts.pagerPlace(page: current, pages: count), page: current, hasMore: current < count, address, texts
      )
    )
  }

  /// A drawing's figures as a table, behind a button.
  package static func asTable(_ table: HTML, _ texts: Texts) -> HTML {
    "<details class=\"as-table\"><summary>\(texts.chartAsTable)</summary>\(table)</details>"
  }

  /// A chart with its legend, a slider that reads its table, and the table.
  ///
  /// - Parameters:
  ///   - id: A word that no other figure of the page has.
  ///   - slider: What the slider moves along.
  ///   - count: The number of places; with less than two there is no slider.
  ///   - table: The same figures as a table, a row for each place.
  ///   - below: What belongs to the chart besides, such as a list of what happened.
  package static func chart(
    _ id: String, legend: [(sample: LegendSample, word: HTML)], _ chart: HTML, slider: HTML, count: Int,
    table: HTML, below: HTML = "", _ texts: Texts
  ) -> HTML {
    // Without a script the slider reads nothing, so it is the script that shows it. It runs as the chart does, from left to
    // right in every language.
    let scrub: HTML =
      count < 2
      ? ""
      : """
      <div class="scrub" hidden><input type="range" dir="ltr" id="s-\(id)" min="0" max="\(count - 1)" value="\(count - 1)" \
      data-scrub aria-label="\(slider)"><output for="s-\(id)"></output></div>
      """
    return "<figure>\(self.legend(legend))\(chart)\(scrub)\(below)\(asTable(table, texts))</figure>"
  }
}

extension Panel {
  /// Notes that are in view below a table; more of them are behind a button.
  private static let mostNotes = 2

  /// Notes of a report below its table, in the language of the page.
  package static func notes(_ notes: [Sentence], _ texts: Texts) -> HTML {
    let notes = notes.compactMap(\.forPages)
    let rest = list(of: notes.dropFirst(mostNotes), texts)
    let fold: HTML =
      rest.text.isEmpty
      ? "" : "<details class=\"more\"><summary>\(texts.campaignsNotes)</summary>\(rest)</details>"
    return "\(list(of: notes.prefix(mostNotes), texts))\(fold)"
  }

  /// All notes of a report, for where they are behind a button already.
  package static func allNotes(_ notes: [Sentence], _ texts: Texts) -> HTML {
    list(of: notes.compactMap(\.forPages)[...], texts)
  }

  private static func list(of notes: ArraySlice<Sentence>, _ texts: Texts) -> HTML {
    guard !notes.isEmpty else { return "" }
    let notes = notes.map { note -> HTML in "<p class=\"note\">\(texts.say(note))</p>" }
    return "<div class=\"notes\">\(notes.joined())</div>"
  }
}
