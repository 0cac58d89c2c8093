package import Mappings
import Postbacks
import Simulation
import System
import Values

/// A mapping with everything that was found on the way to it.
package struct DesignReport: Sendable {
  /// How well a way to cut does.
  package struct ChoiceRow: Equatable, Sendable {
    /// The way to cut.
    package let choice: DesignChoice
    /// The error of campaigns on users that it was not made of, with the nulls that are expected: the geometric mean over
    /// the sizes of ``DesignRequest`` of the root mean squared error, relative to a campaign's revenue.
    package let error: Double
  }

  /// What a window costs and gains.
  package struct WindowRow: Equatable, Sendable {
    package let windowHours: Int
    package let split: DesignSplit
    /// The values of each block, 0 included.
    package let valuesByBlock: [Int]
    /// The share of users for which SKAdNetwork 3's timer had run out before a later rise.
    package let brokenShare: Double
    /// What reports would show, by the size of campaigns.
    package let scores: [DesignScore]
  }

  package struct ValueRow: Equatable, Sendable {
    package let value: Int
    /// How many users end with it.
    package let users: Int
    /// Their mean revenue, in units of the currency or times of the event.
    package let mean: Double
  }

  /// The mapping, made of all users.
  package let mapping: Mapping
  /// How edges were found.
  package let choice: DesignChoice
  /// How the ways to cut compare: the chosen one, and the others by rising error.
  package let choices: [ChoiceRow]
  package let windowHours: Int
  /// What windows cost and gain, made of one half of the users and tried on the other.
  package let windows: [WindowRow]
  package let values: [ValueRow]
  /// The values of each block of ``DesignSplit``, 0 included.
  package let valuesByBlock: [Int]
  package let users: Int
  /// Users with revenue within the target's days.
  package let payers: Int
  package let cautions: [DesignWarning]
}

