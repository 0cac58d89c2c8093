import Markup
import Pages
import Tables

/// The rows of a tree on a page: each knows the row that it is a part of, so that a script can fold it away.
///
/// Without scripts all rows are shown.
struct TreeRows: Sendable {
  /// The number of each row on the page, by its key.
  private let places: [String: Int]
  /// The keys of rows that have parts on the page.
  private let parents: Set<String>

  init(_ rows: [NamedCells]) {
    var places: [String: Int] = [:]
    var parents: Set<String> = []
    for (place, row) in rows.enumerated() {
      if let key = row.text("key") { places[key] = place }
      if let parent = row.text("parent") { parents.insert(parent) }
    }
    self.places = places
    self.parents = parents
  }

  func attributes(_ row: NamedCells) -> HTML {
    guard let key = row.text("key"), let place = places[key] else { return "" }
    let depth =
      switch row.text("level") {
      case "network": 1
      case "2-digits", "campaign-id": 2
      case "3-digits", "2-digits-only": 3
      default: 4
      }
    let part: HTML = row.text("parent").flatMap { places[$0] }.map { " data-part-of=\"row-\($0)\"" } ?? ""
    return " id=\"row-\(place)\" class=\"l\(depth)\"\(part)"
  }

  /// A row's name with the button that folds its parts away, where it has some.
  func name(_ name: HTML, of row: NamedCells, _ context: ScreenContext) -> HTML {
    guard let key = row.text("key"), parents.contains(key), places[key] != nil else { return name }
    let called: HTML =
      row.text("campaign").map { "<bdi>\($0)</bdi>" }
      ?? context.called.shortNetwork(row.text("network") ?? "")
    return """
      <div class="tw"><button class="twist" type="button" aria-expanded="true" hidden>\
      <span class="sr">\(context.texts.tablePartsOf(name: called))</span></button>\(name)</div>
      """
  }
}
