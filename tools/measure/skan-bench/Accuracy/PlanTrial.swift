import Campaigns
import EstimateReports
import Estimates
import Ledger
import Numerics
import Postbacks
import System
import Tables
import Values

/// A world whose plan is made from its history, and whose proposals are played in the days after it.
///
/// Sizes are lognormal about 20 installs a day; with odd seeds a day's size is also shocked by 20 %, and with every third one
/// weekends have half as many installs again. Each install has its own second and a delay of 72 to 96 hours. What is played
/// has the same users as what goes on as it is, and the users that are bought.
struct PlanTrial: Sendable {
  /// What was predicted, and what came.
  struct Outcome: Sendable {
    let predicted: CampaignPlan.Predicted
    let truth: Double

    var isBelow: Bool { truth < predicted.interval.low }
    var isAbove: Bool { truth > predicted.interval.high }
  }

  /// A proposal that was played.
  struct Played: Sendable {
    let isMerge: Bool
    /// One for each model.
    let share: [Outcome]
    /// Of the mapping, not of campaigns.
    var isOfValues: Bool
    let shareAsNow: Double
    /// That of the revenue's interval; `nil` where it is not predicted.
    var width: Outcome?
  }

  struct World: Sendable {
    let played: [Played]
    let isOpen: Bool
    let hasChange: Bool
    /// The share of all campaigns with the usual choice.
    let together: [Outcome]
  }

  /// A user by arrival; a day of a campaign has them in no order.
  private struct Install {
    let user: LedgerWorld.User
    let arrivedAt: Instant
  }

  /// One day of a group.
  private typealias Group = (name: String, days: [[Install]], isOfSecond: Bool)

  private static let campaigns = 20
  private static let (history, ahead) = (42, 28)
  private static let mostPlayed = 5
  private static let networks = [LedgerWorld.network, "b.skadnetwork"]
  private static let cost = 1.5
  private static let first = Day(number: 20_400)
  /// First postbacks come after three days.
  private static let firstArrival = 3

  let law: PlanLaw
  let folder: String

  private func isOfSecond(_ campaign: Int) -> Bool { law == .networks && campaign >= Self.campaigns / 2 }

  private static func name(_ campaign: Int) -> String { campaign < 10 ? "0\(campaign)" : "\(campaign)" }

  /// Runs one seed.
  ///
  /// - Throws: What the ledger throws.
  func run(seed: Int) throws -> World {
    var random = SplitMix64(
      seed: UInt64(seed) &* 0x9E37_79B9 &+ UInt64(PlanLaw.allCases.firstIndex(of: law) ?? 0))
    let daily = (0..<Self.campaigns).map { _ in 20 * exponential(random.normal()) }
    var past: [Group] = []
    var future: [Group] = []
    for (index, mean) in daily.enumerated() {
      let days = (0..<(Self.history + Self.ahead)).map { drawn(mean, day: $0, seed: seed, &random) }
      past.append((Self.name(index), Array(days.prefix(Self.history)), isOfSecond(index)))
      future.append((Self.name(index), Array(days.suffix(Self.ahead)), isOfSecond(index)))
    }
    let path = "\(folder)/plans-\(PlanLaw.allCases.firstIndex(of: law) ?? 0)-\(seed).db"
    var world = try LedgerWorld(path: path)
    let known = past.map { shown($0, from: 0, &random) }
    try world.store(known.flatMap(\.self))
    let worths = try sums(path, from: Self.history - Self.ahead)
    var question = PlanQuestion()
    question.seed = UInt64(seed)
    question.values = [LedgerWorld.app: Array(0..<LedgerWorld.User.shares.count)]
    question.sharing = sharing(known)
    // Of the values of such campaigns nine of ten are frequent.
    if law.users != nil { question.share = 0.97 }
    for network in Self.networks { question.costs[network] = Self.cost }
    let plan = CampaignPlan(
      past.indices.map { campaign(past[$0], known[$0], sum: worths[past[$0].name]) }, question)

    let asNow = future.map { shown($0, from: Self.history, &random) }
    var (played, taken) = ([Played](), Set<Int>())
    var stored: [LedgerWorld.Install] = []
    var widths: [(name: String, played: Int, predicted: CampaignPlan.Predicted)] = []
    for proposal in order(plan, seed: seed) where played.count < Self.mostPlayed {
      let members = proposal.members.compactMap { Int($0.digits) }
      guard taken.isDisjoint(with: members) else { continue }
      taken.formUnion(members)
      if case .values(_, let count) = proposal.kind {
        played.append(fewerValues(count, proposal, future, asNow, &random))
        continue
      }
      var group = joined(members, of: future)
      if case .raise(let factor, _, _) = proposal.kind {
        for day in group.days.indices {
          let mean = (factor - 1) * daily[members[0]]
          group.days[day] += drawn(mean, day: Self.history + day, seed: seed, &random)
        }
      }
      let then = shown(group, from: Self.history, &random)
      stored += then
      if let width = proposal.widthThen { widths.append((group.name, played.count, width)) }
      let share = Self.share(then)
      played.append(
        Played(
          isMerge: proposal.kind == .merge,
          share: proposal.then.map { Outcome(predicted: $0, truth: share) }, isOfValues: false,
          shareAsNow: Self.share(members.flatMap { asNow[$0] })))
    }
    if !widths.isEmpty {
      for index in asNow.indices where !taken.contains(index) { stored += asNow[index] }
      try world.store(stored)
      let worths = try sums(path, from: Self.history)
      for (name, index, predicted) in widths {
        guard let sum = worths[name], let worth = sum.estimate, let interval = sum.interval else { continue }
        played[index].width = Outcome(predicted: predicted, truth: interval.width / worth)
      }
    }
    return World(
      played: played, isOpen: plan.models.contains { if case .open = $0.sort { true } else { false } },
      hasChange: plan.models.contains { $0.since != nil }, together: together(plan, future, &random))
  }

