internal import Numerics
internal import Values

/// Changes of campaigns that would show more values, the largest gain first.
struct PlanProposals {
  /// A change with its play.
  struct Change {
    let kind: CampaignPlan.Proposal.Kind
    let members: [Int]
    /// What the group shows as it is and after the change, once for each model.
    let now: [Shown]
    let then: [Shown]
    /// Values gained a day, by draw; those of bought installs are none.
    let gained: [[Double]]
    var id = ""
    var isChosen = false
    var returnsDiffer = false

    /// Whether more values are as good as sure to be shown, whichever model is right.
    var gains: Bool {
      !gained.isEmpty
        && gained.indices.allSatisfy { model in
          let gain = CampaignPlan.Predicted(gained[model])
          guard let now = now[model].share, let then = then[model].share else { return false }
          return gain.interval.low > 0 && gain.mean >= 1 && then.mean - now.mean >= 0.02
        }
    }

    /// Installs a day after it.
    func installsADay(_ ground: PlanGround) -> Double {
      let own = members.reduce(0) { $0 + ground.campaigns[$1].installsADay }
      return if case .raise(_, let more, _) = kind { own + more } else { own }
    }

    /// By which changes are ordered: the gain of the model that gives less.
    var gain: Double { gained.map { CampaignPlan.Predicted($0).mean }.min() ?? 0 }
  }

  let ground: PlanGround
  private(set) var changes: [Change] = []

  private static let factors = [1.25, 1.5, 2, 3, 4]
  private static let valueCounts = [48, 32, 24, 16, 12, 8, 6, 4, 3, 2]
  /// No larger campaigns are simulated to design a mapping: hardly anything is withheld of them.
  private static let mostOfWeek = 100_000
  /// Installs whose cost is a campaign's own.
  private static let fewInstalls = 20.0

  /// - Parameter alone: What each campaign shows as it is.
  init(_ ground: PlanGround, alone: [[Shown]]) {
    self.ground = ground
    let campaigns = ground.campaigns
    let small = campaigns.indices.filter { ground.isActive[$0] && ground.isSmall(alone[$0]) }
    var enough: [PlanGround.Play: Double?] = [:]
    func size(_ index: Int) -> Double { campaigns[index].installsOfADay }
    for (_, group) in Dictionary(grouping: small, by: { campaigns[$0].place.group }).sorted(by: {
      $0.key < $1.key
    }) {
      let play = ground.play(of: group[0])
      let found = enough[play] ?? ground.enough(play)
      enough[play] = .some(found)
      guard let least = found else { continue }
      for some in ground.separately(group) {
        for members in PlanBundles(some, size: size, enough: least).groups {
          // Played anew: the plays of all campaigns together would take much memory.
          let plays = members.map { ground.forecast.sizes(of: $0, times: 1) }
          let then = ground.shown(ShownForecast.union(plays), of: members)
          changes.append(change(.merge, members, then, alone: alone))
        }
      }
      for index in group where size(index) >= least / 4 { addRaise(of: index, alone: alone) }
    }
    for (app, rare) in ground.rare.sorted(by: { $0.key < $1.key }) {
      addFewerValues(of: app, rare, alone: alone)
    }
    changes.removeAll { !$0.gains }
    name()
    changes.sort { ($1.gain, $0.id) < ($0.gain, $1.id) }
    choose()
  }

  private func change(
    _ kind: CampaignPlan.Proposal.Kind, _ members: [Int], _ then: [Shown],
    alone: [[Shown]]
  ) -> Change {
    let days = Double(ground.forecast.days)
    let now = Array(ground.sum(members.map { alone[$0] }).prefix(then.count))
    let installs = members.reduce(0) { $0 + ground.campaigns[$1].installsADay } * days
    let gained = zip(now, then).map { now, then in
      let scale = now.scale(to: installs)
      return now.values.indices.map { draw in
        guard now.installs[draw] > 0, then.installs[draw] > 0 else { return 0.0 }
        // The share's gain, of today's installs.
        let share = then.values[draw] / then.installs[draw]
        return scale * (share * now.installs[draw] - now.values[draw]) / days
      }
    }
    var change = Change(kind: kind, members: members, now: now, then: then, gained: gained)
    if kind == .merge {
      let returns = members.compactMap { ground.campaigns[$0].money.returnsInterval }
      let (highest, lowest) = (returns.map(\.low).max(), returns.map(\.high).min())
      if let highest, let lowest { change.returnsDiffer = highest > lowest }
    }
    return change
  }

  /// The most values with which an app's campaigns are as good as sure to show the wanted share; else the first number that
  /// gains.
  private mutating func addFewerValues(of app: Int64, _ rare: RareValues, alone: [[Shown]]) {
    let members = ground.campaigns.indices.filter {
      ground.isActive[$0] && ground.campaigns[$0].place.app == app
    }
    guard let now = ground.question.values[app]?.count, !members.isEmpty,
      ground.isSmall(ground.sum(members.map { alone[$0] }))
    else { return }
    var first: Change?
    let counts = Self.valueCounts.filter { $0 < now }
    let laws = counts.map(rare.laws)
    var shown = [Shown](repeating: .nothing, count: counts.count)
    for index in members {
      let sizes = ground.forecast.sizes(of: index, times: 1)
      for place in shown.indices {
        shown[place] = shown[place] + ground.forecast.shown(sizes, under: laws[place], index)
      }
    }
    for (count, then) in zip(counts, shown) {
      let change = change(.values(now: now, then: count), members, [then], alone: alone)
      guard change.gains else { continue }
      if first == nil { first = change }
      if !ground.isSmall(change.then) {
        first = change
        break
      }
    }
    if let first { changes.append(first) }
  }

