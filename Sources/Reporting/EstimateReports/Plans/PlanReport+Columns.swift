import Campaigns
import Estimates
import Postbacks
package import Tables
import Values

extension PlanReport {
  package static let campaign = Column<Row>(
    "campaign", "campaign", "The campaign's last two digits, or its number."
  ) { $0.campaign.map { Identifier($0.campaign) } }
  package static let installsADay = Column<Row>(
    "installs-a-day", "installs a day", "Winning postbacks of the first window for each day of the period.",
    \.installsADay)
  package static let shownShare = Column<Row>(
    "shown-share", "shown %", "Postbacks with a fine value among all.", \.fine)
  package static let expectedShare = Column<Row>(
    "expected-share", "by size %",
    "The share of fine values that the privacy threshold model predicts for these sizes; of two models the low one."
  ) { $0.bySize.first.map { Share($0.mean) } }
  package static let best = Column<Row>(
    "best", "best", "The proposal that gains most for the campaign.", shown: .whereUseful, \.best)

  package static let columns: [Column<Row>] =
    [
      Column("app", "app", "App Store number of the advertised app.") {
        $0.campaign.map { Identifier("\($0.app.number)") }
      },
      Column("network", "network", "Ad network.") { $0.campaign.map { Identifier($0.network) } }, campaign,
      Column(
        "campaign-kind", "campaign kind", "Whether the digits are of a campaign-id or a source-identifier.",
        shown: .forPrograms
      ) { $0.campaign?.kind },
    ] + CampaignNames.Match.columns.map { $0.of(\.name) } + [
      installsADay,
      Column(
        "conversions", "conversions", "Such postbacks of all days of the period.", shown: .forPrograms,
        \.conversions), shownShare,
      Column("shown-share", "shown, 90 %", "The 90 % interval of it (Wilson).", \.shownInterval),
      Column(
        "coarse-share", "coarse %", "Postbacks with a coarse value among all.", shown: .whereUseful, \.coarse),
      Column("none-share", "withheld %", "Postbacks without any value among all.", \.none), expectedShare,
      Column("expected-share", "by size, 90 %", interval) { $0.bySize.first?.interval.shares },
    ]
    + predicted(
      "expected-share-by-high", "by size, high",
      "The same by the high model; none where own postbacks show one model."
    ) { $0.bySize.dropFirst().first } + [
      Column(
        "width", "width",
        "Width of the 90 % interval of estimated revenue, and so of the return, as part of the estimate.",
        shown: .whereUseful, \.width),
      Column(
        "estimated-roas", "ROAS", "Estimated revenue by spend, as `skan report estimates` has it.",
        shown: .whereUseful
      ) { $0.estimate?.returns },
      Column("estimated-roas", "ROAS, 90 %", interval, shown: .whereUseful) { $0.estimate?.returnsInterval },
      Column(
        "days-to-decide", "more days",
        "About how many more days until the return is surely above or below --target, if nothing changes.",
        shown: .whereUseful, \.daysToDecide), best,
    ]

  private static let interval: Sentence.Words = "The 90 % interval of it."
  private static let modelHelp: Sentence.Words =
    "Which of two privacy threshold models, low or high; none where own postbacks show one."

  /// A predicted share and its interval.
  private static func predicted<Of>(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words,
    _ value: @escaping @Sendable (Of) -> CampaignPlan.Predicted?
  ) -> [Column<Of>] {
    [
      Column(name, title + " %", help, shown: .whereUseful) { value($0).map { Share($0.mean) } },
      Column(name, title + ", 90 %", interval, shown: .whereUseful) { value($0)?.interval.shares },
    ]
  }

  /// A predicted number and its interval.
  private static func counted<Of>(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words,
    _ count: @escaping @Sendable (Of) -> ExpectedCount, _ bounds: @escaping @Sendable (Of) -> Interval
  ) -> [Column<Of>] {
    [
      Column(name, title, help, count),
      Column(name, title + ", 90 %", interval) {
        Bounds(ExpectedCount(bounds($0).low), ExpectedCount(bounds($0).high))
      },
    ]
  }

