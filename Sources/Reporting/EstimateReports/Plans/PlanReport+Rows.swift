import Campaigns
import Estimates
import Postbacks
import Tables
import Values

extension PlanReport {
  /// The answer as rows and tables; what is shown of parts adds up to what is shown of the whole.
  func rows(
    of plan: CampaignPlan, _ evidence: PlanEvidence, _ limits: NetworkLimits, _ installs: Range<Day>
  ) -> Rows<Row> {
    let found = plan.rows.compactMap { row -> Row? in
      guard row.conversions > 0, let asked = evidence.asked[row.place] else { return nil }
      return Row(row, asked)
    }
    let proposals = plan.proposals.flatMap { proposal in
      let figures = zip(zip(proposal.now, proposal.then), proposal.gained)
      return zip(figures, Self.models(of: proposal.then.count)).map { figures, model in
        Proposal(proposal, model, (figures.0.0, figures.0.1, figures.1), evidence)
      }
    }
    let splits = Self.splits(plan.splits)
    // Models rest on all networks; those of networks that are not asked for are not shown.
    let isOwn = { (network: String?) in network.map(evidence.networks.contains) ?? true }
    let models = plan.models.filter { isOwn($0.network) }.map { Model(plan: $0) }
    let tests = plan.tests.filter { isOwn($0.network) }.map { Test(plan: $0, currency: evidence.currency) }
    let known = evidence.networks.sorted().compactMap { network in
      limits.entry(of: network, called: evidence.networkNames[network]).map {
        Limit(network: network, inUse: evidence.active[network] ?? 0, entry: $0)
      }
    }
    var rows = Rows.held(found, total: found.isEmpty ? nil : Row(allOf: found, plan.total, decided: plan))
    rows.details = [
      Self.proposals.table(proposals),
      Self.together.table(found.isEmpty ? [] : Together.all(of: plan)),
      Self.splits.table(splits), Self.models.table(models), Self.tests.table(tests), Self.limits.table(known),
    ]
    rows.notes = notes(plan, evidence, models: models.map(\.plan), known, installs)
    rows.noteIfEmpty =
      splits.isEmpty
      ? Sentence(
        "no winning postbacks of the first window in these days; with --budget and --cost a plan rests on the sizes that networks "
          + "recommend"
      ).onPages(nil)
      : Sentence(
        "no winning postbacks of the first window in these days: the splits rest on the sizes that networks recommend alone"
      )
    return rows
  }

  /// What the figures of a plan are by: nothing where it has one of each.
  static func models(of count: Int) -> [ModelName?] { count > 1 ? [.low, .high] : [nil] }

  /// The rows of splits: those of all networks together are the sums of the others, as they are shown.
  private static func splits(_ splits: [CampaignPlan.Split]) -> [Split] {
    CampaignPlan.Split.Kind.allCases.flatMap { kind -> [Split] in
      let own = splits.filter { $0.kind == kind }
      let parts = own.filter { $0.network != nil }
      return models(of: own.first?.shown.count ?? 0).enumerated().flatMap { place, model -> [Split] in
        let rows = parts.map { Split($0, model, at: place) }
        guard let all = own.first(where: { $0.network == nil }) else { return rows }
        return [Split(all, model, at: place, sumOf: rows)] + rows
      }
    }
  }
}

extension PlanReport.Row {
  fileprivate init(_ row: CampaignPlan.Row, _ asked: PlanEvidence.Asked) {
    (campaign, name, estimate) = (asked.campaign, asked.name, asked.estimate)
    installsADay = ExpectedCount(row.installsADay)
    conversions = ExpectedCount(row.conversions)
    (fine, coarse, none) = Self.shares(fine: row.fine, coarse: row.coarse)
    (shownNow, bySize, best) = (row.shownNow, row.bySize, row.best)
    width = row.width.map { Ratio($0) }
    daysToDecide = asked.estimate?.daysToDecide
  }

  fileprivate init(allOf rows: [Self], _ total: CampaignPlan.Total, decided: CampaignPlan) {
    (campaign, name, estimate, best, width, daysToDecide) = (nil, .unknown, nil, nil, nil, nil)
    installsADay = .sum(of: rows.map(\.installsADay))
    conversions = .sum(of: rows.map(\.conversions))
    let all = rows.reduce(0) { $0 + ($1.conversions.number ?? 0) }
    func share(_ part: KeyPath<Self, Share>) -> Double {
      rows.reduce(0) { $0 + ($1[keyPath: part].number ?? 0) * ($1.conversions.number ?? 0) } / max(1, all)
    }
    (fine, coarse, none) = Self.shares(fine: total.share, coarse: share(\.coarse))
    (shownNow, bySize) = (total.shownNow, total.bySize)
  }

