import Campaigns
import Estimates
import Ledger
import Postbacks
package import Tables
import Values

extension CausesReport {
  package static let columns: [Column<Row>] = [
    Column("currency", "currency", "Currency of the amounts.", \.measure.currency.text),
    Column(
      "cause", "cause",
      "volume, mix, worth, mapping-or-worth or exchange-rates; together for the whole change."
    ) { $0.cause?.rawValue ?? "together" },
    Column(
      "amount", "amount", "What the cause added to revenue; the causes add up to the whole change.", \.amount),
    Column("amount", "90 % interval", "What chance and the estimates leave open of it.", \.amountInterval),
    Column(
      "relative-change", "of before", "The amount as part of the earlier period's revenue.", \.relativeChange),
    Column(
      "is-sure", "sure",
      "Whether the cause added or took more than chance does, decided for all lines together: where nothing changed, nine of ten reports have no such line.",
      \.isSure),
    Column("horizon", "horizon", horizonHelp, \.measure.horizon.columnText),
  ]
  private static let horizonHelp: Sentence.Words =
    "How long after the install revenue counts: hours (h), days (d), or window 1."

  package static let campaigns = Detail<CampaignRow>(
    "moved-campaigns",
    [
      Column("currency", "currency", "Currency of the amounts.", \.measure.currency.text),
      EstimatedCampaign.appColumn.of(\.campaign), EstimatedCampaign.networkColumn.of(\.campaign),
      EstimatedCampaign.digitsColumn.of(\.campaign), CampaignNames.Match.nameColumn.of(\.name),
      Column("change", "change", "Change of its revenue.", \.change),
      Column(
        "volume", "volume and mix", "What of it comes from more or fewer conversions of the campaign."
      ) { $0.change(by: .volume) },
      Column("worth", "worth", "What of it comes from what users are worth.", shown: .whereUseful) {
        $0.change(by: .worth)
      },
      Column(
        "mapping-or-worth", "mapping or worth",
        "What of it comes from a change of the mapping or from what users are worth, where nothing distinguishes them.",
        shown: .whereUseful
      ) { $0.change(by: .mappingOrWorth) },
      Column(
        "exchange-rates", "exchange rates", "What of it comes from other rates of exchange.",
        shown: .whereUseful
      ) { $0.change(by: .exchangeRates) },
      Column(
        "previous-conversions", "conversions before", "Winning conversions of the earlier period."
      ) { ExpectedCount($0.conversions.before) },
      Column("conversions", "conversions", "Winning conversions of the later period.") {
        ExpectedCount($0.conversions.after)
      },
      Column(
        "previous-spend", "spend before", "Spend of the earlier period.", shown: .whereUseful, \.spend.before),
      Column("spend", "spend", "Spend of the later period.", shown: .whereUseful, \.spend.after),
      Column("horizon", "horizon", horizonHelp, \.measure.horizon.columnText),
    ], mostForPeople: 10)

  package static let periods = Detail<Sums>(
    "compared-periods",
    [
      Column("currency", "currency", "Currency of the amounts.", \.measure.currency.text),
      Column("previous-revenue", "before", "Estimated revenue of the earlier period.", \.revenue.before),
      Column("previous-revenue", "before, 90 %", "The 90 % interval of it.", \.intervals.before),
      Column("revenue", "after", "Estimated revenue of the later period.", \.revenue.after),
      Column("revenue", "after, 90 %", "The 90 % interval of it.", \.intervals.after),
      Column(
        "previous-conversions", "conversions before", "Winning conversions of the earlier period."
      ) { ExpectedCount($0.conversions.before) },
      Column("conversions", "conversions", "Winning conversions of the later period.") {
        ExpectedCount($0.conversions.after)
      },
      Column(
        "previous-null-share", "withheld % before",
        "Withheld values among conversions without a value or with a mapped fine one.", \.nullShare.before),
      Column(
        "null-share", "withheld %",
        "Withheld values among conversions without a value or with a mapped fine one.", \.nullShare.after),
      Column("horizon", "horizon", horizonHelp, \.measure.horizon.columnText),
    ])
  package static let details = [campaigns.header, periods.header]
}
