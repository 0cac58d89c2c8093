/// What campaigns of these sizes will show, and what would show more.
package struct CampaignPlan: Sendable {
  /// A predicted number with its 90 % interval.
  package struct Predicted: Equatable, Sendable {
    package let mean: Double
    package let interval: Interval
  }

  /// A campaign as it is.
  package struct Row: Sendable {
    package let place: PlannedCampaign.Place
    package let installsADay: Double
    /// Postbacks of the days that are played.
    package let conversions: Double
    /// Shares of postbacks; the three add up to 1.
    package let fine: Double
    package let coarse: Double
    package let none: Double
    /// The 90 % interval of the share of fine values.
    package let shownNow: Interval
    /// The share that its size explains: one figure, or one for each of two models, the lower threshold first; none where
    /// nothing is played.
    package let bySize: [Predicted]
    /// The 90 % interval of its revenue by the estimate, which is that of its return too.
    package let width: Double?
    /// The id of its first proposal.
    package let best: String?
  }

  /// A change of one or several campaigns.
  package struct Proposal: Sendable {
    package enum Kind: Equatable, Sendable {
      case merge
      /// More installs for one campaign.
      case raise(factor: Double, installsADay: Double, spendADay: Double)
      /// A mapping with fewer values for the app.
      case values(now: Int, then: Int)
    }

    package let id: String
    package let kind: Kind
    package let members: [PlannedCampaign.Place]
    /// After the change.
    package let installsADay: Double
    /// After the change; `nil` where no spend is known.
    package let spendADay: Double?
    /// Shares of fine values and such values gained a day; one of each, or one for each of two models.
    package let now: [Predicted]
    package let then: [Predicted]
    package let gained: [Predicted]
    package let widthNow: Double?
    package let widthThen: Predicted?
    package let daysThen: Int?
    /// Whether more values are as good as sure to be shown, by each model.
    package let gains: Bool
    /// Whether it is among those that are predicted together.
    package let isChosen: Bool
    /// Whether the members' intervals of return do not overlap, so that a merge hides a difference.
    package let returnsDiffer: Bool
  }

  /// One way to spend a budget.
  package struct Split: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      case now = "as-now"
      case proposed = "as-proposed"
      case single = "one-of-each-network"
    }

    package let kind: Kind
    /// `nil` for all networks together.
    package let network: String?
    package let campaigns: Int
    package let installs: Double
    /// Fine values shown in all days; one figure, or one for each of two models.
    package let shown: [Predicted]
    package let share: [Predicted]
    /// The campaigns that become one, for each of the split's campaigns.
    package let groups: [[PlannedCampaign.Place]]
  }

  /// A model of the sizes from which Apple shows values.
  package struct Model: Sendable {
    package enum Sort: Sendable {
      case known(CrowdThreshold)
      /// Own postbacks fit two models.
      case open(low: NullMechanism, high: NullMechanism, Reason)
      /// Values are withheld that fewer users of a campaign and week share.
      case byValue(users: Int)
    }

    /// Why own postbacks leave two models open.
    package enum Reason: Sendable { case wide, hardlyAny, nearlyAll, notBySize, noData }

    /// `nil` for the model of all networks that have none of their own.
    package let network: String?
    package let sort: Sort
    /// From which size any value is shown, fine or coarse; `nil` where that is not another one.
    package let any: CrowdThreshold?
    /// The first day of arrival that it rests on, where the rule seems to have changed.
    package let since: Int?
    /// How many days of campaigns it rests on.
    package let days: Int
  }

  /// A campaign that would distinguish two models.
  package struct Test: Sendable {
    /// The model's.
    package let network: String?
    package let installsADay: Double
    package let days: Int
    package let cost: Double?
    /// The shares that the two models predict.
    package let low: Double
    package let high: Double
  }

  /// All campaigns as they are.
  package struct Total: Sendable {
    package let installsADay: Double
    package let share: Double
    package let shownNow: Interval
    package let bySize: [Predicted]
  }

  package let rows: [Row]
  package let total: Total
  /// All campaigns with the chosen proposals: the share shown, and the values gained a day.
  package let together: [Predicted]
  package let togetherGained: [Predicted]
  /// Campaigns that can be decided within 28 days, as they are and with the chosen proposals.
  package let decidedNow: Int
  /// `nil` where that of a chosen proposal is unknown.
  package let decidedThen: Int?
  /// The most values gained first.
  package let proposals: [Proposal]
  package let splits: [Split]
  package let models: [Model]
  package let tests: [Test]
  /// The installs a week of a small, a middle and a large campaign with the chosen proposals; fewer where these are alike.
  package let sizes: [Int]
  /// Networks whose cost per install a budget needs, and that have none.
  package let missingCosts: [String]

  /// Makes a plan.
  package init(_ campaigns: [PlannedCampaign], _ question: PlanQuestion) {
    let ground = PlanGround(campaigns.sorted { $0.place < $1.place }, question)
    let alone = ground.campaigns.indices.map(ground.alone)
    let found = PlanProposals(ground, alone: alone)
    let proposals = found.changes.map { $0.proposal(ground) }
    self.proposals = proposals
    rows = ground.campaigns.indices.map { index in
      let place = ground.campaigns[index].place
      return Row(
        ground, index, alone[index],
        best: proposals.first { $0.members.contains(place) }?.id)
    }
    let all = ground.campaigns.map(\.inPlay)
    let (postbacks, shown) = (all.reduce(0) { $0 + $1.total }, all.reduce(0) { $0 + $1.fine })
    total = Total(
      installsADay: rows.reduce(0) { $0 + $1.installsADay }, share: postbacks > 0 ? shown / postbacks : 0,
      shownNow: Interval(shareOf: shown, in: postbacks), bySize: ground.sum(alone).compactMap(\.share))
    together = found.together(alone: alone).compactMap(\.share)
    togetherGained = found.gained()
    let chosen = proposals.filter(\.isChosen)
    let changed = Set(chosen.flatMap(\.members))
    decidedNow = ground.campaigns.count { $0.isDecidedSoon }
    let unchanged = ground.campaigns.count { $0.isDecidedSoon && !changed.contains($0.place) }
    decidedThen =
      chosen.contains { $0.widthThen == nil }
      ? nil : unchanged + chosen.count { $0.daysThen.map { $0 <= PlannedCampaign.soon } ?? false }
    sizes = found.sizes()
    models = ground.fit.models
    tests = models.compactMap { Test(of: $0, ground) }
    let spent = PlanSplits(ground)
    (splits, missingCosts) = (spent.splits, spent.missing)
  }
}

