package import Mappings
import Postbacks
import Simulation
import System

/// A mapping with everything that was found on the way to it.
package struct DesignReport: Sendable {
  /// How well a way to cut does.
  package struct ChoiceRow: Hashable, Sendable {
    /// The way to cut.
    package let choice: DesignChoice
    /// The error of campaigns on users that it was not made of: the geometric mean over the sizes of ``Trial`` of the
    /// root mean squared error, relative to a campaign's revenue.
    package let error: Double

    /// Of ways that are about as good, the smooth one over revenue alone is taken: it is the least moved by chance.
    var handicapped: Double {
      let isFirst = choice == DesignChoice(scheme: .smooth, usesDays: false)
      return isFirst ? error : error * (1 + DesignStudy.handicap)
    }
  }

  /// What a window costs and gains.
  package struct WindowRow: Hashable, Sendable {
    /// The window.
    package let windowHours: Int
    /// The values of each day, the first day's 0 included.
    package let valuesByDay: [Int]
    /// The share of users for which SKAdNetwork 3's timer had run out before a later rise.
    package let brokenShare: Double
    /// What reports would show, by the size of campaigns.
    package let scores: [DesignScore]
  }

  /// A value of the mapping.
  package struct ValueRow: Hashable, Sendable {
    /// The value.
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
  /// How the ways to cut compare, the best first.
  package let choices: [ChoiceRow]
  /// The window.
  package let windowHours: Int
  /// What windows cost and gain, made of one half of the users and tried on the other.
  package let windows: [WindowRow]
  /// The values.
  package let values: [ValueRow]
  /// The values of each day, the first day's 0 included.
  package let valuesByDay: [Int]
  /// The users.
  package let users: Int
  /// Users with revenue within the target's days.
  package let payers: Int
  /// What is unsure.
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

  /// Windows whose errors differ by less than this share are as good as each other; the shortest is taken.
  private static let closeWindows = 0.02
  /// The same of ways to cut.
  private static let closeChoices = 0.02
  /// By how much the error of any way to cut but the smooth one has to be lower.
  static let handicap = 0.05
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
  ///   - users: The users.
  ///   - population: How many users there were of which these are a part chosen by chance.
  package init(_ request: DesignRequest, _ users: DesignUsers, population: Int) {
    self.request = request
    self.users = users.inOrderOfKeys
    self.population = population
  }

  /// The parts of the work.
  package var steps: Int {
    DesignRequest.windows(on: request.device).count + request.choices(windowHours: choiceHours).count + 1
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
    guard users.payers > 0 else { return nil }
    let (training, held) = users.halves(seed: request.seed)
    let trial = Trial(request, users, held, campaigns: campaigns)
    let choices = compareChoices(step)
    guard let choice = choices.first?.choice else { return nil }
    let windows = DesignRequest.windows(on: request.device).map { hours in
      defer { step() }
      return row(hours, choice, training, held, trial)
    }
    let hours = request.windowHours ?? Self.best(windows)
    let (design, coarse) = design(hours, choice, Array(users.users.indices))
    let mapping = MappingWriter(request: request).mapping(design, coarse)
    step()
    return DesignReport(
      mapping: mapping, choice: design.order.choice, choices: choices, windowHours: hours, windows: windows,
      values: design.codes.enumerated().map {
        DesignReport.ValueRow(value: $0, users: $1.users, mean: $1.mean)
      }, valuesByDay: design.table.edges.map { $0.count + 1 }, users: users.count, payers: users.payers,
      cautions: cautions(design, choices, windows.first { $0.windowHours == hours }))
  }

  /// Makes the mapping of the window asked for, or of the longest, and nothing else.
  package func mapping() -> Mapping? {
    guard users.payers > 0, let choice = compareChoices({}).first?.choice else { return nil }
    let (design, coarse) = design(choiceHours, choice, Array(users.users.indices))
    return MappingWriter(request: request).mapping(design, coarse)
  }

  /// Makes values of some of the users.
  ///
  /// Ranges of fine and of coarse values end together, so that a fine value always agrees with its coarse one: over all
  /// days at once coarse ranges are put together from fine ones; with a block for each day coarse ends are ends on
  /// every day.
  func design(_ hours: Int, _ choice: DesignChoice, _ some: [Int]) -> (CodeDesign, CoarseDesign?) {
    let possible = request.choices(windowHours: hours)
    let choice =
      possible.contains(choice) ? choice : DesignChoice(scheme: choice.scheme, usesDays: false)
    let isCoarse = request.device.hasWindows
    if choice.usesDays {
      let coarse = isCoarse ? CoarseDesign(users, some) : nil
      let forced = coarse?.windows[.first]?.compactMap(\.from) ?? []
      return (
        CodeDesign(request.order(windowHours: hours, choice, forcedEdges: forced), users, some), coarse
      )
    }
    let fine = CodeDesign(request.order(windowHours: hours, choice), users, some)
    return (fine, isCoarse ? CoarseDesign(users, some, within: fine.table.edges[0]) : nil)
  }

  /// Tries every way to cut on each part of the users, made of the others.
  private func compareChoices(_ step: () -> Void) -> [DesignReport.ChoiceRow] {
    let folds: [Fold] = (1...UInt64(rounds)).flatMap { self.folds(seed: request.seed &+ $0) }
    let rows = request.choices(windowHours: choiceHours).map { choice in
      defer { step() }
      var sum = HeldOutError.Parts()
      for fold in folds {
        let (design, _) = design(choiceHours, choice, fold.made)
        sum += fold.error.parts(
          fold.held.map { design.codes[design.code(of: users.users[$0], in: users)].mean })
      }
      // Without revenue in any part all ways are equal.
      let count = Double(max(1, folds.count))
      let mean = HeldOutError.Parts(variance: sum.variance / count, drift: sum.drift / count)
      let logarithms = Trial.sizes.reduce(0) {
        $0 + naturalLogarithm(max(1e-9, mean.error(of: Double($1), learnedOf: Double(users.count))))
      }
      return DesignReport.ChoiceRow(
        choice: choice, error: exponential(logarithms / Double(Trial.sizes.count)))
    }
    return rows.enumerated().sorted { a, b in
      (a.element.handicapped, a.offset) < (b.element.handicapped, b.offset)
    }.map(\.element)
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
      windowHours: hours, valuesByDay: design.table.edges.map { $0.count + 1 },
      brokenShare: brokenShare(design, held), scores: trial.scores(mapping, design, coarse))
  }

  /// The share of users who would have had a higher value without the timer.
  private func brokenShare(_ design: CodeDesign, _ some: [Int]) -> Double {
    guard design.order.isTimed, !some.isEmpty else { return 0 }
    let free = Playback(
      isTimed: false, windowHours: design.order.windowHours, usesDays: design.order.choice.usesDays,
      table: design.table)
    let broken = some.count { index in
      let user = users.users[index]
      return free.play(user, of: users).code > design.code(of: user, in: users)
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
    if let top = design.codes.last, top.users < Self.thin {
      cautions.append(.thinTop(value: design.codes.count - 1, users: top.users))
    }
    let thin = design.codes.count { $0.users < Self.thin }
    if thin > 0 { cautions.append(.thinValues(thin)) }
    if let window, let error = window.scores.last?.errorWhenShown.meanShare, error > Self.undetermined {
      cautions.append(.undetermined(windowHours: window.windowHours, target: request.target, error: error))
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
