import Glibc

/// Many inputs of a mutator, each checked against the laws of a target and its allowance of time.
public struct MutationRun: Sendable {
  /// Processor time that one input may take, in seconds; inputs have at most ``Mutator/longest`` bytes.
  public static let allowance = 1.0

  /// What came of a run.
  public struct Outcome: Sendable {
    /// How many inputs were checked.
    public var count = 0
    /// The sum of their sizes.
    public var bytes = 0
    /// Processor time of the slowest, in seconds.
    public var slowest = 0.0
    /// The first inputs that broke a law, with the law.
    public var failures: [(law: String, input: [UInt8])] = []
  }

  /// The target.
  public let target: FuzzTarget
  /// What inputs are made of.
  public let seeds: [[UInt8]]

  /// Prepares a run over the corpus of a target.
  ///
  /// - Throws: What Foundation throws where the corpus cannot be read.
  public init(_ target: FuzzTarget) throws {
    self.target = target
    seeds = try Corpus.inputs(target.name).map(\.bytes)
  }

  /// Checks the corpus itself.
  public func replay() -> Outcome {
    var outcome = Outcome()
    for seed in seeds { check(seed, &outcome) }
    return outcome
  }

  /// Checks that many new inputs.
  public func mutate(_ count: Int, seed: UInt64) -> Outcome {
    var outcome = Outcome()
    var mutator = Mutator(seed: seed, seeds: seeds, dictionary: target.dictionary)
    for _ in 0..<count where outcome.failures.count < 5 { check(mutator.next(), &outcome) }
    return outcome
  }

  private func check(_ input: [UInt8], _ outcome: inout Outcome) {
    let start = Self.threadSeconds()
    do { try target.check(input) } catch { outcome.failures.append(("\(error)", input)) }
    let seconds = Self.threadSeconds() - start
    if seconds > Self.allowance { outcome.failures.append(("took \(seconds) s of processor time", input)) }
    outcome.count += 1
    outcome.bytes += input.count
    outcome.slowest = max(outcome.slowest, seconds)
  }

  /// Processor time of this thread, which does not count what others do meanwhile.
  private static func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