  /// Shares that add up to 1 as they are shown.
  private static func shares(fine: Double, coarse: Double) -> (Share, Share, Share) {
    let (fine, coarse) = (Share(fine), Share(coarse))
    return (fine, coarse, Share(max(0, 1 - (fine.number ?? 0) - (coarse.number ?? 0))))
  }
}

extension ExpectedCount {
  /// The sum of counts as they are shown.
  fileprivate static func sum(of parts: [Self]) -> Self {
    Self(micros: parts.reduce(Amount.zero) { $0.adding($1.cell.amount ?? .zero).sum }.micros)
  }
}

extension PlanReport.Split {
  fileprivate init(_ split: CampaignPlan.Split, _ model: PlanReport.ModelName?, at place: Int) {
    (kind, self.model, network) = (split.kind, model, split.network)
    (campaigns, installs) = (split.campaigns, ExpectedCount(split.installs.rounded()))
    shown = ExpectedCount(split.shown[place].mean.rounded())
    shownInterval = split.shown[place].interval.whole
    share = split.share.dropFirst(place).first
  }

  fileprivate init(
    _ split: CampaignPlan.Split, _ model: PlanReport.ModelName?, at place: Int, sumOf parts: [Self]
  ) {
    (kind, self.model, network) = (split.kind, model, nil)
    campaigns = parts.isEmpty ? split.campaigns : parts.reduce(0) { $0 + $1.campaigns }
    installs = parts.isEmpty ? ExpectedCount(split.installs.rounded()) : .sum(of: parts.map(\.installs))
    shown = parts.isEmpty ? ExpectedCount(split.shown[place].mean.rounded()) : .sum(of: parts.map(\.shown))
    shownInterval = split.shown[place].interval.whole
    share = split.share.dropFirst(place).first
  }
}

extension PlanReport.Proposal {
  fileprivate init(
    _ proposal: CampaignPlan.Proposal, _ model: PlanReport.ModelName?,
    _ figures: (now: CampaignPlan.Predicted, then: CampaignPlan.Predicted, gained: CampaignPlan.Predicted),
    _ evidence: PlanEvidence
  ) {
    (plan, self.model, currency) = (proposal, model, evidence.currency)
    (now, then, gained) = figures
    let asked = proposal.members.compactMap { evidence.asked[$0] }
    members = asked.map { $0.campaign.place(called: $0.name) }
    let names = members.map(\.words)
    let network = members.first?.network ?? ""
    let called = Sentence(name: evidence.networkNames[network] ?? network)
    let app = members.first?.app.map { "\($0.number)" } ?? ""
    let first = names.first ?? Sentence(name: "")
    switch proposal.kind {
    case .merge where names.count == 2:
      text = Sentence("merge \(first) and \(names[1]) of \(called)")
      lost =
        proposal.returnsDiffer
        ? Sentence("nothing distinguishes the two any more, and their returns surely differ")
        : Sentence("nothing distinguishes the two any more")
    case .merge:
      text = Sentence("merge \(names.count) campaigns of \(called): \(Sentence.joined(names, by: ", "))")
      lost =
        proposal.returnsDiffer
        ? Sentence("nothing distinguishes them any more, and their returns surely differ")
        : Sentence("nothing distinguishes them any more")
    case .raise(_, let installs, let spend):
      let more = evidence.money(spend)
      text = Sentence(
        "give \(first) of \(called) \(grouped: Int(nearest: installs)) more installs a day (\(more) a day)")
      lost = Sentence("\(more) more a day, if an install costs as much as now")
    case .values(let now, let then):
      text = Sentence("use \(then) values instead of \(now) for app \(code: app)")
      lost = Sentence("each value is for a wider range of users, so that less is known of a single one")
    }
  }
}

extension CampaignPlace {
  /// What people call it, else its digits.
  fileprivate var words: Sentence {
    name.map { Sentence(name: $0) } ?? Sentence("campaign \(code: digits ?? "")")
  }
}

extension Interval {
  fileprivate var whole: Self { Self(low: low.rounded(), high: high.rounded()) }
}
