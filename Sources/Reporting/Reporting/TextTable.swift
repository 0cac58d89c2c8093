import Values

/// Rows for people: columns are aligned, numbers to the right.
///
/// Cells are printed as `printable(_:)` has them, because most text in a report comes from strangers.
package struct TextTable: Sendable {
  /// A column of the table.
  package struct Column: Sendable {
    /// What stands above it.
    package let title: String
    /// Whether its cells end at the same place, as numbers do.
    package let isNumeric: Bool

    /// Describes a column.
    package init(_ title: String, isNumeric: Bool = false) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []
  private var ruledRows: Set<Int> = []

  /// Makes a table without rows.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row; it has a cell for each column.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells.map { printable($0) })
  }

  /// Draws a line above the next row.
  package mutating func addRule() { ruledRows.insert(rows.count) }

  /// The table as text; every line ends with a line break and none with spaces.
  package var text: String { text(within: nil) }

  /// The table as text in lines of a width, where that can be had by cutting texts.
  ///
  /// - Parameter width: The letters that a line may have; `nil` cuts nothing. Numbers are never cut, and no column is
  ///   made narrower than its title or eight letters.
  /// - Returns: The table; every line ends with a line break and none with spaces.
  package func text(within width: Int?) -> String {
    var widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    if let width { narrow(&widths, to: width) }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    var lines = [line(columns.map(\.title), widths), rule]
    for (index, row) in rows.enumerated() {
      if ruledRows.contains(index) { lines.append(rule) }
      lines.append(line(row, widths))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Takes letters from the widest columns of text.
  private func narrow(_ widths: inout [Int], to width: Int) {
    var excess = widths.reduce(2 * (widths.count - 1), +) - width
    let least = columns.map { $0.isNumeric ? Int.max : max(8, $0.title.count) }
    while excess > 0 {
      guard
        let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
      else { return }
      widths[widest] -= 1
      excess -= 1
    }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, whole) in cells.enumerated() {
      if index > 0 { line += "  " }
      let cell = whole.count > widths[index] ? String(whole.prefix(widths[index] - 1)) + "…" : whole
      let padding = String(repeating: " ", count: widths[index] - cell.count)
      line += columns[index].isNumeric ? padding + cell : cell + padding
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}