extension CampaignPlan.Row {
  fileprivate init(_ ground: PlanGround, _ index: Int, _ alone: [Shown], best: String?) {
    let campaign = ground.campaigns[index]
    let counts = campaign.inPlay
    let total = max(1, counts.total)
    let shownNow = Interval(shareOf: counts.fine, in: counts.total)
    self.init(
      place: campaign.place, installsADay: campaign.installsADay, conversions: counts.total,
      fine: counts.fine / total, coarse: counts.coarse / total,
      none: counts.total > 0 ? (counts.total - counts.fine - counts.coarse) / total : 0, shownNow: shownNow,
      bySize: alone.compactMap(\.share),
      width: campaign.money.sum.flatMap { EstimatedSum.width(of: [$0]) },
      best: best)
  }
}

extension CampaignPlan.Proposal.Kind {
  /// Whether campaigns are changed, not the mapping.
  var isOfCampaigns: Bool {
    switch self {
    case .merge, .raise: true
    case .values: false
    }
  }
}

extension PlanProposals.Change {
  fileprivate func proposal(_ ground: PlanGround) -> CampaignPlan.Proposal {
    // Widths of own campaigns are those of the mapping as it is.
    let width = kind.isOfCampaigns ? PredictedWidth(of: self, ground) : nil
    let own = members.map { ground.campaigns[$0] }
    let known = own.compactMap(\.spendADay)
    var spend = known.count == own.count ? known.reduce(0, +) : nil
    if case .raise(_, _, let cost) = kind { spend = spend.map { $0 + cost } }
    return CampaignPlan.Proposal(
      id: id, kind: kind, members: own.map(\.place), installsADay: installsADay(ground), spendADay: spend,
      now: now.compactMap(\.share), then: then.compactMap(\.share),
      gained: gained.map { CampaignPlan.Predicted($0) }, widthNow: width?.now,
      widthThen: width?.then, daysThen: width?.days,
      gains: gains, isChosen: isChosen, returnsDiffer: returnsDiffer)
  }
}
