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
    Column("amount", "90 % interval", "What chance alone leaves open of it.", \.amountInterval),
    Column(
      "relative-change", "of before", "The amount as part of the earlier period's revenue.", \.relativeChange),
    Column(
      "is-sure", "sure",
      "Whether the cause added or took more than chance does, decided for all lines together: where nothing changed, nine of ten reports have no such line.",
      \.isSure),
  ]

  package static let campaigns = Detail<CampaignRow>(
    "moved-campaigns",
    [
      Column("currency", "currency", "Currency of the amounts.", \.currency.text),
      Column("app", "app", "App Store number of the advertised app.") {
        Identifier("\($0.campaign.app.number)")
      },
      Column("network", "network", "Ad network.") { Identifier($0.campaign.network) },
      Column("campaign", "campaign", "Campaign's digits.") { Identifier($0.campaign.campaign.text) },
      CampaignNames.Match.nameColumn.of(\.name),
      Column("change", "change", "Change of its revenue.", \.change),
      Column(
        "volume", "volume and mix", "What of it comes from more or fewer conversions of the campaign."
      ) { $0.change(by: .volume) },
      Column("withheld", "withheld", "What of it comes from the share of values that are shown.") {
        $0.change(by: .withheld)
      },
      Column(
        "exchange-rates", "exchange rates", "What of it comes from other rates of exchange.",
        shown: .whereUseful
      ) { $0.change(by: .exchangeRates) },
      Column("mapping", "mapping", "What of it comes from the mapping.", shown: .whereUseful) {
        $0.change(by: .mapping)
      },
      Column("worth", "worth", "What of it comes from what users are worth.", shown: .whereUseful) {
        $0.change(by: .worth)
      },
      Column(
        "mapping-or-worth", "mapping or worth", "The last two, where nothing distinguishes them.",
        shown: .whereUseful
      ) { $0.change(by: .mappingOrWorth) },
      Column(
        "previous-conversions", "conversions before", "Winning conversions of the earlier period.",
        \.conversions.before),
      Column(
        "conversions", "conversions", "Winning conversions of the later period.", \.conversions.after),
      Column(
        "previous-spend", "spend before", "Spend of the earlier period.", shown: .whereUseful, \.spend.before),
      Column("spend", "spend", "Spend of the later period.", shown: .whereUseful, \.spend.after),
    ], mostForPeople: 10)

  package static let periods = Detail<Sums>(
    "compared-periods",
    [
      Column("currency", "currency", "Currency of the amounts.", \.currency.text),
      Column(
        "previous-revenue", "before", "Decoded mid revenue of the earlier period.", \.revenue.before),
      Column("revenue", "after", "Decoded mid revenue of the later period.", \.revenue.after),
      Column(
        "previous-conversions", "conversions before", "Winning conversions of the earlier period.",
        \.conversions.before),
      Column(
        "conversions", "conversions", "Winning conversions of the later period.", \.conversions.after),
      Column(
        "previous-not-shown", "not shown before", "Share of them without a value that the mapping knows.",
        \.notShown.before),
      Column(
        "not-shown", "not shown", "Share of them without a value that the mapping knows.", \.notShown.after),
    ])
  package static let details = [campaigns.header, periods.header]
}
