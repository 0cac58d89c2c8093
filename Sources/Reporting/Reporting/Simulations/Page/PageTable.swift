import Markup

/// A table of the page, in a box that scrolls where the table does not fit.
///
/// On narrow screens each row becomes a block of named figures, so that nothing lies beside the screen.
struct PageTable {
  /// Rows from which the box has a height of its own, so that what follows is not out of reach.
  private static let tall = 16

  private let caption: String
  private let titles: [String]
  private let words: Int?
  private let isWhole: Bool
  private var body: HTML = ""
  private var foot: HTML = ""
  private var count = 0

  /// Begins a table.
  ///
  /// - Parameters:
  ///   - caption: What it shows; also the name of its box.
  ///   - titles: What is over the columns; the first is over the names of the rows.
  ///   - words: The cell of each row that holds words and may break, counted without the name; the others are figures.
  ///   - isWhole: Whether every row is shown at once, however many there are.
  init(_ caption: String, _ titles: [String], words: Int? = nil, isWhole: Bool = false) {
    self.caption = caption
    self.titles = titles
    self.words = words
    self.isWhole = isWhole
  }

  /// Adds a row: its name, and a cell for every other title.
  mutating func add(_ name: String, _ cells: [String]) {
    body += row(name, cells)
    count += 1
  }

  /// Sets the last row, which sums up the others.
  mutating func close(_ name: String, _ cells: [String]) { foot = row(name, cells) }

  var markup: HTML {
    let head = titles.enumerated().map { index, title -> HTML in
      let style: HTML = words.map { $0 + 1 == index } == true ? " class=\"words\"" : ""
      return "<th scope=\"col\"\(style)>\(title)</th>"
    }
    let scrolls = count > Self.tall && !isWhole
    let hint: HTML = scrolls ? "<span class=\"hint\">\(count) rows; scroll inside the frame</span>" : ""
    let style: HTML = scrolls ? "scroll tall" : "scroll"
    return """
      <div class="\(style)" tabindex="0" role="region" aria-label="\(caption)"><table>
      <caption>\(caption)\(hint)</caption>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>\(body)</tbody>
      <tfoot>\(foot)</tfoot>
      </table></div>

      """
  }

  private func row(_ name: String, _ cells: [String]) -> HTML {
    let cells = cells.enumerated().map { index, cell -> HTML in
      let style: HTML = index == words ? " class=\"words\"" : ""
      let title = titles.indices.contains(index + 1) ? titles[index + 1] : ""
      return "<td\(style) data-title=\"\(title)\">\(cell)</td>"
    }
    return "<tr><th scope=\"row\">\(name)</th>\(cells.joined())</tr>\n"
  }
}