  package static let proposals = Detail<Proposal>(
    "proposals",
    [
      Column("id", "id", "What --choose takes.") { Identifier($0.id) },
      Column("kind", "kind", "merge, raise or values.", shown: .forPrograms) { $0.kind.rawValue },
      Column("app", "app", "App Store number of the advertised app.", shown: .forPrograms) {
        $0.members.first?.app.map { Identifier("\($0.number)") }
      },
      Column("network", "network", "Ad network.", shown: .forPrograms) {
        $0.members.first?.network.map { Identifier($0) }
      },
      Column("campaigns", "campaigns", "Digits of the campaigns that it changes.", shown: .forPrograms) {
        $0.members.compactMap(\.digits)
      },
      Column("text", "proposal", "The task.", \.text),
      Column("model", "model", modelHelp, shown: .whereUseful) { $0.model?.rawValue },
      Column("installs-a-day", "installs a day", "Installs a day after it.") {
        ExpectedCount($0.plan.installsADay)
      },
      Column("spend-a-day", "spend a day", "Spend a day after it.", shown: .whereUseful) {
        Amount(rounding: $0.plan.spendADay)
      },
      Column(
        "extra-spend-a-day", "more spend", "Money a day that it takes besides.", shown: .whereUseful,
        \.extraSpend),
      Column("currency", "currency", "Currency of the amounts.", shown: .forPrograms) { $0.currency?.text },
      Column("share-now", "now %", "Share of fine values as it is, predicted for the same days.", \.shareNow),
    ] + predicted("share-then", "then", "Predicted share of fine values after it.") { $0.then }
      + counted(
        "values-gained-a-day", "values a day",
        "Fine values gained a day; those of installs that are bought besides do not count.", \.gainedADay
      ) { $0.gained.interval } + [
        Column(
          "width-now", "width now",
          "Width of the 90 % interval of the return as it is, as part of the return.",
          shown: .whereUseful
        ) { $0.plan.widthNow.map { Ratio($0) } },
        Column("width-then", "width", "Predicted width after it.", shown: .whereUseful) {
          $0.plan.widthThen.map { Ratio($0.mean) }
        },
        Column("width-then", "width, 90 %", interval, shown: .whereUseful) {
          $0.plan.widthThen.map { Bounds(Ratio($0.interval.low), Ratio($0.interval.high)) }
        },
        Column(
          "days-to-decide", "days then", "About how many days until the return is decided after it.",
          shown: .whereUseful
        ) { $0.plan.daysThen },
        Column("lost", "lost", "What is lost by it.", shown: .forPrograms, \.lost),
        Column("is-chosen", "chosen", "Whether it is predicted together with others.", \.isChosen),
      ], mostForPeople: 20)

  package static let together = Detail<Together>(
    "together",
    [
      Column("proposals", "chosen", "How many proposals are predicted together.") { Int64($0.count) },
      Column("model", "model", modelHelp, shown: .whereUseful) { $0.model?.rawValue },
      Column("share-now", "now %", "Share of fine values of all campaigns as they are.") {
        Share($0.now.mean)
      },
    ] + predicted("share-then", "then", "Predicted share of fine values of all campaigns.") { $0.then }
      + counted(
        "values-gained-a-day", "values a day", "Fine values gained a day.", { ExpectedCount($0.gained.mean) }
      ) { $0.gained.interval } + [
        Column(
          "decided-now", "decided now", "Campaigns whose return is decided within 28 days as they are."
        ) { Int64($0.decidedNow) },
        Column("decided-then", "decided then", "Such campaigns with the chosen proposals.") {
          $0.decidedThen.map { Int64($0) }
        },
      ])

