import Campaigns
import Estimates
import Ledger
import Postbacks
package import Tables
import Values

extension CausesReport {
  package static let columns: [Column<Row>] = [
    Column("currency", "currency", "Currency of the amounts.", \.currency.text),
    Column(
      "cause", "cause",
      "volume, mix, withheld, exchange-rates, mapping, worth or mapping-or-worth; together for the whole change."
    ) { $0.cause?.rawValue ?? "together" },
    Column(
      "amount", "amount", "What the cause added to revenue; the causes add up to the whole change.", \.amount),
    Column("amount", "90 % interval", "What chance alone leaves open of it.") {
      Bounds(Amount(rounding: $0.interval.low), Amount(rounding: $0.interval.high))
    },
    Column("relative-change", "of before", "The amount as part of the earlier period's revenue.") { row in
      row.before.micros == 0 ? nil : Change(Double(row.amount.micros) / Double(row.before.micros.magnitude))
    },
    Column(
      "is-sure", "sure",
      "Whether the cause added or took more than chance does, decided for all lines together: where nothing changed, nine of ten reports have no such line.",
      \.isSure),
  ]

  static let campaigns = Detail<CampaignRow>(
    "moved-campaigns",
    [
      Column("currency", "currency", "Currency of the amounts.", \.currency.text),
      Column("app", "app", "App Store number of the advertised app.") {
        Identifier("\($0.place.app.number)")
      },
      Column("network", "network", "Ad network.") { Identifier($0.place.network) },
      Column("campaign", "campaign", "Campaign's digits.") { Identifier($0.place.campaign.text) },
      Column("name", "name", "Name of the campaign, where its digits leave no doubt.", shown: .whereUseful) {
        row -> String? in
        if case .known(let name) = row.name { name.name } else { nil }
      },
      Column("change", "change", "Change of its revenue.") { Amount(rounding: $0.change) },
      Column(
        "volume", "volume and mix", "What of it comes from more or fewer conversions of the campaign."
      ) { $0.causes[.volume].flatMap { Amount(rounding: $0) } },
      Column("withheld", "withheld", "What of it comes from the share of values that are shown.") {
        $0.causes[.withheld].flatMap { Amount(rounding: $0) }
      },
      Column(
        "exchange-rates", "exchange rates", "What of it comes from other rates of exchange.",
        shown: .whereUseful
      ) { $0.causes[.exchangeRates].flatMap { Amount(rounding: $0) } },
      Column("mapping", "mapping", "What of it comes from the mapping.", shown: .whereUseful) {
        $0.causes[.mapping].flatMap { Amount(rounding: $0) }
      },
      Column("worth", "worth", "What of it comes from what users are worth.", shown: .whereUseful) {
        $0.causes[.worth].flatMap { Amount(rounding: $0) }
      },
      Column(
        "mapping-or-worth", "mapping or worth", "The last two, where nothing distinguishes them.",
        shown: .whereUseful
      ) { $0.causes[.mappingOrWorth].flatMap { Amount(rounding: $0) } },
      Column("previous-conversions", "conversions before", "Winning conversions of the earlier period.") {
        Int64($0.before.conversions)
      },
      Column("conversions", "conversions", "Winning conversions of the later period.") {
        Int64($0.after.conversions)
      },
      Column(
        "previous-spend", "spend before", "Spend of the earlier period.", shown: .whereUseful, \.spend.before),
      Column("spend", "spend", "Spend of the later period.", shown: .whereUseful, \.spend.after),
    ], mostForPeople: 10)

  static let periods = Detail<Sums>(
    "compared-periods",
    [
      Column("currency", "currency", "Currency of the amounts.", \.currency.text),
      Column("previous-revenue", "before", "Decoded mid revenue of the earlier period.") {
        Amount(rounding: $0.before.total)
      },
      Column("revenue", "after", "Decoded mid revenue of the later period.") {
        Amount(rounding: $0.after.total)
      },
      Column("previous-conversions", "conversions before", "Winning conversions of the earlier period.") {
        Int64($0.before.conversions)
      },
      Column("conversions", "conversions", "Winning conversions of the later period.") {
        Int64($0.after.conversions)
      },
      Column(
        "previous-not-shown", "not shown before", "Share of them without a value that the mapping knows."
      ) {
        notShown($0.before)
      },
      Column("not-shown", "not shown", "Share of them without a value that the mapping knows.") {
        notShown($0.after)
      },
    ])
  package static let details = [campaigns.header, periods.header]

  private static func notShown(_ counts: RevenueMove.Counts) -> Share? {
    counts.conversions > 0 ? Share((counts.conversions - counts.shown) / counts.conversions) : nil
  }
}
