package import Arguments
package import Campaigns
package import Ledger
package import Postbacks
package import Tables
package import Values

/// Imported installs that advertisers counted themselves.
package struct OwnInstallRows: ImportedRows {
  package var period = Period<Day>()
  package var apps: [AppID] = []

  package init() {}

  package static let word = "installs"
  package static func noun(_ count: Int) -> Sentence {
    Sentence("\(count, one: "# day and app of installs", other: "# days and apps of installs")")
  }
  package static let nouns = Sentence("days and apps of installs")
  package static let listing = "List imported installs that you counted yourself."
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all"))
    ]

  package static let columns: [Column<OwnInstallsRow>] = [
    Column("date", "date", "UTC day.", \.day),
    Column("app", "app", "App Store number of the app.") { Identifier("\($0.app.number)") },
    Column("installs", "installs", "Installs.", \.installs),
  ]

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [OwnInstallsRow] {
    try reader.ownInstalls(from: period.from, to: period.to).filter {
      apps.isEmpty || apps.contains($0.app)
    }
  }
}
