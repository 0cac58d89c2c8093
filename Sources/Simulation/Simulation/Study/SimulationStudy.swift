import System

/// Cohorts that can be had one by one, by several threads, more than once; all have the same names.
public protocol CohortSource: Sendable {
  /// What the numbers in every one of them stand for.
  var names: CohortNames { get }
  /// How many there are.
  var count: Int { get }
  /// One of them.
  ///
  /// - Throws: What is in the way of reading it back.
  func cohort(at index: Int) throws -> Cohort
}

/// A simulation of several variants on the same users with the same draws, on all processors.
///
/// What comes out depends on the users, the variants and the seed alone, and not on the number of threads: every
/// draw follows from the user's name, and sums are of whole numbers.
///
/// The users are counted first, then put in parts of whole campaigns, then run part by part. So what a campaign takes
/// in memory for each run is given back when its part is done.
public struct SimulationStudy: Sendable {
  public let simulators: [Simulator]
  public let runs: Int
  public let cohorts: any CohortSource
  public let threads: Int
  /// The most users of a part, and the words of users that are held in memory.
  var room = (users: CampaignOrder.mostUsers, words: UserParts.mostWords)

  public struct Result: Sendable {
    public let outcomes: [VariantOutcome]
    /// What a rolling timer can follow at best.
    public let chain: RollingChain
    /// The groups of each variant.
    public let crowds: [Crowd]
  }

  /// The days of the measured time that the rolling timer is looked at for.
  static let chainDays = [1, 2, 3, 4, 7]

  public init(simulators: [Simulator], runs: Int, cohorts: any CohortSource, threads: Int) {
    self.simulators = simulators
    self.runs = runs
    self.cohorts = cohorts
    self.threads = threads
  }

  /// Runs everything.
  ///
  /// - Parameter step: Called now and then with the share of the work that is done; `false` ends the work.
  /// - Returns: What came of it; `nil` when the work was ended.
  /// - Throws: What the source of the cohorts throws, `FileError` where what does not fit into memory cannot be
  ///   written, or `ThreadError`.
  public func run(_ step: @Sendable (_ done: Double) -> Bool) throws -> Result? {
    let names = cohorts.names
    guard let counts = try count(names, { step($0 * 0.3) }) else { return nil }
    let order = CampaignOrder(names.campaigns, users: counts.users, runs: runs, mostUsers: room.users)
    let parts = UserParts(order, names, mostWords: room.words)
    let source = cohorts
    let isParted: Void? = try gather(
      cohorts.count, { step(0.3 + $0 * 0.1) }, { try parts.add(source.cohort(at: $0)) }, merge: { _, _ in })
    guard isParted != nil || cohorts.count == 0 else { return nil }
    let crowds = crowds(of: counts.crowds)
    let work = VariantRuns(simulators, crowds, parts, runs: runs)
    let isRun: Void? = try gather(
      order.parts.count, { step(0.4 + $0 * 0.6) }, { try work.run($0) }, merge: { _, _ in })
    guard isRun != nil else { return nil }
    return Result(outcomes: try work.outcomes(), chain: counts.chain, crowds: crowds)
  }

  private struct Counts: Sendable {
    /// Users by campaign, then those without.
    var users: [Int]
    var chain: RollingChain
    /// The groups of those simulators that do not share another's.
    var crowds: [CrowdCounts]
  }

  /// The simulator whose groups are each one's too: the first that counts the same ones.
  private var countedWith: [Int] {
    simulators.indices.map { index in
      simulators[..<index].firstIndex { $0.countsCrowd(as: simulators[index]) } ?? index
    }
  }

  private func count(_ names: CohortNames, _ step: @Sendable (Double) -> Bool) throws -> Counts? {
    let simulators = simulators
    let counted = Set(countedWith)
    let currency = simulators[0].configuration.currency
    let empty = Counts(
      users: Array(repeating: 0, count: names.campaigns.count + 1),
      chain: RollingChain(days: Self.chainDays, currency: currency),
      crowds: simulators.map { _ in CrowdCounts() })
    guard cohorts.count > 0 else { return empty }
    let source = cohorts
    return try gather(cohorts.count, step) { index -> Counts in
      let cohort = try source.cohort(at: index)
      precondition(cohort.names == names, "All cohorts have the same names.")
      var counts = empty
      counts.chain.add(cohort)
      for user in cohort.users {
        counts.users[user.campaign < 0 ? names.campaigns.count : Int(user.campaign)] += 1
      }
      for index in counted { counts.crowds[index] = simulators[index].crowd(of: cohort) }
      return counts
    } merge: { sum, part in
      for index in sum.users.indices { sum.users[index] += part.users[index] }
      sum.chain.merge(part.chain)
      for index in sum.crowds.indices { sum.crowds[index].merge(part.crowds[index]) }
    }
  }

  private func crowds(of counts: [CrowdCounts]) -> [Crowd] {
    let countedWith = countedWith
    var crowds: [Crowd] = []
    for (index, simulator) in simulators.enumerated() {
      let same = crowds.indices.first {
        countedWith[$0] == countedWith[index] && crowds[$0].model == simulator.configuration.crowd
      }
      crowds.append(same.map { crowds[$0] } ?? simulator.crowd(from: counts[countedWith[index]]))
    }
    return crowds
  }

  /// Works on numbers from 0 and merges what comes out, in whatever order it comes.
  private func gather<Part: Sendable>(
    _ count: Int, _ step: @Sendable (Double) -> Bool, _ work: @escaping @Sendable (Int) throws -> Part,
    merge: @escaping @Sendable (inout Part, Part) -> Void
  ) throws -> Part? {
    let state = Guarded<(sum: Part?, error: (any Error)?, next: Int, done: Int)>((nil, nil, 0, 0))
    let workers = try Worker.team(of: threads) {
      state.withLock { $0.next = count }
    } _: {
      while let index = state.withLock({ state -> Int? in
        guard state.next < count, state.error == nil else { return nil }
        state.next += 1
        return state.next - 1
      }) {
        do {
          let part = try work(index)
          state.withLock { state in
            if var sum = state.sum.take() {
              merge(&sum, part)
              state.sum = sum
            } else {
              state.sum = part
            }
            state.done += 1
          }
        } catch {
          state.withLock { $0.error = error }
        }
        state.wakeAll()
      }
    }
    var seen = 0
    var isWanted = true
    while isWanted, seen < count {
      let now = state.wait { [seen] state in
        state.done > seen || state.error != nil ? .some(state.done) : nil
      }
      if now == seen { break }
      isWanted = step(Double(now) / Double(count)) && isWanted
      seen = now
    }
    if !isWanted { state.withLock { $0.next = count } }
    for worker in workers { worker.join() }
    let (sum, error) = state.withLock { ($0.sum, $0.error) }
    if let error { throw error }
    return isWanted ? sum : nil
  }
}
