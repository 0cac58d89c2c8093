package import Arguments
package import Campaigns
package import Ledger
package import Postbacks
package import Tables
package import Values

/// Imported proceeds of the advertiser's own books.
package struct ProceedsRows: ImportedRows {
  package var period = Period<Day>()
  package var apps: [AppID] = []

  package init() {}

  package static let name = "own-proceeds"
  package static let word = "proceeds"
  package static func noun(_ count: Int) -> Sentence {
    Sentence("\(count, one: "# day and app of proceeds", other: "# days and apps of proceeds")")
  }
  package static let nouns = Sentence("days and apps of proceeds")
  package static let listing = "List imported proceeds of your own books."
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all"))
    ]

  package static let columns: [Column<ProceedsRow>] = [
    Column("date", "date", "UTC day of the payments.", \.day),
    Column("app", "app", "App Store number of the app.") { Identifier("\($0.app.number)") },
    Column("currency", "currency", "Currency of the amounts.", \.currency),
    Column("proceeds", "proceeds", "What is left of the payments of all users.") {
      Amount(micros: $0.proceeds)
    },
    Column("commission", "commission", "What the store kept; none where it is not stated.") {
      $0.commission.map { Amount(micros: $0) }
    },
    Column("refunds", "refunds", "What was paid back; none where it is not stated.") {
      $0.refunds.map { Amount(micros: $0) }
    },
    Column("tax", "tax", "Taxes; none where they are not stated.") { $0.tax.map { Amount(micros: $0) } },
  ]

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [ProceedsRow] {
    try reader.proceeds(from: period.from, to: period.to).filter { apps.isEmpty || apps.contains($0.app) }
  }
}
