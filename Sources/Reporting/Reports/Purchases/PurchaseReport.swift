package import Arguments
package import Campaigns
package import Ledger
package import Postbacks
package import Tables
package import Values

/// Purchases that the App Store signed, by app, day, product and type.
package struct PurchaseReport: Report {
  package var period = Period<Day>()
  package var dimensions: [PurchaseDimension] = [.app]
  package var apps: [AppID] = []
  package var environment = PurchaseEnvironment.production

  package init() {}

  package static let name = "purchases"
  package static let summary = "Print purchases that the App Store signed, by app, day, product or type."
  package static let discussion = [
    "A purchase is a transaction of a notification that the App Store signed and posted to skan. A transaction counts at "
      + "most one charge, one refund, one reversal of a refund and one revocation, however often the App Store sends it. A "
      + "charge is a purchase, a renewal, the start of a trial, or the conversion of a trial: the first renewal behind it.",
    "A charge counts on the UTC day of the purchase, a refund on the day of the refund. Rows of different currencies are "
      + "never added up.",
    "Amounts are what customers were charged: before tax, Apple's commission, and the exchange rates at which Apple pays. "
      + "Apple names App Store Connect as the source for accounting, and these amounts as none.",
    "Purchases of the sandbox and those signed by a test key are kept apart; print them with `--environment`.",
  ]
  package static let examples: [Command.Example] = [
    .init("Print what each app took in", "skan report purchases -d skan.db"),
    .init(
      "Print November by day and type, for a spreadsheet",
      "skan report purchases -d skan.db --by app,day,type --from 2026-11-01 --to 2026-12-01 --format csv"),
  ]
  package static let pageSize: Int? = 10_000
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("by", \.dimensions, "Dimensions that rows are grouped by, beside the currency."),
      .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all")),
      .init("environment", \.environment, "Whether the App Store took money, or a test."),
    ]

  package static let columns: [Column<PurchaseRow>] = [
    Column("app", "app", "App Store number of the app.", shown: .onRequest) { row in
      row.app.map { Identifier("\($0.number)") }
    },
    Column("day", "day", "UTC day of the purchase or refund.", shown: .onRequest, \.day),
    Column("product", "product", "Product, as App Store Connect has it.", shown: .onRequest) { row in
      row.product.map { Identifier($0) }
    },
    Column("type", "type", "What happened.", shown: .onRequest) { $0.type?.rawValue },
    Column(
      "currency", "currency", "Currency of the amounts; none where the App Store stated no amount.",
      none: "(no amount)"
    ) { $0.currency?.text },
    Column("charges", "charges", "Transactions that were charged, trials among them.", \.charges),
    Column("refunds", "refunds", "Transactions that were refunded.", \.refunds),
    Column(
      "revocations", "revocations", "Access by Family Sharing that ended, without money.",
      shown: .whereUseful, \.revocations),
    Column("charged", "charged", "What customers were charged, with reversals of refunds.", \.charged),
    Column("refunded", "refunded", "What was given back.", \.refunded),
    Column(
      "proceeds", "proceeds",
      "Charged less refunded, before tax and commission; none where one of them is saturated."
    ) { $0.didSaturate ? nil : $0.proceeds },
    Column(
      "saturated", "saturated", "Whether a sum does not fit and is the largest amount instead.",
      shown: .forPrograms, \.didSaturate),
  ]
  package var shownColumns: [Column<PurchaseRow>] {
    let hidden = Set(PurchaseDimension.allCases).subtracting(dimensions).map(\.rawValue)
    return Self.columns.filter { !hidden.contains($0.header.name) }
  }

  package func rows(from source: ReportSource) throws -> Rows<PurchaseRow> {
    var query = PurchaseQuery()
    (query.environment, query.apps, query.dimensions) = (environment, apps, dimensions)
    (query.from, query.to) = (period.from, period.to)
    let found = try source.reader.purchases(query)
    var rows = Rows.held(found, key: \.key)
    rows.notes =
      switch environment {
      case .production: []
      case .sandbox: [Sentence("purchases of the sandbox, for which no user paid")]
      case .test: [Sentence("purchases signed by a test key")]
      }
    if found.contains(where: \.didSaturate) {
      rows.notes.append(Amount.noteOfHeld)
    }
    rows.noteIfEmpty = Sentence("no purchases; the App Store posts them to /v1/purchases/notifications")
    return rows
  }
}

extension PurchaseDimension: ParameterValue {}
extension PurchaseEnvironment: ParameterValue {}

extension PurchaseRow {
  fileprivate var key: String {
    [app.map { "\($0.number)" }, day?.description, product, type?.rawValue, currency?.text]
      .map { $0 ?? "-" }.joined(separator: " ")
  }
}
