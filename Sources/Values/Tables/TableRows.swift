/// The rows of a table: cells, or what they are made of each time they are asked for.
///
/// A page shows a hundred of a hundred thousand rows, and looks at a few cells of the others.
package struct TableRows: RandomAccessCollection, Sendable {
  private enum Content: Sendable {
    case stored([[Cell]])
    case made(any CellMaker)
  }

  private let content: Content

  package init(_ rows: [[Cell]]) { content = .stored(rows) }

  /// Rows that are cells of a sheet only when they are asked for.
  init<Row: Sendable>(_ rows: [Row], _ sheet: Sheet<Row>) { content = .made(SheetRows(rows, sheet)) }

  /// The rows that cells are made of, where they are of this type.
  func rows<Row: Sendable>(of type: Row.Type) -> [Row]? {
    guard case .made(let maker) = content else { return nil }
    return (maker as? SheetRows<Row>)?.rows
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int {
    switch content {
    case .stored(let rows): rows.count
    case .made(let maker): maker.count
    }
  }

  package subscript(row: Int) -> [Cell] {
    switch content {
    case .stored(let rows): rows[row]
    case .made(let maker): maker.cells(row)
    }
  }
}

extension TableRows: Hashable {
  package static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }

  package func hash(into hasher: inout Hasher) {
    for row in self { hasher.combine(row) }
  }
}

extension TableRows: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: [Cell]...) { self.init(elements) }
}

/// What cells are made of, without its type.
private protocol CellMaker: AnyObject, Sendable {
  var count: Int { get }
  func cells(_ row: Int) -> [Cell]
}

/// Rows of a report beside their columns.
private final class SheetRows<Row: Sendable>: CellMaker {
  let rows: [Row]
  private let sheet: Sheet<Row>

  init(_ rows: [Row], _ sheet: Sheet<Row>) { (self.rows, self.sheet) = (rows, sheet) }

  var count: Int { rows.count }
  func cells(_ row: Int) -> [Cell] { sheet.cells(of: rows[row]) }
}