  package static let splits = Detail<Split>(
    "splits",
    [
      Column("split", "split", "as-now, as-proposed or one-of-each-network.") { $0.kind.rawValue },
      Column("network", "network", "Ad network; none for all together.", none: "all") {
        $0.network.map { Identifier($0) }
      },
      Column("model", "model", modelHelp, shown: .whereUseful) { $0.model?.rawValue },
      Column("campaigns", "campaigns", "How many campaigns share the budget.") { Int64($0.campaigns) },
      Column("installs", "installs", "Installs that the budget buys.", \.installs),
    ] + counted("values-shown", "values shown", "Predicted fine values.", \.shown) { $0.shownInterval }
      + predicted("shown-share", "shown", "Predicted share of fine values.") { $0.share })

  private static let modelOf: Sentence.Words = "Ad network; none for all that have no model of their own."

  package static let models = Detail<Model>(
    "models",
    [
      Column("network", "network", modelOf, none: "all") { $0.network.map { Identifier($0) } },
      Column(
        "size", "size",
        "Installs of a campaign and day of install from which half of the values are shown; none where two models are as good.",
        \.size),
      Column(
        "size", "size, 90 %", "The 90 % interval of it; where two models are as good, the sizes of both.",
        \.sizes),
      Column(
        "users", "users",
        "Users of a campaign and week who have to share a value, where rare values are withheld.",
        shown: .whereUseful, \.users),
      Column("hard", "hard", "Whether all values are shown from the size on, and none below.") {
        $0.threshold?.isHard
      },
      Column("slope", "slope", "How gradual the size is; see `skan report nulls`.", shown: .forPrograms) {
        $0.threshold.map { Ratio($0.slope) }
      },
      Column(
        "size-of-any", "any value from",
        "The size from which half of the values are shown, coarse ones included.",
        shown: .whereUseful
      ) { $0.plan.any.map { ExpectedCount($0.threshold) } },
      Column(
        "since", "since", "First day of arrival that it rests on, where the rule seems to have changed.",
        shown: .whereUseful
      ) { $0.plan.since.map { Day(number: Int32(clamping: $0)) } },
      Column("days", "days", "Days of campaigns that it rests on.") { Int64($0.plan.days) },
      Column("is-known", "known", "Whether own postbacks show one model.") { $0.isKnown },
      Column(
        "reason", "why not", "Why own postbacks do not show one model.", shown: .whereUseful, \.reason),
    ])

  package static let tests = Detail<Test>(
    "tests",
    [
      Column("network", "network", modelOf, none: "all") { $0.plan.network.map { Identifier($0) } },
      Column("installs-a-day", "installs a day", "Installs a day of one campaign.") {
        ExpectedCount($0.plan.installsADay)
      },
      Column("days", "days", "For how many days.") { Int64($0.plan.days) },
      Column("cost", "cost", "What that costs.", shown: .whereUseful) { Amount(rounding: $0.plan.cost) },
      Column("currency", "currency", "Currency of it.", shown: .whereUseful) {
        $0.plan.cost == nil ? nil : $0.currency?.text
      },
      Column("share-low", "shown %, low", "Share of fine values that the low model predicts.") {
        Share($0.plan.low)
      },
      Column("share-high", "shown %, high", "Share of fine values that the high model predicts.") {
        Share($0.plan.high)
      },
    ])

  package static let limits = Detail<Limit>(
    "limits",
    [
      Column("network", "network", "Ad network.") { Identifier($0.network) },
      Column(
        "campaigns", "campaigns", "Campaigns of an app that it takes at most; none where that is unknown.",
        \.most),
      Column(
        "campaigns-in-use", "in use",
        "Campaigns of an app with a postback in the last 7 days; of several apps the most.", \.inUse),
      Column("what", "what", "What is counted.", shown: .whereUseful) { $0.entry.what },
      Column(
        "reuse-hours", "hours to reuse", "Hours for which the number of a campaign is kept from another one.",
        shown: .whereUseful
      ) { $0.entry.limit.hoursToReuse },
      Column("source", "source", "Where that is written.", none: "given", \.source),
      Column("read", "read", "When that was read.", shown: .whereUseful, \.read),
    ])

  package static let details = [
    proposals.header, together.header, splits.header, models.header, tests.header, limits.header,
  ]
}