  private func drawn(_ mean: Double, day: Int, seed: Int, _ random: inout SplitMix64) -> [Install] {
    let season = seed % 3 != 0 ? 1 : day % 7 < 5 ? 0.9 : 1.35
    let shock = seed % 2 == 1 ? exponential(0.2 * random.normal() - 0.02) : 1
    return (0..<random.poisson(mean * season * shock)).map { _ in
      let user = LedgerWorld.User(&random)
      let days = Double(day + Self.firstArrival) + random.fraction() + random.fraction()
      return Install(user: user, arrivedAt: Self.first.start + 1000 * Int64(days * Double(Day.seconds)))
    }
  }

  /// All campaigns with the users of neighbouring values joined.
  private func fewerValues(
    _ count: Int, _ proposal: CampaignPlan.Proposal, _ future: [Group], _ asNow: [[LedgerWorld.Install]],
    _ random: inout SplitMix64
  ) -> Played {
    let joined = LedgerWorld.User.joined(into: count)
    let then = future.flatMap { shown($0, from: Self.history, joined: joined, &random) }
    let share = Self.share(then)
    return Played(
      isMerge: false, share: proposal.then.map { Outcome(predicted: $0, truth: share) }, isOfValues: true,
      shareAsNow: Self.share(asNow.flatMap(\.self)))
  }

  /// Merges gain most; in some worlds what one campaign can do alone goes first.
  private func order(_ plan: CampaignPlan, seed: Int) -> [CampaignPlan.Proposal] {
    let merges = plan.proposals.filter { $0.kind == .merge }
    let raises = plan.proposals.filter { $0.kind != .merge && !$0.isOfMapping }
    // What changes all campaigns leaves none for the others.
    let all = seed % 2 == 0 ? plan.proposals.filter(\.isOfMapping) : []
    return all + (seed % 4 == 3 ? raises + merges : merges + raises)
  }

  private func joined(_ members: [Int], of campaigns: [Group]) -> Group {
    var group = campaigns[members[0]]
    for member in members.dropFirst() {
      for day in group.days.indices { group.days[day] += campaigns[member].days[day] }
    }
    return group
  }

  /// What all campaigns show with the usual choice.
  private func together(
    _ plan: CampaignPlan, _ future: [Group], _ random: inout SplitMix64
  ) -> [Outcome] {
    var groups: [[Int]] = []
    for proposal in plan.proposals where proposal.isChosen {
      groups.append(proposal.members.compactMap { Int($0.digits) })
    }
    let left = Set(future.indices).subtracting(groups.flatMap(\.self)).sorted()
    groups += left.map { [$0] }
    var all: [LedgerWorld.Install] = []
    for group in groups { all += shown(joined(group, of: future), from: Self.history, &random) }
    let share = Self.share(all)
    return plan.together.map { Outcome(predicted: $0, truth: share) }
  }

