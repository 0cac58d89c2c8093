package import Markup
import Values

/// A table of a page: typed columns, heads that are links to sort by, a box that scrolls where it does not fit.
package struct TableView<Row>: Sendable where Row: Sendable {
  /// A column: its head, what it means, and its cells.
  package struct Column: Sendable {
    let title: HTML
    let help: HTML?
    /// The value of the parameter `sort` for the smallest first.
    let sort: String?
    let isNumber: Bool
    /// The class of its cells.
    let style: String
    let cell: @Sendable (Row) -> HTML

    package init(
      _ title: HTML, help: HTML? = nil, sort: String? = nil, isNumber: Bool = true, style: String = "",
      cell: @escaping @Sendable (Row) -> HTML
    ) {
      self.title = title
      self.help = help
      self.sort = sort
      self.isNumber = isNumber
      self.style = style.isEmpty && isNumber ? "n" : style
      self.cell = cell
    }
  }

  private let caption: HTML
  private let columns: [Column]
  private let texts: Texts
  /// Where heads link to; `nil` for a table in one order.
  private let address: PageAddress?
  private let sort: String

  /// - Parameters:
  ///   - caption: What the table shows; also the name of its box.
  ///   - columns: The columns; the first has the names of the rows.
  ///   - texts: The words of the page's language.
  ///   - sort: What rows are sorted by now, as the parameter has it.
  package init(
    _ caption: HTML, _ columns: [Column], texts: Texts, address: PageAddress? = nil, sort: String = ""
  ) {
    self.caption = caption
    self.columns = columns
    self.texts = texts
    self.address = address
    self.sort = sort
  }

  /// The markup of the table and of what its columns mean.
  ///
  /// - Parameters:
  ///   - rows: The rows in their order.
  ///   - attributes: The attributes of a row, beginning with a space.
  /// - Returns: The table in a box, with an explanation of its columns.
  package func markup(
    _ rows: [Row], total: Row? = nil, attributes: ((Row) -> HTML)? = nil
  ) -> HTML {
    let body = rows.map { row -> HTML in "<tr\(attributes?(row) ?? "")>\(cells(row))</tr>\n" }.joined()
    let foot: HTML = total.map { "<tfoot><tr>\(cells($0))</tr></tfoot>" } ?? ""
    let head = columns.map(head).joined()
    let explained = columns.filter { $0.help != nil }.map { column -> HTML in
      "<dt>\(column.title)</dt><dd>\(column.help ?? "")</dd>"
    }
    let help: HTML =
      explained.isEmpty
      ? ""
      : """
      <details class="more below"><summary>\(texts.tableColumnHelp)</summary><dl class="kv">\(explained.joined())</dl></details>
      """
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="\(caption)"><table class="stick">\
      <caption class="sr">\(caption)</caption><thead><tr>\(head)</tr></thead><tbody>
      \(body)</tbody>\(foot)</table></div>\(help)
      """
  }

  private func head(_ column: Column) -> HTML {
    let style: HTML = column.style.isEmpty ? "" : " class=\"\(column.isNumber ? "n" : column.style)\""
    guard let address, let name = column.sort else {
      return "<th scope=\"col\"\(style)>\(column.title)</th>"
    }
    let isDescending = sort == "-" + name
    let isAscending = sort == name
    let state: HTML =
      isDescending ? " aria-sort=\"descending\"" : isAscending ? " aria-sort=\"ascending\"" : ""
    // Numbers begin with the largest, names with the first.
    let next = column.isNumber ? (isDescending ? name : "-" + name) : (isAscending ? "-" + name : name)
    return """
      <th scope="col"\(style)\(state)><a href="\(address.with("sort", next).text)">\(column.title)</a></th>
      """
  }

  private func cells(_ row: Row) -> HTML {
    columns.enumerated().map { index, column -> HTML in
      let style: HTML = column.style.isEmpty ? "" : " class=\"\(column.style)\""
      return index == 0
        ? "<th scope=\"row\"\(style)>\(column.cell(row))</th>" : "<td\(style)>\(column.cell(row))</td>"
    }.joined()
  }
}
