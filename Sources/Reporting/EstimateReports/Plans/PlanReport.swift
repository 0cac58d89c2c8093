package import Arguments
package import Campaigns
package import Estimates
import Ledger
import Postbacks
package import Tables
package import Values

/// How to split campaigns and a budget so that Apple shows what happened.
package struct PlanReport: Report {
  /// Install days whose sizes are played again.
  package var period = Period<Day>()
  package var scope = Scope()
  /// Days since install whose revenue counts; `nil` for the time that values of the first window count.
  package var horizon: Int?
  /// The currency of all money; `nil` for that of the service.
  package var currency: CurrencyCode?
  package var target = ReturnTarget.one
  /// The share of values that shall be shown, in percent.
  package var share = 80
  package var budget: PlanAmount?
  /// How many days are played, and how many the budget is for.
  package var days = 28
  package var costs: [NetworkCost] = []
  package var limits: [CampaignLimit] = []
  /// What a file of the user has, which counts before the built-in limits.
  package var file = NetworkLimits()
  /// The proposals that are predicted together; the usual choice where there are none.
  package var chosen: [String] = []
  package var seed = 1

  package init() {}

  /// More installs have no people.
  private static let mostInstalls = 1e9
  /// Each network's campaigns are played.
  private static let mostCosts = 20
  /// A quarter at most: longer plays take more time and memory, and no rule is known to last.
  package static let playableDays = 1...92
  /// Longer ids of nothing are compared with none.
  private static let longestID = 200
  /// What ``chosen`` has for no proposal at all.
  package static let nothing = "none"

  /// A campaign as it is, or all of them.
  package struct Row: Sendable {
    /// `nil` for all.
    let campaign: EstimatedCampaign?
    let name: CampaignNames.Match
    package let installsADay: ExpectedCount
    package let conversions: ExpectedCount
    package let fine: Share
    package let coarse: Share
    package let none: Share
    let shownNow: Interval
    /// One figure, or one for each of two models.
    let bySize: [CampaignPlan.Predicted]
    /// The 90 % interval of its revenue by the estimate.
    package let width: Ratio?
    let estimate: EstimateReport.Row?
    package let daysToDecide: Int?
    /// The id of its first proposal.
    package let best: String?

    /// The 90 % interval of ``fine``.
    package var shownInterval: Bounds<Share> { shownNow.shares }
    /// The share that its size explains and its 90 % interval, by each of the models.
    package var expected: [(share: Double, low: Double, high: Double)] { bySize.map(\.parts) }
    package var place: CampaignPlace {
      CampaignPlace(app: campaign?.app, network: campaign?.network, digits: campaign?.campaign, name)
    }
  }

  /// A change of some campaigns, by one of the models.
  package struct Proposal: Sendable {
    let plan: CampaignPlan.Proposal
    /// `low` or `high` where two models are as good; `nil` where own postbacks show one.
    package let model: ModelName?
    /// What it would be by that model.
    let now: CampaignPlan.Predicted
    let then: CampaignPlan.Predicted
    let gained: CampaignPlan.Predicted
    package let members: [CampaignPlace]
    /// The task.
    package let text: Sentence
    /// What is lost by it.
    package let lost: Sentence
    package let currency: CurrencyCode?

    package var id: String { plan.id }
    package var isChosen: Bool { plan.isChosen }
    package var shareNow: Share { Share(now.mean) }
    package var shareThen: Share { Share(then.mean) }
    package var thenInterval: Interval { then.interval }
    package var gainedADay: ExpectedCount { ExpectedCount(gained.mean) }
  }

  /// A way to spend the budget in one network or in all, by one of the models.
  package struct Split: Sendable {
    package let kind: CampaignPlan.Split.Kind
    package let model: ModelName?
    /// `nil` for all networks.
    package let network: String?
    package let campaigns: Int
    package let installs: ExpectedCount
    package let shown: ExpectedCount
    let shownInterval: Interval
    let share: CampaignPlan.Predicted?

    package var shareAndInterval: (share: Double, low: Double, high: Double)? { share?.parts }
  }

  /// Which of two models that own postbacks leave open.
  package enum ModelName: String, Sendable { case low, high }

  package static let name = "plan"
  package static let command = "plan"
  package static let path = "/v1/plan"
  package static let summary = "Plan campaigns and a budget so that Apple shows more values."
  package static let discussion = [
    "A row is a campaign as Apple counts it, by the last two digits of its source identifier: its installs a day, the shares of "
      + "fine, coarse and withheld values now, and `expected-share`, the share that its size explains. The table `proposals` has "
      + "what would show more values: to merge small campaigns of one app and network, to give one more budget, or to use fewer values for an app. Each is played "
      + "again on the installs of the last days; then has the predicted share of values shown, with its 90 % interval, and "
      + "`values-gained-a-day` what it adds. The table `together` has all chosen proposals at once.",
    "Apple publishes no size from which it shows values. The privacy threshold models in the table `models` are estimates from own postbacks. "
      + "Where these do not show one, everything is there for two models, low and high, and the table `tests` has the campaign that "
      + "would distinguish them, with what it costs.",
    "--budget AMOUNT compares three splits of it over --days days: as now, as proposed, and one campaign of each app and network. "
      + "The cost per install is that of own spend (`skan spend import`), or --cost. As proposed, a network has no more campaigns than it "
      + "takes: by the table `limits`, by --campaigns, or by a file (--limits).",
  ]
  package static let examples: [Command.Example] = [
    .init("Plan with the campaigns of the last 28 days", "skan plan -d skan.db"),
    .init("Split a budget over 28 days", "skan plan -d skan.db --budget 80000 --days 28"),
    .init(
      "Split a budget before the first campaign",
      "skan plan -d skan.db --budget 20000 --cost ludvb6z3bs.skadnetwork=1.40 --cost 4dzt52r2t5.skadnetwork=0.90"
    ),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope) + [
      .init(
        "horizon", \.horizon,
        "Days since install whose revenue is estimated; needs own users (`skan users import --horizon`).",
        in: 1...3_650, as: .init(placeholder: "DAYS", defaultNote: "the hours that fine values count")),
      .init(
        "currency", \.currency, "Currency of all amounts, the budget and costs included.",
        as: .init(defaultNote: "that of the service, or of most apps' mappings")),
      .init("target", \.target, "Return on spend that campaigns are judged by; 1 pays for itself."),
      .init("share", \.share, "Percentage of values that shall be shown.", in: 1...99),
      .init("budget", \.budget, "Amount to split; see --days."),
      .init("days", \.days, "Days that are played, and that the budget is for.", in: playableDays),
      .init(
        "cost", \.costs, "Cost per install of a network, in place of that of own spend.",
        as: .init(defaultNote: "that of own spend")
      ) { (report) throws(ParameterError) in
        guard report.costs.count <= mostCosts else {
          throw ParameterError(
            "cost", Sentence("found \(report.costs.count) costs. Give \(mostCosts) at most."))
        }
        var known: Set<AdNetworkID> = []
        for cost in report.costs where !known.insert(cost.network).inserted {
          throw ParameterError(
            "cost", Sentence("found two costs of \(name: cost.network.canonical). Give one."))
        }
      },
      .init(
        "campaigns", \.limits,
        "Most campaigns of a network, and how many hours the number of one is kept from another; the last one of a network counts.",
        as: .init(defaultNote: "those of the table limits")),
      .init(
        "choose", \.chosen,
        "Proposals that are predicted together, by their ids; none for the campaigns as they are.",
        as: .init(placeholder: "ID", defaultNote: "all that share no campaign and need no money")),
      .init("seed", \.seed, "Random seed.", in: 0...(.max)),
    ]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let limits = NetworkLimits.builtIn.replaced(by: file.entries + limits.map { .init(limit: $0) })
    let (plan, evidence, installs) = try plan(from: source, limits)
    return rows(of: plan, evidence, limits, installs)
  }

  /// The installs a week of a small, a middle and a large campaign with the usual proposals; none without campaigns.
  package func sizes(from source: ReportSource) throws -> [Int] {
    try plan(from: source, .builtIn).plan.sizes
  }

  private func plan(
    from source: ReportSource, _ limits: NetworkLimits
  ) throws -> (plan: CampaignPlan, evidence: PlanEvidence, installs: Range<Day>) {
    var source = source
    source.keeper = source.keeper ?? PartKeeper()
    let usual = EstimateReport.installDays(at: source.now)
    let to = period.to ?? period.from.map { max($0.next, usual.upperBound) } ?? usual.upperBound
    let installs = min(period.from ?? Day(number: to.number - EstimateReport.usualDays), to)..<to
    let evidence = try source.reader.consistently { () throws(LedgerError) in
      Result { try PlanEvidence(self, installs, from: source) }
    }.get()
    let plan = CampaignPlan(evidence.campaigns, question(evidence, limits))
    try check(plan, evidence)
    return (plan, evidence, installs)
  }

  private func question(_ evidence: PlanEvidence, _ limits: NetworkLimits) -> PlanQuestion {
    var question = PlanQuestion()
    question.share = Double(share) / 100
    (question.days, question.target, question.seed) = (days, target.ratio, UInt64(seed))
    question.budget = budget?.amount.units
    (question.chosen, question.sharing) = (chosen, evidence.sharing.rule)
    question.values = evidence.values
    for cost in costs { question.costs[cost.network.canonical] = cost.amount.units }
    for network in evidence.networks {
      question.ids[network] =
        limits.entry(of: network, called: evidence.networkNames[network])?.limit.campaigns
    }
    return question
  }

  /// Looks at what only the plan shows: costs that are missing, and proposals that there are not or that overlap.
  private func check(_ plan: CampaignPlan, _ evidence: PlanEvidence) throws(ParameterError) {
    if budget != nil, let network = plan.missingCosts.first {
      let all = Sentence.joined(plan.missingCosts.map { Sentence(name: $0) }, by: ", ")
      throw ParameterError(
        "budget",
        Sentence(
          "needs a cost per install of \(all), of which no spend is known: import spend, or give --cost "
            + "\(name: network)=AMOUNT."))
    }
    if budget != nil, costs.isEmpty, plan.splits.allSatisfy({ $0.campaigns == 0 }) {
      throw ParameterError(
        "budget", Sentence("needs a cost per install of each network: give --cost NETWORK=AMOUNT."))
    }
    if plan.splits.contains(where: { $0.installs > Self.mostInstalls }) {
      throw ParameterError(
        "budget",
        Sentence(
          "buys more than \(grouped: Int(Self.mostInstalls)) installs, which is no plan. Use a lower one."))
    }
    var owners: [PlannedCampaign.Place: String] = [:]
    for id in chosen where id != Self.nothing {
      guard let proposal = plan.proposals.first(where: { $0.id == id }) else {
        let ids = plan.proposals.map(\.id)
        guard id.utf8.count <= Self.longestID, let meant = nearest(to: id, among: ids) else {
          throw ParameterError(
            "choose", Sentence("there is no proposal '\(name: id)'; ids are those of the table proposals."))
        }
        throw ParameterError(
          "choose",
          Sentence(
            "there is no proposal '\(name: id)'; ids are those of the table proposals. Did you mean '\(code: meant)'?"
          ))
      }
      for member in proposal.members {
        if let other = owners[member] {
          throw ParameterError(
            "choose",
            Sentence(
              "found '\(name: other)' and '\(name: id)', which both change campaign \(name: member.digits) of "
                + "\(name: member.network). Leave one of them out."))
        }
        owners[member] = id
      }
    }
  }
}

extension CampaignPlan.Predicted {
  fileprivate var parts: (share: Double, low: Double, high: Double) { (mean, interval.low, interval.high) }
}

extension Interval {
  /// As shares that a column shows.
  var shares: Bounds<Share> { Bounds(Share(low), Share(high)) }
}
