package import Arguments
package import Campaigns
package import Ledger
package import Tables
package import Values

package struct RateRows: ImportedRows {
  package var period = Period<Day>()
  package var currencies: [CurrencyCode] = []

  package init() {}

  package static let word = "rates"
  package static func noun(_ count: Int) -> Sentence {
    Sentence("\(count, one: "# rate", other: "# rates")")
  }
  package static let nouns = Sentence("rates")
  package static let listing = "List imported exchange rates."
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("currency", \.currencies, "Currencies of either side to include.", as: .init(defaultNote: "all"))
    ]

  package static let columns: [Column<RateRow>] = [
    Column("date", "date", "UTC day from which the rate is used.", \.day),
    Column("currency", "currency", "Currency that is converted.", \.currency),
    Column("quote", "quote", "Currency of the result.", \.quote),
    Column("rate", "rate", "What one unit of the currency is worth in the quote currency.") {
      ExchangeRates.text($0.picos)
    },
  ]

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [RateRow] {
    let codes = Set(currencies.map(\.text))
    return try reader.rates().filter { row in
      period.overlaps(row.day, row.day.next)
        && (codes.isEmpty || codes.contains(row.currency) || codes.contains(row.quote))
    }
  }
}
