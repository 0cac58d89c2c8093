import System

/// Cohorts that can be had one by one, by several threads, more than once.
public protocol CohortSource: Sendable {
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
public struct SimulationStudy: Sendable {
  /// The variants.
  public let simulators: [Simulator]
  /// How often each is run.
  public let runs: Int
  /// The users.
  public let cohorts: any CohortSource
  /// Threads.
  public let threads: Int

  /// What came of it.
  public struct Result: Sendable {
    /// By variant, then by run.
    public let outcomes: [[SimulationOutcome]]
    /// What a rolling timer can follow at best.
    public let chain: RollingChain
    /// The groups of each variant.
    public let crowds: [Crowd]
  }

  /// The days of the measured time that the rolling timer is looked at for.
  static let chainDays = [1, 2, 3, 4, 7]

  /// Plans a study.
  public init(simulators: [Simulator], runs: Int, cohorts: any CohortSource, threads: Int) {
    self.simulators = simulators
    self.runs = runs
    self.cohorts = cohorts
    self.threads = threads
  }

  /// Runs everything.
  ///
  /// - Parameter step: Called after each cohort of each pass; `false` ends the work.
  /// - Returns: What came of it; `nil` when the work was ended.
  /// - Throws: What the source of the cohorts throws, or `ThreadError`.
  public func run(_ step: @Sendable () -> Bool) throws -> Result? {
    let simulators = simulators
    let currency = simulators[0].configuration.currency
    let counts = try gather(step) { cohort -> ([CrowdCounts], RollingChain) in
      var chain = RollingChain(days: Self.chainDays, currency: currency)
      chain.add(cohort)
      return (simulators.map { $0.crowd(of: cohort) }, chain)
    } merge: { sum, part in
      for index in sum.0.indices { sum.0[index].merge(part.0[index]) }
      sum.1.merge(part.1)
    }
    guard let (parts, chain) = counts else { return nil }
    let crowds = zip(simulators, parts).map { $0.crowd(from: $1) }
    let runs = runs
    let outcomes = try gather(step) { cohort -> [[SimulationOutcome]] in
      zip(simulators, crowds).map { simulator, crowd in
        (0..<runs).map { simulator.run(cohort, crowd: crowd, run: $0) }
      }
    } merge: { sum, part in
      for variant in sum.indices {
        for run in sum[variant].indices { sum[variant][run].merge(part[variant][run]) }
      }
    }
    return outcomes.map { Result(outcomes: $0, chain: chain, crowds: crowds) }
  }

  /// Works on every cohort and merges what comes out, in whatever order it comes.
  private func gather<Part: Sendable>(
    _ step: @Sendable () -> Bool, _ work: @escaping @Sendable (Cohort) -> Part,
    merge: @escaping @Sendable (inout Part, Part) -> Void
  ) throws -> Part? {
    let cohorts = cohorts
    let state = Guarded<(sum: Part?, error: (any Error)?, next: Int, done: Int)>((nil, nil, 0, 0))
    let workers = try Worker.team(of: threads) {
      state.withLock { $0.next = cohorts.count }
    } _: {
      while let index = state.withLock({ state -> Int? in
        guard state.next < cohorts.count, state.error == nil else { return nil }
        state.next += 1
        return state.next - 1
      }) {
        do {
          let part = work(try cohorts.cohort(at: index))
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
    while isWanted, seen < cohorts.count {
      let now = state.wait { [seen] state in
        state.done > seen || state.error != nil ? .some(state.done) : nil
      }
      if now == seen { break }
      for _ in seen..<now { isWanted = step() && isWanted }
      seen = now
    }
    if !isWanted { state.withLock { $0.next = cohorts.count } }
    for worker in workers { worker.join() }
    let (sum, error) = state.withLock { ($0.sum, $0.error) }
    if let error { throw error }
    return isWanted ? sum : nil
  }
}
