import Estimates

/// How far the estimates of one estimator were off, added up over campaigns and seeds.
struct Score: Sendable {
  private(set) var campaigns = 0
  private(set) var truth = 0.0
  private(set) var error = 0.0
  private(set) var absolute = 0.0
  private(set) var square = 0.0
  private(set) var crps = 0.0
  private(set) var intervals = 0
  private(set) var raw = (held: 0, width: 0.0)
  private(set) var recalibrated: (held: Int, width: Double)?
  /// The bias of each seed, for its standard error.
  private(set) var biases: [Double] = []

  /// Adds a campaign.
  ///
  /// - Parameters:
  ///   - estimate: The point estimate.
  ///   - truth: What is true.
  ///   - draws: Draws of what it may be; empty for an estimator without, whose CRPS is the absolute error.
  ///   - wider: The recalibrated interval, where there is one.
  mutating func add(_ estimate: Double, truth: Double, draws: [Double], wider: Interval?) {
    campaigns += 1
    self.truth += truth
    error += estimate - truth
    absolute += abs(estimate - truth)
    square += (estimate - truth) * (estimate - truth)
    guard let interval = Interval(of: draws) else {
      crps += abs(estimate - truth)
      return
    }
    crps += Self.crps(draws, truth: truth)
    intervals += 1
    if interval.contains(truth) { raw.held += 1 }
    raw.width += interval.width
    guard let wider else { return }
    var sums = recalibrated ?? (0, 0)
    if wider.contains(truth) { sums.held += 1 }
    sums.width += wider.width
    recalibrated = sums
  }

  /// Ends a seed.
  mutating func close() { biases = [truth > 0 ? error / truth : 0] }

  /// Adds the score of another seed.
  mutating func merge(_ other: Self) {
    campaigns += other.campaigns
    truth += other.truth
    error += other.error
    absolute += other.absolute
    square += other.square
    crps += other.crps
    intervals += other.intervals
    raw.held += other.raw.held
    raw.width += other.raw.width
    biases += other.biases
    if let more = other.recalibrated {
      let sums = recalibrated ?? (0, 0)
      recalibrated = (sums.held + more.held, sums.width + more.width)
    }
  }

  /// The continuous ranked probability score, E|X - T| - E|X - X'| / 2.
  ///
  /// Source: Gneiting and Raftery, "Strictly proper scoring rules, prediction, and estimation", 2007, section 4.2.
  private static func crps(_ draws: [Double], truth: Double) -> Double {
    let count = Double(draws.count)
    var (near, apart) = (0.0, 0.0)
    for (rank, draw) in draws.sorted().enumerated() {
      near += abs(draw - truth)
      apart += (2 * Double(rank) - count + 1) * draw
    }
    return near / count - apart / (count * count)
  }

  /// The figures as members of a JSON object, in parts of the mean truth; coverage in parts of the campaigns.
  var json: String {
    let mean = truth / Double(max(1, campaigns))
    func part(_ sum: Double) -> String { fourDigits(truth > 0 ? sum / truth : 0) }
    let middle = biases.reduce(0, +) / Double(max(1, biases.count))
    let spread = biases.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
    let deviation = (spread / Double(max(1, biases.count * (biases.count - 1)))).squareRoot()
    var text = """
      "bias":\(part(error)),"bias_error":\(fourDigits(deviation)),\
      "rmse":\(fourDigits(mean > 0 ? (square / Double(campaigns)).squareRoot() / mean : 0)),\
      "wmape":\(part(absolute)),"crps":\(part(crps))
      """
    guard intervals > 0 else { return text }
    text += ",\"coverage_raw\":\(fourDigits(Double(raw.held) / Double(intervals)))"
    text += ",\"width_raw\":\(part(raw.width))"
    guard let wider = recalibrated else { return text }
    text += ",\"coverage\":\(fourDigits(Double(wider.held) / Double(intervals)))"
    return text + ",\"width\":\(part(wider.width))"
  }
}

/// A figure with four decimals.
func fourDigits(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }
