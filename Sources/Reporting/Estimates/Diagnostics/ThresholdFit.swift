import Values

internal import System

/// The group size from which values are shown, fitted to cells whose group is known, such as days of install.
///
/// logit P(shown) = (ln N − ln τ) / s for a cell of N postbacks, by binomial maximum likelihood; standard errors from
/// the Fisher information, times the root of Pearson's dispersion where cells scatter more than binomial. Days of
/// arrival are not the groups: ``CrowdThreshold`` is for them.
/// Source: McCullagh and Nelder, "Generalized linear models", 2nd edition, sections 4.4 and 4.5.
package struct ThresholdFit: Equatable, Sendable {
  /// The size at which half of the values are shown, τ.
  package let threshold: Double
  /// How gradual it is, s, from 0.02 for a hard threshold to 5 for none.
  package let slope: Double
  /// The 90 % interval of τ.
  package let interval: Interval
  /// The standard error of ln s; nil where the slope is at an end of what is looked for.
  package let slopeError: Double?
  /// Pearson's dispersion; 1 for binomial cells.
  package let dispersion: Double
  /// The logarithm of the likelihood of what is shown.
  let likelihood: Double

  /// A cell: how many postbacks there are and how many have a value.
  package struct Cell: Hashable, Sendable {
    /// How many postbacks there are.
    package let total: Double
    /// How many of them have a value.
    package let revealed: Double

    package init(total: Double, revealed: Double) {
      self.total = total
      self.revealed = revealed
    }
  }

  /// The limits of 1 / s.
  private static let steepness = 0.2...50.0

  /// Fits cells; nil where none or all of the values are shown, or all cells are of one size.
  package init?(_ cells: [Cell]) {
    var pools = Pools()
    for cell in cells { pools.add(cell) }
    self.init(pools)
  }

  /// Fits cells that are taken together by size.
  init?(_ pools: Pools) {
    let pools = pools.bySize
    let shown = pools.reduce(0) { $0 + $1.revealed }
    let hidden = pools.reduce(0) { $0 + $1.hidden }
    guard shown > 0, hidden > 0, let least = pools.first?.size, let most = pools.last?.size, least < most
    else { return nil }
    let center = pools.reduce(0) { $0 + $1.size * ($1.revealed + $1.hidden) } / (shown + hidden)
    var line = LogitLine(center: center, height: naturalLogarithm(shown / hidden), steepness: 1)
    var likelihood = line.likelihood(pools)
    var slopes = line.slopes(pools)
    // Newton's method climbs a hill without other summits; far fewer steps do.
    for _ in 0..<200 {
      guard let next = line.climbed(slopes, above: likelihood, of: pools, within: Self.steepness) else {
        break
      }
      let gain = next.likelihood - likelihood
      (line, likelihood) = next
      slopes = line.slopes(pools)
      if gain <= 1e-10 * (1 + abs(likelihood)), !slopes.pushes(line.steepness, off: Self.steepness) { break }
    }
    self.likelihood = likelihood
    let place = min(most + 1, max(least - 1, center - line.height / line.steepness))
    threshold = exponential(place)
    slope = 1 / line.steepness
    let scatter = pools.reduce(0) { $0 + $1.pearson(line.logit($1.size)) }
    dispersion = max(1, scatter / max(1, pools.reduce(0) { $0 + $1.cells } - 2))
    let isAtEnd = line.steepness <= Self.steepness.lowerBound || line.steepness >= Self.steepness.upperBound
    let errors = slopes.errors(of: line, isSteepnessKnown: isAtEnd)
    let reach = min(100, Interval.normalReach * errors.place * dispersion.squareRoot())
    interval = Interval(
      low: exponential(max(least - 1, place - reach)), high: exponential(min(most + 1, place + reach)))
    slopeError = isAtEnd ? nil : errors.slope * dispersion.squareRoot()
  }

  /// The fitted law that withholds values.
  package var mechanism: NullMechanism {
    slope <= 0.05 ? .hard(threshold: threshold) : .soft(threshold: threshold, slope: slope)
  }

  /// Cells, those of one size taken together.
  struct Pools {
    private var pools: [Double: Pool] = [:]

    /// Adds a cell; one without postbacks adds nothing.
    mutating func add(_ cell: Cell) {
      guard cell.total > 0, cell.total.isFinite else { return }
      let revealed = min(cell.total, max(0, cell.revealed))
      pools[cell.total, default: Pool(size: naturalLogarithm(cell.total))].add(revealed, of: cell.total)
    }

    fileprivate var bySize: [Pool] { pools.sorted { $0.key < $1.key }.map(\.value) }
  }

  fileprivate struct Pool {
    let size: Double
    private(set) var revealed = 0.0
    private(set) var hidden = 0.0
    private(set) var cells = 0.0
    /// The sum of revealed² / total over the cells.
    private var squares = 0.0

    init(size: Double) { self.size = size }

    mutating func add(_ revealed: Double, of total: Double) {
      self.revealed += revealed
      hidden += total - revealed
      cells += 1
      squares += revealed * revealed / total
    }

    /// Pearson's statistic of the cells, with probabilities kept off 0 and 1.
    func pearson(_ logit: Double) -> Double {
      let p = min(1 - 1e-4, max(1e-4, 1 / (1 + exponential(-logit))))
      return max(0, squares - 2 * p * revealed + p * p * (revealed + hidden)) / (p * (1 - p))
    }
  }

  private struct LogitLine {
    /// The place of the height, in the middle of the data, so that height and steepness hardly depend on each other.
    let center: Double
    var height: Double
    var steepness: Double

    func logit(_ size: Double) -> Double { height + steepness * (size - center) }

    func likelihood(_ pools: [Pool]) -> Double {
      // ln(1 + e^x) without overflow on either side.
      func softplus(_ x: Double) -> Double { max(0, x) + naturalLogarithm(1 + exponential(-abs(x))) }
      return pools.reduce(0) { sum, pool in
        let logit = logit(pool.size)
        return sum - pool.revealed * softplus(-logit) - pool.hidden * softplus(logit)
      }
    }

    func slopes(_ pools: [Pool]) -> Slopes {
      var slopes = Slopes()
      for pool in pools {
        let p = 1 / (1 + exponential(-logit(pool.size)))
        let total = pool.revealed + pool.hidden
        let (excess, weight, offset) = (pool.revealed - p * total, p * (1 - p) * total, pool.size - center)
        slopes.height += excess
        slopes.steepness += excess * offset
        slopes.information.height += weight
        slopes.information.cross += weight * offset
        slopes.information.steepness += weight * offset * offset
      }
      return slopes
    }

    /// Takes one step up; nil on the summit.
    func climbed(
      _ slopes: Slopes, above likelihood: Double, of pools: [Pool], within limits: ClosedRange<Double>
    ) -> (line: LogitLine, likelihood: Double)? {
      let step = slopes.step(isSteepnessHeld: slopes.pushes(steepness, off: limits))
      var length = 1.0
      while length > 1e-6 {
        var next = self
        next.height += length * step.height
        next.steepness += length * step.steepness
        if limits.contains(next.steepness) {
          let reached = next.likelihood(pools)
          if reached > likelihood { return (next, reached) }
        } else if abs(next.steepness - steepness) < 1e-4 * steepness {
          // So near to a limit it may as well lie there.
          next.steepness = min(limits.upperBound, max(limits.lowerBound, next.steepness))
          return (next, next.likelihood(pools))
        }
        length /= 2
      }
      return nil
    }
  }

  /// The first derivatives of the likelihood's logarithm, and minus the second ones.
  private struct Slopes {
    var height = 0.0
    var steepness = 0.0
    var information = (height: 1e-12, cross: 0.0, steepness: 1e-12)

    private var determinant: Double {
      max(1e-24, information.height * information.steepness - information.cross * information.cross)
    }

    /// Whether the likelihood rises beyond the limit at which the steepness is.
    func pushes(_ value: Double, off limits: ClosedRange<Double>) -> Bool {
      value <= limits.lowerBound && steepness <= 0 || value >= limits.upperBound && steepness >= 0
    }

    func step(isSteepnessHeld: Bool) -> (height: Double, steepness: Double) {
      if isSteepnessHeld { return (height / information.height, 0) }
      return (
        (information.steepness * height - information.cross * steepness) / determinant,
        (information.height * steepness - information.cross * height) / determinant
      )
    }

    func errors(of line: LogitLine, isSteepnessKnown: Bool) -> (place: Double, slope: Double) {
      let steepness = line.steepness
      guard !isSteepnessKnown else { return ((1 / information.height).squareRoot() / steepness, 0) }
      let lean = line.height / steepness
      let place =
        (information.steepness + 2 * lean * information.cross + lean * lean * information.height)
        / determinant
      return (
        max(0, place).squareRoot() / steepness, (information.height / determinant).squareRoot() / steepness
      )
    }
  }
}
