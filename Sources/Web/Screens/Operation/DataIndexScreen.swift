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
    let counts = [
      "spend": try reader.imported(SpendRow.self).count, "names": try reader.campaignNames().count,
      "rates": try reader.rates().count, "totals": try reader.networkTotals(from: nil, to: nil).count,
      "installs": try reader.ownInstalls(from: nil, to: nil).count, "users": try reader.valueWorth().count,
      "proceeds": try reader.proceeds(from: nil, to: nil).count,
    ]
    let words = DataPlace.words
    return .page(
      Page(
        texts.dataTitle, scope: texts.dataIndexScope,
        body: Panel.section(
          "kinds", texts.dataKinds, flush: true,
          Panel.table(
            texts.dataTitle,
            [
              .init(
                texts.dataKind, isNumber: false,
                words.map {
                  "<a class=\"name\" href=\"\(DataPlace.path(of: $0))\"><b>\(DataPlace.title(of: $0, texts))</b></a>"
                }), .init(texts.dataRows, words.map { Marks.count(Int64(counts[$0] ?? 0)) }),
              .init(texts.dataUse, isNumber: false, words.map { DataPlace.help(of: $0, texts) }),
            ], texts))))
  }
}
