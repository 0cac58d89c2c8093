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
  package static func noun(_ count: Int) -> Sentence {
    Sentence("\(count, one: "# row of spend", other: "# rows of spend")")
  }
  package static let nouns = Sentence("rows of spend")
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

  private var selection: SpendSelection {
    SpendSelection(
      from: period.from, to: period.to, apps: apps, networks: scope.networks, campaign: scope.campaign,
      environment: environment)
  }

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [SpendRow] {
    var rows: [SpendRow] = []
    try reader.forEachSpend(selection) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  package func listed(in reader: LedgerReader) -> Rows<SpendRow> {
    let selection = selection
    var sums = SpendSums()
    var rows = Rows<SpendRow>.stream {
      SpendRowPlace($0)
    } count: {
      try reader.spendCount(selection)
    } _: { place, body in
      sums = SpendSums()
      try reader.forEachSpend(selection, behind: place) { row in
        sums.add(row)
        return body(row)
      }
    }
    rows.linesForPeople = { sums.lines }
    return rows
  }
}

/// What listed rows of spend add up to.
private struct SpendSums {
  private var count = 0
  private var amounts: [String: Amount] = [:]
  private var impressions: Int64?
  private var clicks: Int64?

  mutating func add(_ row: SpendRow) {
    count += 1
    amounts[row.currency] = (amounts[row.currency] ?? .zero).adding(Amount(micros: row.micros)).sum
    Self.add(row.impressions, to: &impressions)
    Self.add(row.clicks, to: &clicks)
  }

  private static func add(_ count: Int64?, to sum: inout Int64?) {
    guard let count else { return }
    let (both, overflow) = (sum ?? 0).addingReportingOverflow(count)
    sum = overflow ? .max : both
  }

  /// One line; none for a single row, which it would repeat.
  var lines: [String] {
    guard count > 1 else { return [] }
    let parts =
      amounts.sorted { $0.key < $1.key }.map { "\(money($0.value)) \($0.key)" }
      + [(impressions, "impressions"), (clicks, "clicks")].compactMap { sum, what in
        sum.map { "\(grouped($0)) \(what)" }
      }
    return ["total: \(parts.joined(separator: ", "))"]
  }
}
