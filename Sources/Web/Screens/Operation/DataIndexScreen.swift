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
      "spend": try reader.importedCount(.spend), "names": try reader.importedCount(.names),
      "rates": try reader.importedCount(.rates), "totals": try reader.importedCount(.totals),
      "installs": try reader.importedCount(.installs), "users": try reader.importedCount(.users),
      "proceeds": try reader.importedCount(.proceeds),
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
