internal import Numerics
internal import System
internal import Values

/// What all parts of a plan rest on: the campaigns, the models and the played days.
struct PlanGround {
  let campaigns: [PlannedCampaign]
  let question: PlanQuestion
  let fit: CrowdFit
  let forecast: ShownForecast
  /// How often users have each value, by app, where rare values are withheld; none where that is no rule, or no app shows enough.
  let rare: [Int64: RareValues]
  /// `nil` where own campaigns show nothing of the widths of others.
  let widths: OwnWidths?
  /// Campaigns without an install in a week before the end are over.
  let isActive: [Bool]
  /// How many models a figure can have: two where a network has two.
  let models: Int

  private static let activeDays = 7

  init(_ campaigns: [PlannedCampaign], _ question: PlanQuestion) {
    let all = campaigns
    let campaigns = campaigns.filter(\.isAsked)
    rare = Self.rare(campaigns, question)
    fit =
      if let users = question.sharing, !rare.isEmpty {
        CrowdFit(users: users, days: all.reduce(0) { $0 + $1.arrivals.count })
      } else {
        CrowdFit(all, seed: question.seed)
      }
    self.campaigns = campaigns
    self.question = question
    forecast = ShownForecast(campaigns, days: max(1, question.days), seed: question.seed)
    widths = OwnWidths(campaigns.compactMap(OwnWidths.Known.init))
    let end = campaigns.map { $0.firstDay + $0.arrivals.count }.max() ?? 0
    isActive = campaigns.map { campaign in
      let last = campaign.arrivals.lastIndex { $0.total > 0 }
      return last.map { campaign.firstDay + $0 >= end - Self.activeDays } ?? false
    }
    models = fit.models.map(\.laws.count).max() ?? 1
  }

  /// What a campaign is played with: one of the models, or what its app's users have.
  enum Play: Hashable { case model(Int), app(Int64) }

  func play(of index: Int) -> Play {
    let place = campaigns[index].place
    return rare[place.app] == nil ? play(of: place.network) : .app(place.app)
  }

  /// The same of a campaign that there is not yet, or of an app that shows too little: where rare values are withheld, what the
  /// users of the first app have.
  func play(of network: String) -> Play {
    rare.keys.min().map { .app($0) } ?? .model(fit.place(of: network))
  }

  /// The laws by which campaigns are played, the lower threshold first.
  func laws(_ play: Play) -> [[ShownLaw]] {
    switch play {
    case .model(let place): fit.models[place].laws.map { $0.map(ShownLaw.size) }
    case .app(let app): rare[app].map { [$0.laws] } ?? []
    }
  }

  private static func rare(_ campaigns: [PlannedCampaign], _ question: PlanQuestion) -> [Int64: RareValues] {
    guard let users = question.sharing else { return [:] }
    let apps = Dictionary(grouping: campaigns, by: \.place.app)
    return apps.compactMapValues { campaigns in
      RareValues(
        campaigns.flatMap(\.weeks), of: question.values[campaigns[0].place.app] ?? [], users: users,
        seed: question.seed)
    }
  }

  /// What a group shows, once for each of its network's models.
  func shown(_ sizes: [Int32], of members: [Int]) -> [Shown] {
    laws(play(of: members[0])).map { forecast.shown(sizes, under: $0, members[0]) }
  }

  /// Campaigns whose return surely is not reached apart from the others: the two are never merged.
  func separately(_ members: [Int]) -> [[Int]] {
    [
      members.filter { !campaigns[$0].money.isSurelyBelow },
      members.filter { campaigns[$0].money.isSurelyBelow },
    ]
  }

  func alone(_ index: Int) -> [Shown] { shown(forecast.sizes(of: index, times: 1), of: [index]) }

  /// Whether what is shown may be less than the wanted share, by any model.
  func isSmall(_ shown: [Shown]) -> Bool {
    shown.contains { ($0.share?.interval.low ?? 1) < question.share }
  }

  /// Adds up what groups of all networks show; a network with one model has the same under each of two.
  func sum(_ groups: [[Shown]]) -> [Shown] {
    groups.reduce([Shown](repeating: .nothing, count: models)) { sum, group in
      sum.indices.map { group.isEmpty ? sum[$0] : sum[$0] + group[min($0, group.count - 1)] }
    }
  }

  /// The installs a day from which a campaign is as good as sure to show the wanted share, by the model that asks for more;
  /// `nil` where none is enough.
  func enough(_ play: Play) -> Double? {
    guard let law = laws(play).last else { return nil }
    let sizes = (0..<60).map { exponential(naturalLogarithm(1) + Double($0) * 0.15) }
    func isEnough(_ size: Double) -> Bool {
      let share = forecast.shown(forecast.flat(size), under: law, 0).share
      return share.map { $0.interval.low >= question.share } ?? false
    }
    var (low, high) = (0, sizes.count)
    while low < high {
      let middle = (low + high) / 2
      if isEnough(sizes[middle]) { high = middle } else { low = middle + 1 }
    }
    return low < sizes.count ? sizes[low] : nil
  }

  /// Installs of first postbacks that a unit of cost's installs come with: redownloads count in groups.
  func conversionsPerInstall(_ network: String) -> Double {
    let sums = campaigns.filter { $0.place.network == network }.compactMap(\.money.sum)
    let first = sums.reduce(0) { $0 + $1.firstInstalls }
    return first > 0 ? sums.reduce(0) { $0 + $1.installs } / first : 1
  }

  /// What an install of a network costs: as given, or by what was spent on all of its campaigns.
  func cost(of network: String) -> Double? {
    if let given = question.costs[network] { return given }
    var (spend, installs) = (0.0, 0.0)
    for campaign in campaigns where campaign.place.network == network {
      guard let own = campaign.money.spend, let cost = campaign.money.costPerInstall, cost > 0 else {
        continue
      }
      spend += own
      installs += own / cost
    }
    return installs > 0 && spend > 0 ? spend / installs : nil
  }
}
