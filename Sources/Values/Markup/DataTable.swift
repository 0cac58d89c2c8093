/// A table as columns, each with its cells, in a box that scrolls where it does not fit.
///
/// One whose rows can be sorted has a line for each, with the interval beside its figure.
package struct DataTable {
  package struct Column {
    fileprivate let title: HTML
    fileprivate let help: HTML?
    /// The value of the parameter `sort` for the smallest first.
    fileprivate let sort: String?
    fileprivate let isNumber: Bool
    fileprivate let style: HTML
    fileprivate let cells: [HTML]

    /// - Parameter style: The class of its cells.
    package init(
      _ title: HTML, help: HTML? = nil, sort: String? = nil, isNumber: Bool = true,
      style: HTML = "", _ cells: [HTML]
    ) {
      (self.title, self.help, self.sort, self.isNumber) = (title, help, sort, isNumber)
      self.style = style.text.isEmpty && isNumber ? "n" : style
      self.cells = cells
    }
  }

  /// What rows are sorted by, and where a head leads that sorts by something else.
  package typealias Order = (current: String, link: (_ sort: String) -> String)

  /// What the table shows; also the name of its box.
  private let caption: HTML
  private let columns: [Column]
  private let order: Order?

  /// - Parameter columns: The columns; the first has the names of the rows.
  package init(_ caption: HTML, _ columns: [Column], order: Order? = nil) {
    (self.caption, self.columns, self.order) = (caption, columns, order)
  }

  /// - Parameters:
  ///   - helpTitle: What is written above the meaning of the columns.
  ///   - hasTotal: Whether the last cell of each column is of all rows together.
  ///   - attributes: The attributes of each row, beginning with a space; none where it is empty.
  package func markup(helpTitle: HTML = "", hasTotal: Bool = false, attributes: [HTML] = []) -> HTML {
    let count = (columns.first?.cells.count ?? 0) - (hasTotal ? 1 : 0)
    let body = (0..<count).map { row -> HTML in
      "<tr\(attributes.isEmpty ? "" : attributes[row])>\(cells(row))</tr>\n"
    }
    let foot: HTML = hasTotal ? "<tfoot><tr>\(cells(count))</tr></tfoot>" : ""
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="\(caption.words)"><table class="stick\(order == nil ? "" : " dense")">\
      <caption class="sr">\(caption)</caption><thead><tr>\(columns.map(head).joined())</tr></thead><tbody>
      \(body.joined())</tbody>\(foot)</table></div>\(help(helpTitle))
      """
  }

  /// A table whose rows have two lines.
  ///
  /// A small window lays rows out as boxes, which takes the parts of a table from readers of the screen; each states what it is.
  ///
  /// - Parameters:
  ///   - totals: How many of the last cells of each column are of all rows together.
  ///   - scrolls: Whether it is in a box that scrolls, because it can be wider than its page.
  package func lines(helpTitle: HTML, totals: Int, scrolls: Bool) -> HTML {
    let count = columns.first?.cells.count ?? 0
    func row(_ index: Int) -> HTML {
      let cells = columns.enumerated().map { place, column -> HTML in
        let style: HTML = column.style.text.isEmpty ? "" : " class=\"\(column.style)\""
        return place == 0
          ? "<th scope=\"row\" role=\"rowheader\"\(style)>\(column.cells[index])</th>"
          : "<td role=\"cell\"\(style)>\(column.cells[index])</td>"
      }
      return "<tr role=\"row\">\(cells.joined())</tr>\n"
    }
    let rows = (0..<count).map(row)
    let foot: HTML =
      totals == 0 ? "" : "<tfoot role=\"rowgroup\">\(Array(rows.suffix(totals)).joined())</tfoot>"
    let heads = columns.map { column -> HTML in
      head(
        column,
        " role=\"columnheader\"\(column.style.text.isEmpty ? "" : " class=\"\(column.style)\"" as HTML)")
    }
    let table: HTML = """
      <table class="lines" role="table"><caption class="sr">\(caption)</caption>\
      <thead role="rowgroup"><tr role="row">\(heads.joined())</tr></thead><tbody role="rowgroup">
      \(Array(rows.dropLast(totals)).joined())</tbody>\(foot)</table>
      """
    let box: HTML =
      scrolls
      ? "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"\(caption.words)\">\(table)</div>"
      : table
    return "\(box)\(help(helpTitle))"
  }

  /// Columns that a small window has room for, and a panel beside another one.
  private static let (mostNarrow, mostBeside) = (3, 6)

  /// A table that fits its page, so that the page alone scrolls: where it has many columns, a small window or panel shows each
  /// row as a list of its cells with their titles.
  ///
  /// - Parameter hasTotal: Whether the last cell of each column is of all rows together.
  package func fitting(helpTitle: HTML, hasTotal: Bool = false) -> HTML {
    let isList = columns.count > Self.mostNarrow
    // A list takes the parts of a table from readers of the screen; each states what it is.
    func role(_ name: HTML) -> HTML { isList ? " role=\"\(name)\"" : "" }
    func row(_ index: Int) -> HTML {
      let cells = columns.enumerated().map { place, column -> HTML in
        let style: HTML = column.style.text.isEmpty ? "" : " class=\"\(column.style)\""
        let title: HTML = isList ? " data-title=\"\(column.title.words)\"" : ""
        return place == 0
          ? "<th scope=\"row\"\(role("rowheader"))\(style)\(title)>\(column.cells[index])</th>"
          : "<td\(role("cell"))\(style)\(title)>\(column.cells[index])</td>"
      }
      return "<tr\(role("row"))>\(cells.joined())</tr>\n"
    }
    let rows = (0..<(columns.first?.cells.count ?? 0)).map(row)
    let foot: HTML = hasTotal ? "<tfoot\(role("rowgroup"))>\(rows.last ?? "")</tfoot>" : ""
    let heads = columns.map { column -> HTML in
      let style: HTML = column.style.text.isEmpty ? "" : " class=\"\(column.style)\""
      return head(column, "\(role("columnheader"))\(style)")
    }
    return """
      <table class="fit\(isList ? " cards" : "")\(columns.count > Self.mostBeside ? " many" : "")"\(role("table"))><caption class="sr">\(caption)</caption>\
      <thead\(role("rowgroup"))><tr\(role("row"))>\(heads.joined())</tr></thead><tbody\(role("rowgroup"))>
      \(Array(rows.dropLast(hasTotal ? 1 : 0)).joined())</tbody>\(foot)</table>\(help(helpTitle))
      """
  }

  /// What the columns mean, behind a button.
  private func help(_ title: HTML) -> HTML {
    let explained = columns.compactMap { column -> HTML? in
      column.help.map { "<dt>\(column.title)</dt><dd>\($0)</dd>" }
    }
    guard !explained.isEmpty else { return "" }
    return """
      <details class="more below"><summary>\(title)</summary><dl class="kv">\(explained.joined())</dl></details>
      """
  }

  private func head(_ column: Column) -> HTML {
    head(
      column, column.style.text.isEmpty ? "" : " class=\"\(column.isNumber ? "n" : column.style)\"")
  }

  /// - Parameter style: Its attributes, beginning with a space.
  private func head(_ column: Column, _ style: HTML) -> HTML {
    guard let order, let name = column.sort else {
      return "<th scope=\"col\"\(style)>\(column.title)</th>"
    }
    let isDescending = order.current == "-" + name
    let isAscending = order.current == name
    let state: HTML =
      isDescending ? " aria-sort=\"descending\"" : isAscending ? " aria-sort=\"ascending\"" : ""
    // Numbers begin with the largest, names with the first.
    let next = column.isNumber ? (isDescending ? name : "-" + name) : (isAscending ? "-" + name : name)
    return """
      <th scope="col"\(style)\(state)><a href="\(order.link(next))">\(column.title)</a></th>
      """
  }

  /// The class of cells; in a table of one line for each row numbers have none, because most cells are numbers.
  private func style(of column: Column) -> HTML {
    let name: HTML =
      switch column.style.text {
      case "n" where order != nil: ""
      case "" where order != nil: "t"
      default: column.style
      }
    return name.text.isEmpty ? "" : " class=\"\(name)\""
  }

  private func cells(_ row: Int) -> HTML {
    columns.enumerated().map { index, column -> HTML in
      let style = style(of: column)
      return index == 0
        ? "<th scope=\"row\"\(style)>\(column.cells[row])</th>" : "<td\(style)>\(column.cells[row])</td>"
    }.joined()
  }
}
