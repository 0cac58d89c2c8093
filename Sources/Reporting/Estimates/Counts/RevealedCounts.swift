/// What is known of the postbacks of one cell, for instance one campaign's installs of one day.
///
/// Counts may have fractions, because a postback whose install day is not certain is shared out over days.
package struct CellCounts: Hashable, Sendable {
  /// How many postbacks revealed each value, by code.
  package let revealed: CodeCounts
  /// How many postbacks hide their value because too few users share them.
  ///
  /// Postbacks that can never carry a value are left out by the caller: ads that did not win, values that are coarse
  /// only, apps that never set a value. They show nothing about a campaign's mix, and no value is missing.
  package let nulls: Double

  package init(revealed: CodeCounts, nulls: Double) {
    self.revealed = revealed
    self.nulls = nulls
  }

  package init(revealed: [Double], nulls: Double) {
    self.init(revealed: CodeCounts(revealed), nulls: nulls)
  }

  /// How many postbacks revealed a value.
  package var revealedTotal: Double { revealed.total }
}

/// The counts of one campaign, cell by cell; its mix of values is taken as the same in all of its cells.
package struct RevealedCounts: Hashable, Sendable {
  /// A name that is the campaign's own; draws depend on it and on nothing else of the campaign's place in a list.
  package let name: String
  /// The cells, in the caller's order.
  package let cells: [CellCounts]
  /// How many postbacks of all cells revealed each value, by code.
  package let revealed: CodeCounts
  /// How many postbacks of all cells hide their value.
  package let nulls: Double

  package init(name: String, cells: [CellCounts]) {
    self.name = name
    self.cells = cells
    let codes = cells.first?.revealed.count ?? 0
    if cells.count == 1 {
      revealed = cells[0].revealed
    } else {
      var sums = [Double](repeating: 0, count: codes)
      for cell in cells { cell.revealed.add(to: &sums) }
      revealed = CodeCounts(sums)
    }
    nulls = cells.reduce(0) { $0 + $1.nulls }
  }

  /// Takes a campaign that is one cell.
  package init(name: String, revealed: [Double], nulls: Double) {
    self.init(name: name, revealed: CodeCounts(revealed), nulls: nulls)
  }

  package init(name: String, revealed: CodeCounts, nulls: Double) {
    self.init(name: name, cells: [CellCounts(revealed: revealed, nulls: nulls)])
  }

  /// Takes some cells of a campaign, with what it shows as a whole.
  init(_ whole: Self, cells: [CellCounts]) {
    self.cells = cells
    (name, revealed, nulls) = (whole.name, whole.revealed, whole.nulls)
  }

  /// How many postbacks revealed a value.
  package var revealedTotal: Double { revealed.total }
  /// How many postbacks there are.
  package var total: Double { revealedTotal + nulls }
  /// The share of postbacks that hide their value, from 0 through 1; 0 where there are none.
  package var nullShare: Double { total > 0 ? nulls / total : 0 }
}
