import Markup
import Pages
import Tables

/// Rows of a report as a table of a page: names, help and kinds of the columns are the report's.
struct ReportTable {
  private let table: Table
  /// The rows to show, the total last where it is shown.
  private let rows: [NamedCells]
  private let texts: Texts

  init(_ table: Table, _ rows: [NamedCells], _ texts: Texts) {
    (self.table, self.rows, self.texts) = (table, rows, texts)
  }

  /// A column of the report; `cell` is for one that shows more than its value.
  func column(
    _ name: String, _ title: HTML, isNumber: Bool? = nil, style: HTML = "",
    _ cell: ((NamedCells) -> HTML)? = nil
  ) -> DataTable.Column {
    let header = table.header(name)
    let kind = header?.kind ?? .count
    return .init(
      title, help: header.map { "\($0.help)" }, sort: name, isNumber: isNumber ?? kind.isNumeric,
      style: style,
      rows.map { row in
        if let cell { return cell(row) }
        if case .money = kind, let micros = row[name].micros { return Marks.money(micros) }
        return Marks.cell(row[name], kind, texts)
      })
  }

  /// The other columns of the report that people read, under the report's own titles.
  ///
  /// - Parameter names: Columns that have a form of their own.
  func columns(besides names: Set<String>) -> [DataTable.Column] {
    table.headers.filter { header in
      switch header.presence {
      case _ where names.contains(header.name): false
      // A column that no row fills teaches nothing.
      case .whereUseful: rows.contains { $0[header.name] != .none }
      case .forPrograms, .onRequestForPrograms: false
      default: true
      }
    }.map { column($0.name, "\($0.title)") }
  }

  /// A column of counts that lead to their postbacks; `link` gives where, `nil` where no address has them.
  func counts(_ name: String, _ title: HTML, link: @escaping (NamedCells) -> PageAddress?) -> DataTable.Column
  {
    column(name, title) { row in
      let count = Marks.cell(row[name], .count, texts)
      guard row.count(name) > 0, let target = link(row) else { return count }
      return "<a href=\"\(target.text)\">\(count)</a>"
    }
  }

  /// A column for each currency of a family such as `spend-{}`.
  func currencies(
    _ prefix: String, _ title: HTML, style: HTML = "",
    _ cell: ((NamedCells, _ currency: String) -> HTML)? = nil
  ) -> [DataTable.Column] {
    table.keys(after: prefix).filter { !$0.contains("-") }.map { currency in
      column(
        prefix + currency, "\(title), \(currency)", style: style, cell.map { cell in { cell($0, currency) } })
    }
  }
}

extension Table {
  /// What a column means, for a table that is not this one.
  func help(_ name: String) -> HTML? { header(name).map { "\($0.help)" } }
}
