import Markup
import Pages
import Tables

/// A table of cells as a table of a page, with the columns that people read.
enum CellTable {
  static func markup(_ table: Table, _ caption: HTML, _ texts: Texts) -> HTML {
    let rows = Array(table.rows)
    let places = table.headers.indices.filter { place in
      switch table.headers[place].presence {
      case .always, .forPeople: true
      // A column that no row fills teaches nothing.
      case .whereUseful: rows.contains { $0[place] != .none }
      default: false
      }
    }
    let columns = places.map { place in
      let header = table.headers[place]
      return DataTable.Column(
        texts.say(phrase: header.title), help: texts.say(header.help), isNumber: header.kind.isNumeric,
        rows.map { Marks.cell($0[place], header.kind, texts) })
    }
    return DataTable(caption, columns).fitting(helpTitle: texts.tableColumnHelp)
  }
}
