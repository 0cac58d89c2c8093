import Markup
import Pages
import Postbacks
import Tables
import Values

/// A column of a page's table: its name, help and kind are those of a column of a report.
///
/// It is described without rows, so that a page and a file of the same table share it.
struct ReportColumn<Row: Sendable> {
  private let column: Column<Row>
  private let title: HTML
  /// The columns of the report that its cells show.
  let shown: [Column<Row>]
  private let isNumber: Bool
  private let style: HTML
  private let cell: ((Row) -> HTML)?

  /// - Parameters:
  ///   - shown: The columns of the report that its cells show, where they are others than the column alone.
  ///   - cell: Its cell, where that shows more than the column's value.
  init(
    _ column: Column<Row>, _ title: HTML, shows shown: [Column<Row>]? = nil, isNumber: Bool? = nil,
    style: HTML = "", _ cell: ((Row) -> HTML)? = nil
  ) {
    (self.column, self.title, self.shown, self.style, self.cell) =
      (column, title, shown ?? [column], style, cell)
    self.isNumber = isNumber ?? column.header.kind.isNumeric
  }

  /// With the column's own title.
  init(_ column: Column<Row>, _ texts: Texts) {
    self.init(column, texts.say(phrase: column.header.title))
  }

  /// What the apps of the rows are called; nothing for a total.
  static func app(_ column: Column<Row>, _ title: HTML, _ called: Called) -> Self {
    Self(column, title, isNumber: false, style: "opt") {
      column.cell(of: $0).text.map { called.shortApp($0) } ?? ""
    }
  }

  static func network(_ column: Column<Row>, _ title: HTML, _ called: Called) -> Self {
    Self(column, title, isNumber: false, style: "opt") {
      column.cell(of: $0).text.map { called.shortNetwork($0) } ?? ""
    }
  }

  /// Counts that lead to their postbacks; `link` gives where, `nil` where no address has them.
  static func counts(
    _ column: Column<Row>, _ title: HTML, _ texts: Texts, link: @escaping (Row) -> PageAddress?
  ) -> Self {
    Self(column, title) { row in
      let cell = column.cell(of: row)
      let count = Marks.cell(cell, .count, texts)
      guard (cell.integer ?? 0) > 0, let target = link(row) else { return count }
      return "<a href=\"\(target.text)\">\(count)</a>"
    }
  }

  /// Amounts of money in the currency that each row has.
  static func money(
    _ column: Column<Row>, _ title: HTML, shows shown: [Column<Row>]? = nil, _ texts: Texts,
    in currency: @escaping (Row) -> CurrencyCode?
  ) -> Self {
    Self(column, title, shows: shown) { row in
      let cell = column.cell(of: row)
      return cell.amount.map { Marks.money($0, in: currency(row)?.text) }
        ?? Marks.cell(cell, column.header.kind, texts)
    }
  }

  /// A column for each currency of a family such as `spend-{}` that any of the rows found has an amount in.
  ///
  /// - Parameter shown: The families that its cells show.
  static func currencies<R: Report>(
    _ family: ColumnFamily<Row, CurrencyCode>, _ title: HTML,
    shows shown: [ColumnFamily<Row, CurrencyCode>]? = nil,
    style: HTML = "", of answer: ReportAnswer<R>, found: [Row], _ cell: ((Row, CurrencyCode) -> HTML)? = nil
  ) -> [Self] where R.Row == Row {
    answer.keys(of: family).compactMap { currency in
      let column = family[currency]
      guard found.contains(where: { column.cell(of: $0) != .none }) else { return nil }
      return Self(
        column, "\(title), \(currency.text)", shows: (shown ?? [family]).map { $0[currency] }, style: style,
        cell.map { cell in { cell($0, currency) } })
    }
  }

  /// The other columns of an answer that people read, under the report's own titles.
  ///
  /// - Parameter others: Columns that have a form of their own.
  static func columns<R: Report>(
    of answer: ReportAnswer<R>, besides others: [Column<Row>], _ rows: [Row], _ texts: Texts
  ) -> [Self] where R.Row == Row {
    answer.columns.filter { column in
      switch column.header.presence {
      case _ where others.contains { $0.name == column.name }: false
      // A column that no row fills teaches nothing.
      case .whereUseful: rows.contains { column.cell(of: $0) != .none }
      case .forPrograms, .onRequestForPrograms: false
      default: true
      }
    }.map { Self($0, texts) }
  }

  /// The column with the cells of some rows.
  fileprivate func cells(_ rows: [Row], _ texts: Texts) -> DataTable.Column {
    let kind = column.header.kind
    return .init(
      title, help: texts.say(column.header.help), sort: column.name, isNumber: isNumber, style: style,
      rows.map { row in
        if let cell { return cell(row) }
        let value = column.cell(of: row)
        if case .money(let currency) = kind, let amount = value.amount {
          return Marks.money(amount, in: currency?.text)
        }
        return Marks.cell(value, kind, texts)
      })
  }
}

extension Array {
  /// The columns with the cells of some rows, the total last where it is shown.
  func of<Row>(_ rows: [Row], _ texts: Texts) -> [DataTable.Column] where Element == ReportColumn<Row> {
    map { $0.cells(rows, texts) }
  }
}

extension Column {
  /// What it means, for a table that is not the report's.
  func help(_ texts: Texts) -> HTML { texts.say(header.help) }
}
