package import Arguments
package import Campaigns
package import Ledger
package import Postbacks
package import Tables
package import Values

package struct SpendRows: ImportedRows {
  package var period = Period<Day>()
  package var apps: [AppID] = []
  package var scope = ImportScope()
  package var environment: Environment?

  package init() {}

  package static let word = "spend"
  package static let noun: (one: String, many: String) = (one: "row of spend", many: "rows of spend")
  package static let listing = "List imported ad spend."
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all"))
    ] + Parameter.all(of: \.scope) + [
      .init(
        "environment", \.environment, "Environment that the spend was imported for.",
        as: .init(defaultNote: "all"))
    ]

  package static let columns: [Column<SpendRow>] = [
    Column("date", "date", "UTC day.", \.day),
    Column("network", "network", "Ad network.") { Identifier($0.network) },
    Column("campaign", "campaign", "Campaign, as the file has it.") { Identifier($0.campaign) },
    Column("app", "app", "App Store number of the app; none if the file has none.", shown: .whereUseful) {
      $0.app.map { Identifier("\($0)") }
    },
    Column("currency", "currency", "Currency of the amount.", \.currency),
    Column("amount", "amount", "Spend.") { Amount(micros: $0.micros) },
    Column("impressions", "impressions", "Impressions, as the network counts them.", shown: .whereUseful) {
      $0.impressions
    },
    Column("clicks", "clicks", "Clicks, as the network counts them.", shown: .whereUseful) { $0.clicks },
    Column("environment", "environment", "Environment that it was imported for.") { $0.environment.rawValue },
  ]

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [SpendRow] {
    let numbers = Set(apps.map(\.number))
    return try reader.imported(SpendRow.self).filter { row in
      period.overlaps(row.day, row.day.next) && scope.allows(row.network, row.campaign)
        && (numbers.isEmpty || row.app.map(numbers.contains) ?? false)
        && (environment.map { $0 == row.environment } ?? true)
    }
  }

  package static func sums(of rows: [SpendRow]) -> [String] {
    guard rows.count > 1 else { return [] }
    let amounts = Dictionary(rows.map { ($0.currency, Amount(micros: $0.micros)) }) { $0.adding($1).sum }
    func counted(_ counts: [Int64], _ what: String) -> [String] {
      let sum: Int64 = counts.reduce(0) { sum, count in
        let (sum, overflow) = sum.addingReportingOverflow(count)
        return overflow ? .max : sum
      }
      return counts.isEmpty ? [] : ["\(grouped(sum)) \(what)"]
    }
    let parts =
      amounts.sorted { $0.key < $1.key }.map { "\(money($0.value)) \($0.key)" }
      + counted(rows.compactMap(\.impressions), "impressions") + counted(rows.compactMap(\.clicks), "clicks")
    return ["total: \(parts.joined(separator: ", "))"]
  }
}
