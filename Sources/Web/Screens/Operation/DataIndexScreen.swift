import Arguments
import Ledger
import Markup
import Pages

/// All kinds of data that advertisers import, and how many rows there are.
struct DataIndexScreen: ScreenContent {
  static let path = "/data"
  static let place: NavigationPlace? = NavigationPlace(.operate, 1)
  static let parameters: [Parameter<Self>] = []

  static func title(_ texts: Texts) -> HTML { texts.dataTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let reader = context.reader
    struct Kind: Sendable {
      let word: String
      let count: Int
    }
    let kinds = [
      Kind(word: "spend", count: try reader.imported(SpendRow.self).count),
      Kind(word: "names", count: try reader.campaignNames().count),
      Kind(word: "rates", count: try reader.rates().count),
      Kind(word: "totals", count: try reader.networkTotals(from: nil, to: nil).count),
      Kind(word: "installs", count: try reader.ownInstalls(from: nil, to: nil).count),
      Kind(word: "users", count: try reader.valueWorth().count),
    ]
    let table = TableView<Kind>(
      texts.dataTitle,
      [
        .init(texts.dataKind, isNumber: false) {
          "<a class=\"name\" href=\"\(DataPlace.path(of: $0.word))\"><b>\(DataPlace.title(of: $0.word, texts))</b></a>"
        },
        .init(texts.dataRows) { Marks.count(Int64($0.count)) },
        .init(texts.dataUse, isNumber: false) { DataPlace.help(of: $0.word, texts) },
      ], texts: texts)
    return .page(
      Page(
        texts.dataTitle, scope: texts.dataIndexScope,
        body: Panel.section("kinds", texts.dataKinds, flush: true, table.markup(kinds))))
  }
}
