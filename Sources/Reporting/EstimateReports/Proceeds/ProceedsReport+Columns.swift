package import Arguments
import Campaigns
import Estimates
import Ledger
import Postbacks
package import Tables
package import Values

extension ProceedsReport {
  package static let name = "proceeds"
  package static let summary = "Divide what the app earned into campaigns and organic users."
  package static let discussion = [
    "For each app with books (`skan proceeds import`): campaigns and organic users up to a horizon, and the reasons why the "
      + "proceeds of the same days are not their sum. All lines but the last add up to the last, the books.",
    "Books have days of payment, estimates days of install. Own users (`skan users import --horizon 7,30,90`) show how "
      + "payments spread over the days since install; by that and by installs a day, payments divide into those of the "
      + "asked installs within the horizon, `after-horizon`, `earlier-installs`, and `after-period` (paid by these installs "
      + "behind the last day). `payment-ages` is what this division leaves open. commission, refunds and tax are those "
      + "that the books state.",
    "`estimate` is what `skan report estimates` has. `amount` is bound by the books: each campaign moves by its share of "
      + "what all together differ by, the share that its uncertainty has in that of the sum; no interval is wider than "
      + "before. Organic installs are your own (`skan installs import`) less the first installs of campaigns; their users "
      + "are taken for those of a campaign whose values are all withheld. Without own installs, organic users take what "
      + "campaigns leave, and nothing is bound.",
    "`worst-case` needs no model: what counts, values, own users' bounds and the books allow at all.",
  ]
  package static let examples: [Command.Example] = [
    .init(
      "Account for November's installs in their first week",
      "skan report proceeds -d skan.db --horizon 7 --from 2026-11-01 --to 2026-12-01"),
    .init("Print the account for a spreadsheet", "skan report proceeds -d skan.db --horizon 30 --format csv"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all")),
      .init("environment", \.environment, "Environment of the postbacks."),
      .init(
        "horizon", \.days,
        "Days since install whose revenue counts; needs own users (`skan users import --horizon`).",
        in: 1...3_650,
        as: .init(
          placeholder: "DAYS",
          defaultNote: "the hours that fine values count, or the shortest that is known of own users")),
      .init("seed", \.seed, "Random seed.", in: 0...(.max)),
    ]

  package static let part = Column<Row>(
    "part", "part", "What the line is: campaign, organic, a reason, or the books."
  ) { $0.part.rawValue }
  package static let estimate = Column<Row>(
    "estimate", "estimate", "Estimated revenue up to the horizon, before the books are known."
  ) { $0.estimate.flatMap { Amount(rounding: $0) } }
  package static let estimateInterval = Column<Row>(
    "estimate", "estimate, 90 %", "The 90 % interval of it.", \.estimateBounds)
  package static let amount = Column<Row>(
    "amount", "amount", "The line's part in the books; lines add up to the books."
  ) { $0.amount.flatMap { Amount(rounding: $0) } }
  package static let amountInterval = Column<Row>(
    "amount", "amount, 90 %", "The 90 % interval of it.", \.amountBounds)
  package static let worstCase = Column<Row>(
    "worst-case", "worst case",
    "The least and the most that counts, values and books allow; no most where nothing bounds it.",
    \.worstCaseBounds)

  package static let columns: [Column<Row>] =
    [
      Column("app", "app", "App Store number of the app.") { Identifier("\($0.app.number)") },
      part,
      Column("network", "network", "Ad network.") { $0.campaign.map { Identifier($0.network) } },
      Column("campaign", "campaign", "Campaign's digits.") { $0.campaign.map { Identifier($0.campaign) } },
    ] + CampaignNames.Match.columns.map { $0.of(\.name) } + [
      Column("currency", "currency", "Currency of the amounts.") { $0.currency?.text },
      estimate, estimateInterval, amount, amountInterval, worstCase,
      Column("horizon", "horizon", "How long after the install counts.", shown: .forPrograms) {
        $0.horizon.columnText
      },
    ]
}

extension ProceedsReport.Row {
  /// The 90 % interval of the estimate.
  package var estimateBounds: Bounds<Amount>? {
    interval.map { Bounds(Amount(rounding: $0.low), Amount(rounding: $0.high)) }
  }
  /// The 90 % interval of the line's part in the books.
  package var amountBounds: Bounds<Amount>? {
    amountInterval.map { Bounds(Amount(rounding: $0.low), Amount(rounding: $0.high)) }
  }
  /// The least and the most that it can be; no most where nothing bounds it.
  package var worstCaseBounds: Bounds<Amount>? {
    worstCase.map {
      Bounds(Amount(rounding: $0.low), $0.high.isFinite ? Amount(rounding: $0.high) : nil)
    }
  }
}
