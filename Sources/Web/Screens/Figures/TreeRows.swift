import Campaigns
import Markup
import Pages

/// The rows of a tree on a page: each knows the row that it is a part of, so that a script can fold it away.
///
/// Without scripts all rows are shown.
struct TreeRows: Sendable {
  /// The number of each row on the page, by its key.
  private let places: [String: Int]
  /// The keys of rows that have parts on the page.
  private let parents: Set<String>

  init(_ rows: [CampaignTable.Line]) {
    var places: [String: Int] = [:]
    var parents: Set<String> = []
    for (place, row) in rows.enumerated() {
      guard let own = row.outline else { continue }
      places[own.key] = place
      if let parent = own.parent { parents.insert(parent) }
    }
    self.places = places
    self.parents = parents
  }

  func attributes(_ row: CampaignTable.Line) -> HTML {
    guard let own = row.outline, let place = places[own.key] else { return "" }
    let depth =
      switch own.level {
      case .network: 1
      case .twoDigits, .campaignID: 2
      case .threeDigits, .twoDigitsOnly: 3
      case .fourDigits, .threeDigitsOnly, nil: 4
      }
    let part: HTML = own.parent.flatMap { places[$0] }.map { " data-part-of=\"row-\($0)\"" } ?? ""
    return " id=\"row-\(place)\" class=\"l\(depth)\"\(part)"
  }

  /// A row's name with the button that folds its parts away, where it has some.
  func name(_ name: HTML, of row: CampaignTable.Line, _ context: ScreenContext) -> HTML {
    guard let key = row.outline?.key, parents.contains(key), places[key] != nil else { return name }
    let called: HTML =
      row.digits.map { "<bdi>\($0)</bdi>" } ?? context.called.shortNetwork(row.network ?? "")
    return """
      <div class="tw"><button class="twist" type="button" aria-expanded="true" hidden>\
      <span class="sr">\(context.texts.tablePartsOf(name: called))</span></button>\(name)</div>
      """
  }
}