/// The way to the best mapping for an advertiser's own users.
package struct DesignStudy: Sendable {
  /// How many campaigns of each size mappings are tried with.
  package var campaigns = 150
  private let request: DesignRequest
  private let users: DesignUsers
  /// How many users the population has of which `users` are a part.
  private let population: Int
  /// The events that values are tried to be split by.
  private let events: [DesignEvent]

  /// Windows whose errors differ by less than this share are as good as each other; the shortest is taken.
  private static let closeWindows = 0.02
  /// The same of ways to cut.
  private static let closeChoices = 0.02
  /// Into how many parts users are divided, each of which tries what is made of the others.
  private static let folds = 4
  /// How many times they are divided anew; so many users that chance moves little are divided once.
  private var rounds: Int { users.count < 5000 ? 2 : 1 }
  private static let fewUsers = 2000
  private static let fewPayers = 200
  private static let thin = 10
  /// Above this mean error a window does not settle the target.
  private static let undetermined = 0.1

  /// Prepares the study.
  ///
  /// - Parameters:
  ///   - request: What the mapping is to be made for, with the target and the currency of the users.
  ///   - population: How many users there were of which these are a part chosen by chance.
  package init(_ request: DesignRequest, _ users: DesignUsers, population: Int) {
    self.request = request
    self.users = users.inOrderOfKeys
    self.population = population
    let longest = request.windowHours ?? DesignRequest.windows(on: request.device).last ?? 24
    events = self.users.tellingEvents(within: longest)
  }

  /// The parts of the work.
  package var steps: Int {
    DesignRequest.windows(on: request.device).count
      + request.choices(windowHours: choiceHours, events: events).count + 1
  }

  /// The window that ways to cut are compared in.
  private var choiceHours: Int {
    request.windowHours ?? DesignRequest.windows(on: request.device).last ?? 24
  }

  /// Makes the mapping.
  ///
  /// - Parameter step: Called after each of ``steps`` parts of the work.
  /// - Returns: The mapping and what is known of it; `nil` where no user has revenue.
  package func run(_ step: () -> Void = {}) -> DesignReport? {
    run(following: { _ in
      step()
      return true
    })
  }

  /// Makes the mapping, or the best of what was tried until someone has seen enough.
  ///
  /// - Parameter step: Called after each of ``steps`` parts of the work, with the best way to cut so far; `false` ends
  ///   the search.
  package func run(following step: (DesignReport.ChoiceRow?) -> Bool) -> DesignReport? {
    guard users.payers > 0 else { return nil }
    let (training, held) = users.halves(seed: request.seed)
    let trial = Trial(request, users, held, campaigns: campaigns)
    var goesOn = true
    let choices = compareChoices(nullShares(trial, training)) { best in
      goesOn = step(best)
      return goesOn
    }
    guard let choice = choices.first?.choice else { return nil }
    var windows: [DesignReport.WindowRow] = []
    for hours in DesignRequest.windows(on: request.device) where goesOn {
      windows.append(row(hours, choice, training, held, trial))
      goesOn = step(choices.first)
    }
    let hours = request.windowHours ?? (windows.isEmpty ? choiceHours : Self.best(windows))
    let (design, coarse) = design(hours, choice, Array(users.users.indices))
    let mapping = MappingWriter(request: request).mapping(design, coarse)
    _ = step(choices.first)
    return DesignReport(
      mapping: mapping, choice: design.order.choice, choices: choices, windowHours: hours, windows: windows,
      values: design.codes.enumerated().map {
        DesignReport.ValueRow(value: $0, users: $1.users, mean: $1.mean)
      }, valuesByBlock: design.table.edges.map { $0.count + 1 }, users: users.count, payers: users.payers,
      cautions: cautions(design, choices, windows.first { $0.windowHours == hours }))
  }

  /// Makes the mapping of the window asked for, or of the longest, and nothing else.
  package func mapping() -> Mapping? {
    guard users.payers > 0 else { return nil }
    var shares = request.sizes.map { _ in 0.0 }
    if request.crowd != .none {
      let (training, held) = users.halves(seed: request.seed)
      shares = nullShares(Trial(request, users, held, campaigns: campaigns), training)
    }
    guard let choice = compareChoices(shares, { _ in true }).first?.choice else { return nil }
    let (design, coarse) = design(choiceHours, choice, Array(users.users.indices))
    return MappingWriter(request: request).mapping(design, coarse)
  }

  /// Makes values of some of the users.
  ///
  /// Ranges of fine and of coarse values end together, so that a fine value always agrees with its coarse one: in one
  /// block coarse ranges are put together from fine ones; in several, coarse ends are ends in each.
  func design(_ hours: Int, _ choice: DesignChoice, _ some: [Int]) -> (CodeDesign, CoarseDesign?) {
    // A shorter window may have too few days for blocks.
    let possible = request.choices(windowHours: hours, events: choice.split.event.map { [$0] } ?? [])
    let choice =
      possible.contains(choice) ? choice : DesignChoice(scheme: choice.scheme)
    let isCoarse = request.device.hasWindows
    if choice.split != .none {
      let coarse = isCoarse ? CoarseDesign(users, some) : nil
      let forced = coarse?.windows[.first]?.compactMap(\.from) ?? []
      return (
        CodeDesign(request.order(windowHours: hours, choice, forcedEdges: forced), users, some), coarse
      )
    }
    let fine = CodeDesign(request.order(windowHours: hours, choice), users, some)
    return (fine, isCoarse ? CoarseDesign(users, some, within: fine.table.edges[0]) : nil)
  }

  /// The share of nulls to be expected in campaigns of each size of the request, under a plain cut: which one hardly
  /// matters, because the size of a campaign's days decides.
  private func nullShares(_ trial: Trial, _ training: [Int]) -> [Double] {
    guard request.crowd != .none else { return request.sizes.map { _ in 0 } }
    let (design, coarse) = design(choiceHours, DesignChoice(scheme: .equalRoot), training)
    let scores = trial.scores(MappingWriter(request: request).mapping(design, coarse), design, coarse)
    return request.sizes.map { size in scores.first { $0.installs == size }?.nullShare ?? 0 }
  }

  /// Tries every way to cut on each part of the users, made of the others, while `goesOn` of the best so far.
  private func compareChoices(
    _ nullShares: [Double], _ goesOn: (DesignReport.ChoiceRow?) -> Bool
  ) -> [DesignReport.ChoiceRow] {
    let folds: [Fold] = (1...UInt64(rounds)).flatMap { self.folds(seed: request.seed &+ $0) }
    let sizes = zip(request.sizes, nullShares).map { CampaignSize(installs: $0, nullShare: $1) }
    var errors: [FoldErrors] = []
    for choice in request.choices(windowHours: choiceHours, events: events) {
      let squares = folds.map { fold in
        let (design, _) = design(choiceHours, choice, fold.made)
        return fold.error.squares(
          fold.held.map { design.codes[design.code(of: users.users[$0], in: users)].mean }, sizes,
          learnedOf: users.count)
      }
      errors.append(FoldErrors(choice: choice, squares: squares))
      let best = errors.min { $0.error < $1.error }
      guard goesOn(best.map { DesignReport.ChoiceRow(choice: $0.choice, error: $0.error) }) else { break }
    }
    let sorted = errors.enumerated().ordered { ($0.element.error, $0.offset) < ($1.element.error, $1.offset) }
      .map(\.element)
    let best = FoldErrors.best(sorted, folds: Self.folds)
    return (sorted.filter { $0.choice == best } + sorted.filter { $0.choice != best }).map {
      DesignReport.ChoiceRow(choice: $0.choice, error: $0.error)
    }
  }

  /// Some of the users, whose synthetic campaigns test the design of the others.
  private struct Fold {
    let made: [Int]
    let held: [Int]
    let error: HeldOutError
  }

  private func folds(seed: UInt64) -> [Fold] {
    let parts = users.divide(Array(users.users.indices), into: Self.folds, seed: seed)
    return parts.indices.compactMap { held in
      let made = parts.indices.filter { $0 != held }.flatMap { parts[$0] }
      guard made.contains(where: { users.users[$0].target > 0 }) else { return nil }
      return HeldOutError(worths: parts[held].map { users.users[$0].worth }).map {
        Fold(made: made, held: parts[held], error: $0)
      }
    }
  }

  private func row(_ hours: Int, _ choice: DesignChoice, _ training: [Int], _ held: [Int], _ trial: Trial)
    -> DesignReport.WindowRow
  {
    let (design, coarse) = design(hours, choice, training)
    let mapping = MappingWriter(request: request).mapping(design, coarse)
    return DesignReport.WindowRow(
      windowHours: hours, split: design.order.choice.split,
      valuesByBlock: design.table.edges.map { $0.count + 1 },
      brokenShare: brokenShare(design, held), scores: trial.scores(mapping, design, coarse))
  }

  /// The share of users who would have had a higher value without the timer.
  private func brokenShare(_ design: CodeDesign, _ some: [Int]) -> Double {
    guard design.order.isTimed, !some.isEmpty else { return 0 }
    let free = CodeReplay(
      isTimed: false, windowHours: design.order.windowHours, split: design.order.choice.split,
      table: design.table)
    let broken = some.count { index in
      let user = users.users[index]
      return free.replay(user, of: users).code > design.code(of: user, in: users)
    }
    return Double(broken) / Double(some.count)
  }

  /// The shortest window whose error in campaigns of middle size is close to the lowest.
  private static func best(_ windows: [DesignReport.WindowRow]) -> Int {
    func error(_ row: DesignReport.WindowRow) -> Double {
      row.scores.dropFirst().first?.error.meanShare ?? row.scores.first?.error.meanShare ?? .infinity
    }
    let least = windows.map(error).min() ?? .infinity
    return windows.first { error($0) <= least * (1 + closeWindows) }?.windowHours ?? 24
  }

  private func cautions(
    _ design: CodeDesign, _ choices: [DesignReport.ChoiceRow], _ window: DesignReport.WindowRow?
  ) -> [DesignWarning] {
    var cautions: [DesignWarning] = []
    if users.count + users.unripe < population {
      cautions.append(.sampled(taken: users.count, of: population))
    }
    if users.unripe > 0 { cautions.append(.unripe(users: users.unripe, days: request.target.days)) }
    if users.count < Self.fewUsers { cautions.append(.fewUsers(users.count)) }
    if users.payers < Self.fewPayers { cautions.append(.fewPayers(users.payers)) }
    let worths = users.users.map { max(0, $0.worth) }
    if request.target.event == nil,
      let carriers = RevenueCarriers(
        sum: worths.reduce(0, +), squares: worths.reduce(0) { $0 + $1 * $1 }, amounts: worths)
    {
      cautions.append(.fewCarriers(carriers))
    }
    if let top = design.codes.last, top.users < Self.thin {
      cautions.append(.thinTop(value: design.codes.count - 1, users: top.users))
    }
    let thin = design.codes.count { $0.users < Self.thin }
    if thin > 0 { cautions.append(.thinValues(thin)) }
    if let window, let score = window.scores.last, score.errorWhenShown.meanShare > Self.undetermined {
      cautions.append(
        .undetermined(
          windowHours: window.windowHours, target: request.target, installs: score.installs,
          error: score.errorWhenShown.meanShare))
    }
    if let window, window.brokenShare > Self.undetermined {
      cautions.append(.brokenChains(window.brokenShare))
    }
    if choices.count > 1, choices[1].error <= choices[0].error * (1 + Self.closeChoices) {
      cautions.append(.closeSchemes(choices[0].choice, choices[1].choice))
    }
    return cautions
  }
}
