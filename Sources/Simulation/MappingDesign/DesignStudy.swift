package import Mappings
import Postbacks
import Simulation

/// A mapping with everything that was found on the way to it.
package struct DesignReport: Sendable {
  /// How well a scheme does where every value is shown.
  package struct SchemeRow: Hashable, Sendable {
    /// The scheme.
    package let scheme: EdgeScheme
    /// The mean error of campaigns of 1000 installs, on users that it was not made of.
    package let error: Double
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
  package let scheme: EdgeScheme
  /// How schemes compare, the best first; empty where the scheme was given.
  package let schemes: [SchemeRow]
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
  /// The same of schemes.
  private static let closeSchemes = 0.02
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
    DesignRequest.windows(on: request.device).count + (request.scheme == nil ? EdgeScheme.choices.count : 0)
      + 1
  }

  /// Makes the mapping.
  ///
  /// - Parameter step: Called after each of ``steps`` parts of the work.
  /// - Returns: The mapping and what is known of it; `nil` where no user has revenue.
  package func run(_ step: () -> Void = {}) -> DesignReport? {
    guard users.payers > 0 else { return nil }
    let (training, held) = users.halves(seed: request.seed)
    let schemes = request.scheme == nil ? compareSchemes(training, step) : []
    let scheme = request.scheme ?? schemes.first?.scheme ?? .sqrt
    let trial = Trial(request, users, held, campaigns: campaigns)
    let windows = DesignRequest.windows(on: request.device).map { hours in
      defer { step() }
      return row(hours, scheme, training, held, trial)
    }
    let hours = request.windowHours ?? Self.best(windows)
    let everyone = Array(users.users.indices)
    let coarse = coarse(everyone)
    let design = CodeDesign(request.order(windowHours: hours, scheme, coarse), users, everyone)
    let mapping = MappingWriter(request: request).mapping(design, coarse)
    step()
    return DesignReport(
      mapping: mapping, scheme: scheme, schemes: schemes, windowHours: hours, windows: windows,
      values: design.codes.enumerated().map {
        DesignReport.ValueRow(value: $0, users: $1.users, mean: $1.mean)
      }, valuesByDay: design.table.edges.map { $0.count + 1 }, users: users.count, payers: users.payers,
      cautions: cautions(design, schemes, windows.first { $0.windowHours == hours }))
  }

  private func coarse(_ some: [Int]) -> CoarseDesign? {
    request.device.hasWindows ? CoarseDesign(users, some) : nil
  }

  /// Tries every scheme on one half of the training users after the other, made of the rest.
  private func compareSchemes(_ training: [Int], _ step: () -> Void) -> [DesignReport.SchemeRow] {
    let hours = request.windowHours ?? DesignRequest.windows(on: request.device).last ?? 24
    let (first, second) = users.divide(training, seed: request.seed &+ 1)
    let folds = [
      (first, Trial(request, users, second, campaigns: campaigns)),
      (second, Trial(request, users, first, campaigns: campaigns)),
    ]
    let rows = EdgeScheme.choices.compactMap { scheme -> DesignReport.SchemeRow? in
      defer { step() }
      let errors = folds.compactMap { made, trial -> Double? in
        let order = request.order(windowHours: hours, scheme, coarse(made))
        return trial.errorWhenShown(CodeDesign(order, users, made))?.meanShare
      }
      guard !errors.isEmpty else { return nil }
      return DesignReport.SchemeRow(scheme: scheme, error: errors.reduce(0, +) / Double(errors.count))
    }
    return rows.enumerated().sorted { ($0.element.error, $0.offset) < ($1.element.error, $1.offset) }
      .map(\.element)
  }

  private func row(_ hours: Int, _ scheme: EdgeScheme, _ training: [Int], _ held: [Int], _ trial: Trial)
    -> DesignReport.WindowRow
  {
    let coarse = coarse(training)
    let design = CodeDesign(request.order(windowHours: hours, scheme, coarse), users, training)
    let mapping = MappingWriter(request: request).mapping(design, coarse)
    return DesignReport.WindowRow(
      windowHours: hours, valuesByDay: design.table.edges.map { $0.count + 1 },
      brokenShare: brokenShare(design, held), scores: trial.scores(mapping, design, coarse))
  }

  /// The share of users who would have had a higher value without the timer.
  private func brokenShare(_ design: CodeDesign, _ some: [Int]) -> Double {
    guard design.order.isTimed, !some.isEmpty else { return 0 }
    let free = Playback(isTimed: false, windowHours: design.order.windowHours, table: design.table)
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
    _ design: CodeDesign, _ schemes: [DesignReport.SchemeRow], _ window: DesignReport.WindowRow?
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
    if schemes.count > 1, schemes[1].error <= schemes[0].error * (1 + Self.closeSchemes) {
      cautions.append(.closeSchemes(schemes[0].scheme, schemes[1].scheme))
    }
    return cautions
  }
}
