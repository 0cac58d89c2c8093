import Values

/// What came of one campaign, or of all together, over the runs of a simulation.
public struct RunSummary: Equatable, Sendable {
  /// The runs merged: every count is the sum of the runs'.
  public internal(set) var sum: CampaignOutcome
  /// What the values shown are worth in each run, of windows that add up.
  public internal(set) var visible: [MoneySum]
  /// True revenue of one run, the same in every other.
  public internal(set) var revenue: MoneySum
  /// The mean of the runs' figures of the first window.
  public internal(set) var firstWindow: Information

  /// Figures of fine values that do not add up over runs.
  public struct Information: Equatable, Sendable {
    /// How many of the 64 values some conversion ended with.
    public var trueValuesUsed = 0.0
    /// How many of the 64 values were shown at least once.
    public var valuesUsed = 0.0
    /// The bits of information in a value before any is withheld, 0 through 6.
    public var trueEntropy = 0.0
    /// The bits of information in a value shown, 0 through 6.
    public var entropy = 0.0
  }

  /// How many runs there were.
  public var runs: Int { visible.count }

  /// The mean of the runs' errors of visible revenue without their signs, from 0; `nil` without revenue.
  public var meanError: Double? {
    guard revenue.micros != 0 else { return nil }
    let errors = visible.map {
      abs(Double($0.micros - revenue.micros) / Double(revenue.micros.magnitude))
    }
    return errors.reduce(0, +) / Double(errors.count)
  }

  /// Sums up what came of each run, at least one.
  public init(_ runs: [CampaignOutcome]) {
    var sums = RunSums(runs: runs.count)
    for (number, outcome) in runs.enumerated() { sums.add(outcome, run: number) }
    self = sums.summary
  }

  init(sum: CampaignOutcome, visible: [MoneySum], revenue: MoneySum, firstWindow: Information) {
    self.sum = sum
    self.visible = visible
    self.revenue = revenue
    self.firstWindow = firstWindow
  }
}

/// What a ``RunSummary`` is made of; parts of the users can be merged in any order.
struct RunSums: Sendable {
  private(set) var sum = CampaignOutcome()
  private var visible: [MoneySum]
  private var revenue = MoneySum.zero
  /// How many conversions ended with each fine value, the same in every run.
  private var trueFine: [Int] = []
  /// How many postbacks of the first window showed each fine value, run after run.
  private var visibleFine: [Int]

  private static let values = 64

  init(runs: Int) {
    visible = Array(repeating: .zero, count: runs)
    visibleFine = Array(repeating: 0, count: runs * Self.values)
  }

  /// Adds what came of users in one run.
  mutating func add(_ outcome: CampaignOutcome, run: Int) {
    sum.merge(outcome)
    visible[run] += outcome.visible
    let first = outcome.windows[0]
    for (value, count) in first.visibleFine.enumerated() where count > 0 {
      visibleFine[run * Self.values + value] += count
    }
    guard run == 0 else { return }
    revenue += outcome.revenue
    trueFine.add(first.trueFine)
  }

  /// Adds what came of other users in as many runs.
  mutating func merge(_ other: RunSums) {
    sum.merge(other.sum)
    for run in visible.indices { visible[run] += other.visible[run] }
    revenue += other.revenue
    trueFine.add(other.trueFine)
    visibleFine.add(other.visibleFine)
  }

  var summary: RunSummary {
    var information = RunSummary.Information()
    var whole = WindowOutcome()
    whole.trueFine = trueFine
    let (used, bits) = (Double(whole.trueValuesUsed), whole.trueEntropy)
    for run in visible.indices {
      whole.visibleFine = Array(visibleFine[run * Self.values..<(run + 1) * Self.values])
      information.trueValuesUsed += used
      information.trueEntropy += bits
      information.valuesUsed += Double(whole.valuesUsed)
      information.entropy += whole.entropy
    }
    let runs = Double(visible.count)
    information.trueValuesUsed /= runs
    information.trueEntropy /= runs
    information.valuesUsed /= runs
    information.entropy /= runs
    return RunSummary(sum: sum, visible: visible, revenue: revenue, firstWindow: information)
  }
}
