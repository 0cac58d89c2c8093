import Arguments
import Ledger
import Markup
import Pages
import Routing

/// All kinds of data that advertisers import, and how many rows there are.
struct DataIndexScreen: ScreenContent {
  static let path = "/data"
  static let formRole: ViewerRole? = .editor
  static let place: NavigationPlace? = NavigationPlace(.operate, 1)
  static let parameters: [Parameter<Self>] = []

  static func title(_ texts: Texts) -> HTML { texts.dataTitle }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    if form["do"] == "money" { try MoneyForm.store(form, context) }
    return .redirect(context.address)
  }

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
    let users = texts.dataUsersKnown(count: try Self.users(reader))
    let kinds = Panel.section(
      "kinds", texts.dataKinds, flush: true,
      Panel.table(
        texts.dataTitle,
        [
          .init(
            texts.dataKind, isNumber: false,
            words.map {
              "<a class=\"name\" href=\"\(DataPlace.path(of: $0))\"><b>\(DataPlace.title(of: $0, texts))</b></a>"
            }),
          .init(
            texts.dataRows,
            words.map { $0 == "users" ? users : Marks.count(Int64(counts[$0] ?? 0)) }),
          .init(texts.dataUse, isNumber: false, words.map { DataPlace.help(of: $0, texts) }),
        ], texts))
    return .page(
      Page(
        texts.dataTitle, scope: texts.dataIndexScope, body: "\(kinds)\(try MoneyForm.markup(context))"))
  }
  /// How many users are known: rows are of what users of one value paid together.
  private static func users(_ reader: LedgerReader) throws -> Int {
    let users = try reader.valueWorth().reduce(Int64(0)) { sum, row in
      row.horizon == .firstWindow && row.value < ValueWorthRow.firstCoarseValue ? sum + row.users : sum
    }
    return Int(clamping: users)
  }
}
