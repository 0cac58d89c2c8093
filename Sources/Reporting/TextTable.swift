import Platform

/// Rows for people: columns are aligned, numbers to the right.
///
/// Cells are printed as `printable(_:)` has them, because most text in a report comes from strangers.
public struct TextTable: Sendable {
  /// A column of the table.
  public struct Column: Sendable {
    /// What stands above it.
    public let title: String
    /// Whether its cells end at the same place, as numbers do.
    public let isNumeric: Bool

    /// Describes a column.
    public init(_ title: String, isNumeric: Bool = false) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []
  private var ruledRows: Set<Int> = []

  /// Makes a table without rows.
  public init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row; it has a cell for each column.
  public mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells.map { printable($0) })
  }

  /// Draws a line above the next row.
  public mutating func addRule() { ruledRows.insert(rows.count) }

  /// The table as text; every line ends with a line break and none with spaces.
  public var text: String {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    var lines = [line(columns.map(\.title), widths), rule]
    for (index, row) in rows.enumerated() {
      if ruledRows.contains(index) { lines.append(rule) }
      lines.append(line(row, widths))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "  " }
      let padding = String(repeating: " ", count: widths[index] - cell.count)
      line += columns[index].isNumeric ? padding + cell : cell + padding
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}