  /// The postbacks of a group's days, some of them with values.
  ///
  /// - Parameter joined: The first of the values that each value is joined with.
  private func shown(
    _ group: Group, from day: Int, joined: [Int] = Array(LedgerWorld.User.shares.indices),
    _ random: inout SplitMix64
  ) -> [LedgerWorld.Install] {
    let network = Self.networks[group.isOfSecond ? 1 : 0]
    if let users = law.users {
      // Whole weeks from the first day on: no user is left without the others of the week.
      let weeks = Dictionary(grouping: group.days.indices) { (day + $0) / 7 }
      return weeks.sorted { $0.key < $1.key }.flatMap { _, days in
        let installs = days.sorted().flatMap { group.days[$0] }
        let counts = installs.reduce(into: [Int: Int]()) { $0[joined[$1.user.value], default: 0] += 1 }
        return installs.map { install in
          let value = joined[install.user.value]
          return LedgerWorld.Install(
            network: network, campaign: group.name, value: counts[value, default: 0] < users ? nil : value,
            arrivedAt: install.arrivedAt)
        }
      }
    }
    return group.days.enumerated().flatMap { place, installs in
      let shown = law.shown(installs.count, day: day + place, isOfSecond: group.isOfSecond, &random)
      return installs.shuffled(using: &random).enumerated().map { number, install in
        LedgerWorld.Install(
          network: network, campaign: group.name,
          value: number < shown.fine ? install.user.value : nil, isCoarse: number < shown.fine + shown.coarse,
          arrivedAt: install.arrivedAt)
      }
    }
  }

  /// How few users of a campaign and week a value was shown for.
  private func sharing(_ known: [[LedgerWorld.Install]]) -> Int? {
    let first = Int(Self.first.number) + Self.firstArrival
    var sharing = FewestSharing(known: first..<first + Self.history)
    for installs in known { sharing.add(Self.values(installs), from: first) }
    return sharing.rule
  }

  /// Users by value, for each day of arrival.
  private static func values(_ installs: [LedgerWorld.Install]) -> [[Double]] {
    let none = [Double](repeating: 0, count: LedgerWorld.User.shares.count)
    let first = Int(Self.first.number) + Self.firstArrival
    return installs.reduce(into: [[Double]](repeating: none, count: history + 1)) { days, install in
      if let value = install.value { days[Int(install.arrivedAt.day.number) - first][value] += 1 }
    }
  }

  private static func share(_ installs: [LedgerWorld.Install]) -> Double {
    Double(installs.count { $0.value != nil }) / Double(max(1, installs.count))
  }

  /// What each campaign of four weeks of installs comes to by the report.
  private func sums(_ path: String, from day: Int) throws -> [String: EstimatedSum] {
    var report = EstimateReport()
    report.scope.environment = .test
    report.period.from = Day(number: Self.first.number + Int32(day))
    report.period.to = Day(number: Self.first.number + Int32(day + Self.ahead))
    // All that was stored has arrived by then.
    let now = Day(number: Self.first.number + Int32(day + Self.ahead + Self.firstArrival + 2)).start
    let answer = try report.answer(from: ReportSource(reader: LedgerReader(path: path), now: now))
    return answer.rows.reduce(into: [:]) { sums, row in if let name = row.digits { sums[name] = row.sum } }
  }

  private func campaign(
    _ group: Group, _ known: [LedgerWorld.Install], sum: EstimatedSum?
  ) -> PlannedCampaign {
    var days = [PlannedCampaign.Arrived](repeating: .init(), count: Self.history + 1)
    let first = Int(Self.first.number) + Self.firstArrival
    for install in known {
      let place = Int(install.arrivedAt.day.number) - first
      days[place].total += 1
      if install.value != nil { days[place].fine += 1 } else if install.isCoarse { days[place].coarse += 1 }
    }
    var money = PlannedCampaign.Money()
    money.sum = sum
    let values = Self.values(known)
    let played = (Self.history - Self.ahead + 1)..<(Self.history + 1)
    let weeks = stride(from: played.lowerBound, to: played.upperBound, by: 7).map { start in
      PlannedCampaign.Week(
        installs: days[start..<start + 7].reduce(0) { $0 + $1.total - $1.coarse },
        values: values[0].indices.map { value in values[start..<start + 7].reduce(0) { $0 + $1[value] } })
    }
    return PlannedCampaign(
      .init(
        app: LedgerWorld.app, network: Self.networks[group.isOfSecond ? 1 : 0], kind: "source-identifier",
        digits: group.name),
      firstDay: first, arrivals: days, played: played, weeks: weeks, money: money)
  }
}

extension CampaignPlan.Proposal {
  fileprivate var isOfMapping: Bool { if case .values = kind { true } else { false } }
}
