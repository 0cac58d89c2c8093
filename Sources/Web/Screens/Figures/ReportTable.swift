import Markup
import Pages
import Tables
import Values

/// Rows of a report as a table of a page: names, help and kinds of the columns are the report's.
struct ReportTable {
  private let table: Table
  /// The rows to show, the total last where it is shown.
  private let rows: [NamedCells]
  /// All rows found, those of other pages too.
  private let found: [NamedCells]
  private let texts: Texts

  init(_ table: Table, _ rows: [NamedCells], of found: [NamedCells]? = nil, _ texts: Texts) {
    (self.table, self.rows, self.found, self.texts) = (table, rows, found ?? rows, texts)
  }

  /// What a column of the report is called there, in the language of the page.
  func title(_ name: String) -> HTML { table.header(name).map { texts.say(phrase: $0.title) } ?? "" }

  /// A column of the report; `cell` is for one that shows more than its value.
  ///
  /// - Parameter fields: The columns of the report that its cells show.
  func column(
    _ name: String, _ title: HTML, fields: [String]? = nil, isNumber: Bool? = nil, style: HTML = "",
    _ cell: ((NamedCells) -> HTML)? = nil
  ) -> DataTable.Column {
    let header = table.header(name)
    let kind = header?.kind ?? .count
    return .init(
      title, help: header.map { texts.say($0.help) }, sort: name, fields: fields ?? [name],
      isNumber: isNumber ?? kind.isNumeric, style: style,
      rows.map { row in
        if let cell { return cell(row) }
        if case .money(let currency) = kind, let amount = row[name].amount {
          return Marks.money(amount, in: currency?.text ?? row.text("currency"))
        }
        return Marks.cell(row[name], kind, texts)
      })
  }

  /// A column of what the apps of the rows are called; nothing for a total.
  func app(_ title: HTML, _ called: Called) -> DataTable.Column {
    column("app", title, isNumber: false, style: "opt") { $0.text("app").map { called.shortApp($0) } ?? "" }
  }

  func network(_ title: HTML, _ called: Called) -> DataTable.Column {
    column("network", title, isNumber: false, style: "opt") {
      $0.text("network").map { called.shortNetwork($0) } ?? ""
    }
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
    }.map { column($0.name, texts.say(phrase: $0.title)) }
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

  /// A column for each currency of a family such as `spend-{}` that any of the rows has an amount in.
  ///
  /// - Parameter fields: The families that its cells show.
  func currencies(
    _ prefix: String, _ title: HTML, fields: [String]? = nil, style: HTML = "",
    _ cell: ((NamedCells, _ currency: String) -> HTML)? = nil
  ) -> [DataTable.Column] {
    table.keys(after: prefix).filter { !$0.contains("-") }.compactMap { currency in
      let name = prefix + currency
      guard found.contains(where: { $0[name] != .none }) else { return nil }
      return column(
        name, "\(title), \(currency)", fields: (fields ?? [prefix]).map { $0 + currency }, style: style,
        cell.map { cell in { cell($0, currency) } })
    }
  }

  /// All rows found with what columns show, in a format.
  func text(_ format: Format, _ columns: [DataTable.Column]) -> String {
    var names: [String] = []
    for field in columns.flatMap(\.fields) where !names.contains(field) { names.append(field) }
    return table.selecting(names, found).text(format)
  }
}

extension Table {
  /// What a column means, for a table that is not this one.
  func help(_ name: String, _ texts: Texts) -> HTML? { header(name).map { texts.say($0.help) } }
}
