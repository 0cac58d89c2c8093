internal import Values

/// Ways to spend a budget, side by side.
struct PlanSplits {
  private(set) var splits: [CampaignPlan.Split] = []
  /// Networks without a cost.
  private(set) var missing: [String] = []

  /// A campaign of a split.
  private struct Group {
    let network: String
    let members: [Int]
    /// Postbacks that are expected of it.
    let installs: Double
    /// What it shows, once for each of the network's models.
    let shown: [Shown]
  }

  private let ground: PlanGround
  private static let mostIDs = 100

  /// Spends the budget as money is spent today: each campaign has as many times its installs as there is more money.
  init(_ ground: PlanGround) {
    self.ground = ground
    guard let budget = ground.question.budget else { return }
    let active = ground.campaigns.indices.filter { ground.isActive[$0] }
    let networks = Set(active.map { ground.campaigns[$0].place.network }).sorted()
    missing = networks.filter { ground.cost(of: $0) == nil }
    guard missing.isEmpty else { return }
    guard !active.isEmpty else {
      addNew(budget)
      return
    }
    let daily = active.reduce(0.0) { sum, index in
      let network = ground.campaigns[index].place.network
      let installs = ground.campaigns[index].installsADay / ground.conversionsPerInstall(network)
      return sum + installs * (ground.cost(of: network) ?? 0)
    }
    guard daily > 0 else { return }
    let times = budget / daily / Double(ground.forecast.days)
    func size(_ index: Int) -> Double { times * ground.campaigns[index].installsADay }
    let places = Dictionary(grouping: active) { ground.campaigns[$0].place.group }.sorted { $0.key < $1.key }
    var (now, proposed, single) = ([Group](), [Group](), [Group]())
    for (place, members) in places {
      // The plays of all campaigns together would take much memory.
      var plays: [Int: [Int32]] = [:]
      for index in members { plays[index] = ground.forecast.sizes(of: index, times: times) }
      func play(_ some: [Int]) -> Group {
        Group(
          network: place.network, members: some,
          installs: some.reduce(0) { $0 + size($1) } * Double(ground.forecast.days),
          shown: ground.shown(ShownForecast.union(some.compactMap { plays[$0] }), of: some))
      }
      let alone = members.map { play([$0]) }
      // Where no size is enough, campaigns stay as they are.
      let enough = ground.enough(ground.play(of: members[0])) ?? 0
      let small = zip(members, alone).filter { ground.isSmall($1.shown) }.map(\.0)
      var groups = ground.separately(small).flatMap { PlanBundles($0, size: size, enough: enough).groups }
      groups += Set(members).subtracting(groups.joined()).sorted().map { [$0] }
      // A network's limit holds for each app.
      while groups.count > max(1, ground.question.ids[place.network] ?? Self.mostIDs) {
        groups.sort { ($0.reduce(0) { $0 + size($1) }) > ($1.reduce(0) { $0 + size($1) }) }
        let last = groups.removeLast()
        groups[groups.count - 1] += last
      }
      now += alone
      proposed += groups.map(play)
      single.append(play(members))
    }
    add(.now, now)
    add(.proposed, proposed)
    add(.single, single)
  }

  /// Spends a budget where nothing is known of campaigns: in equal parts on all networks of which a cost is given.
  private mutating func addNew(_ budget: Double) {
    let costs = ground.question.costs.sorted { $0.key < $1.key }.filter { $0.value > 0 }
    let days = Double(ground.forecast.days)
    for kind in [CampaignPlan.Split.Kind.proposed, .single] {
      add(
        kind,
        costs.flatMap { network, cost in
          let play = ground.play(of: network)
          let daily = budget / Double(costs.count) / cost / days
          let most = Double(min(Self.mostIDs, ground.question.ids[network] ?? Self.mostIDs))
          let count =
            kind == .single
            ? 1 : max(1, min(most, daily / (ground.enough(play) ?? daily)).rounded(.down))
          return (0..<Int(count)).map { number in
            let played = ground.forecast.flat(daily / count, number: number)
            return Group(
              network: network, members: [], installs: daily / count * days,
              shown: ground.laws(play).map { ground.forecast.shown(played, under: $0, 0) })
          }
        })
    }
  }

  /// Adds a split as a row of all networks and one of each.
  private mutating func add(_ kind: CampaignPlan.Split.Kind, _ groups: [Group]) {
    for network in [nil] + Set(groups.map(\.network)).sorted().map(Optional.some) {
      let own = groups.filter { network == nil || $0.network == network }
      let sums = ground.sum(own.map(\.shown))
      let installs = own.reduce(0) { $0 + $1.installs }
      splits.append(
        CampaignPlan.Split(
          kind: kind, network: network, campaigns: own.count, installs: installs,
          shown: sums.map { sum in
            let scale = sum.scale(to: installs)
            return CampaignPlan.Predicted(sum.values.map { scale * $0 })
          }, share: sums.compactMap(\.share),
          groups: own.map { $0.members.map { ground.campaigns[$0].place } }))
    }
  }
}