  /// The least of some factors by which a campaign is as good as sure to show the wanted share; else the first one that gains.
  private mutating func addRaise(of index: Int, alone: [[Shown]]) {
    let campaign = ground.campaigns[index]
    guard let cost = cost(of: index) else { return }
    let size = campaign.installsADay
    let perInstall = ground.conversionsPerInstall(campaign.place.network)
    var first: Change?
    for factor in Self.factors {
      let more = (factor - 1) * size
      let change = change(
        .raise(factor: factor, installsADay: more, spendADay: more / perInstall * cost), [index],
        ground.shown(ground.forecast.sizes(of: index, times: factor), of: [index]), alone: alone)
      guard change.gains else { continue }
      if first == nil { first = change }
      if change.then.allSatisfy({ ($0.share?.interval.low ?? 0) >= ground.question.share }) {
        first = change
        break
      }
    }
    if let first { changes.append(first) }
  }

  /// What an install of a campaign costs: its own where it has enough of them.
  func cost(of index: Int) -> Double? {
    let campaign = ground.campaigns[index]
    let network = campaign.place.network
    if ground.question.costs[network] == nil, let own = campaign.money.costPerInstall,
      let spend = campaign.money.spend, own > 0, spend / own >= Self.fewInstalls
    {
      return own
    }
    return ground.cost(of: network)
  }

  /// Ids name what is changed, and the app only where two would be the same.
  private mutating func name() {
    func id(_ change: Change, isFull: Bool) -> String {
      let place = ground.campaigns[change.members[0]].place
      func campaigns(_ word: String) -> String {
        let digits = change.members.map { ground.campaigns[$0].place.digits }.sorted()
        let network = isFull ? place.network : String(place.network.prefix { $0 != "." })
        return ([word] + (isFull ? ["\(place.app)", place.kind] : []) + [network] + digits)
          .joined(separator: "-")
      }
      return switch change.kind {
      case .merge: campaigns("merge")
      case .raise: campaigns("raise")
      case .values(_, let count): "values-\(place.app)-\(count)"
      }
    }
    let counts = changes.reduce(into: [String: Int]()) { $0[id($1, isFull: false), default: 0] += 1 }
    for index in changes.indices {
      let short = id(changes[index], isFull: false)
      changes[index].id = counts[short] == 1 ? short : id(changes[index], isFull: true)
    }
  }

  /// Chooses what was asked for; without a wish all that share no campaign, cost nothing and hide no difference.
  private mutating func choose() {
    let wished = Set(ground.question.chosen)
    var taken: Set<Int> = []
    for index in changes.indices {
      let change = changes[index]
      let isWanted =
        wished.isEmpty ? change.kind == .merge && !change.returnsDiffer : wished.contains(change.id)
      guard isWanted, taken.isDisjoint(with: change.members) else { continue }
      taken.formUnion(change.members)
      changes[index].isChosen = true
    }
  }

  /// What all campaigns show with the chosen changes, once for each model.
  func together(alone: [[Shown]]) -> [Shown] {
    let chosen = changes.filter(\.isChosen)
    let changed = Set(chosen.flatMap(\.members))
    return ground.sum(chosen.map(\.then) + alone.indices.filter { !changed.contains($0) }.map { alone[$0] })
  }

  /// The installs a week of a small, a middle and a large campaign with the chosen changes.
  func sizes() -> [Int] {
    let chosen = changes.filter { $0.isChosen && $0.kind.isOfCampaigns }
    let changed = Set(chosen.flatMap(\.members))
    let alone = ground.campaigns.indices.filter { ground.isActive[$0] && !changed.contains($0) }
    let sizes = (chosen.map { $0.installsADay(ground) } + alone.map { ground.campaigns[$0].installsADay })
      .map { min(Self.mostOfWeek, Int(nearest: 7 * $0)) }.filter { $0 > 0 }.sorted()
    return Set([1, 3, 5].compactMap { sixth in sizes.dropFirst(sizes.count * sixth / 6).first }).sorted()
  }

  /// The values that they gain a day, once for each model.
  func gained() -> [CampaignPlan.Predicted] {
    let chosen = changes.filter(\.isChosen)
    return (0..<ground.models).map { model in
      let sums = chosen.reduce([Double](repeating: 0, count: ShownForecast.draws)) { sums, change in
        zip(sums, change.gained[min(model, change.gained.count - 1)]).map(+)
      }
      return CampaignPlan.Predicted(sums)
    }
  }
}

extension PlannedCampaign {
  var installsADay: Double { inPlay.total / Double(max(1, played.count)) }

  /// The same of the days since it began, which is how large it is.
  var installsOfADay: Double { inPlay.total / Double(max(1, played.clamped(to: arrivals.indices).count)) }

  /// What is spent on it a day.
  var spendADay: Double? { money.spend.map { $0 / Double(max(1, played.count)) } }
}
