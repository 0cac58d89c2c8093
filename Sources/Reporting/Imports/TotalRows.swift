package import Arguments
package import Campaigns
package import Ledger
package import Tables
package import Values

package struct TotalRows: ImportedRows {
  package var period = Period<Day>()
  package var scope = ImportScope()

  package init() {}

  package static let word = "totals"
  /// Apart from the report that compares them.
  package static let name = "network-totals"
  package static func noun(_ count: Int) -> Sentence {
    Sentence("\(count, one: "# row of totals", other: "# rows of totals")")
  }
  package static let nouns = Sentence("rows of totals")
  package static let listing = "List imported totals of ad networks."
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope)

  package static let columns: [Column<NetworkTotalRow>] = [
    Column("date", "date", "UTC day.", \.day),
    Column("network", "network", "Ad network.") { Identifier($0.network) },
    Column("campaign", "campaign", "Campaign, as the file has it; none for the network in total.") {
      $0.campaign.isEmpty ? nil : Identifier($0.campaign)
    },
    Column("installs", "installs", "Installs.", \.installs),
    Column("redownloads", "redownloads", "Redownloads.", shown: .whereUseful, \.redownloads),
    Column("postbacks", "postbacks", "Postbacks.", shown: .whereUseful, \.postbacks),
    Column(
      "conversions-with-value", "with value", "Conversions with a conversion value.", shown: .whereUseful,
      \.withValue),
    Column("revenue", "revenue", "Revenue.", shown: .whereUseful) { $0.micros.map { Amount(micros: $0) } },
    Column("currency", "currency", "Currency of the revenue.", shown: .whereUseful, \.currency),
  ]

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [NetworkTotalRow] {
    try reader.networkTotals(from: period.from, to: period.to).filter {
      scope.allows($0.network, $0.campaign)
    }
  }
}
