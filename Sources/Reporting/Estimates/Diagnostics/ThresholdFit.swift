internal import Numerics
internal import System

/// The crowd size from which values are revealed, inferred from the campaigns' own days.
///
/// logit P(reveal) = (ln N − ln τ) / s for a cell of N postbacks, by binomial maximum likelihood; standard errors from
/// the likelihood's numeric second derivatives, times the root of Pearson's dispersion where cells scatter more than
/// binomial. Days of arrival in place of days of install make τ about 3 % too low and a hard threshold look soft.
/// Source: McCullagh and Nelder, "Generalized linear models", 2nd edition, sections 4.4 and 4.5.
package struct ThresholdFit: Hashable, Sendable {
  /// The size at which half of the values are revealed, τ.
  package let threshold: Double
  /// How gradual it is, s; 0.02, the least that is looked for, for a hard one.
  package let slope: Double
  /// The 90 % interval of τ; nil where the likelihood has no curve.
  package let interval: Interval?
  /// The standard error of ln s; nil where the slope is at an end of what is looked for.
  package let slopeError: Double?
  /// Pearson's dispersion; 1 for binomial cells.
  package let dispersion: Double

  /// A cell: how many postbacks there are and how many reveal their value.
  package struct Cell: Hashable, Sendable {
    /// How many postbacks there are.
    package let total: Double
    /// How many reveal their value.
    package let revealed: Double

    /// Takes a cell.
    package init(total: Double, revealed: Double) {
      self.total = total
      self.revealed = revealed
    }
  }

  /// The slopes that are looked for, as logarithms.
  private static let slopes = naturalLogarithm(0.02)...naturalLogarithm(5)

  /// Fits cells; nil where none or all of the values are revealed, or all cells are of one size.
  ///
  /// - Throws: ``EstimationError`` where the search fails.
  package init?(_ cells: [Cell]) throws(EstimationError) {
    let cells = Self.pooled(cells)
    let sizes = cells.map(\.size)
    let shown = cells.reduce(0) { $0 + $1.revealed }
    let hidden = cells.reduce(0) { $0 + $1.hidden }
    guard shown > 0, hidden > 0, let least = sizes.first, let most = sizes.last, least < most else {
      return nil
    }
    let range = (least - 1)...(most + 1)
    func cost(_ place: Double, _ slope: Double) -> Double {
      let width = exponential(slope)
      return cells.reduce(0) { $0 + $1.cost(($1.size - place) / width) }
    }
    func profile(_ slope: Double) throws(NumericError) -> Minimum {
      try Minimum.find(on: range, steps: 40, precision: 1e-6) { cost($0, slope) }
    }
    let place: Double
    let slope: Double
    let isAtEnd: Bool
    do throws(NumericError) {
      var failure: NumericError?
      let best = try Minimum.find(on: Self.slopes, steps: 14, precision: 1e-4) { slope in
        do throws(NumericError) { return try profile(slope).value } catch {
          failure = error
          return .infinity
        }
      }
      if let failure { throw failure }
      slope = best.place
      isAtEnd = best.isAtEnd
      place = try profile(slope).place
    } catch { throw .numeric(error) }
    threshold = exponential(place)
    self.slope = exponential(slope)

    let step = max(0.02, self.slope / 4)
    let center = cost(place, slope)
    let placeCurve = (cost(place + step, slope) + cost(place - step, slope) - 2 * center) / (step * step)
    let turn = 0.05
    let slopeCurve = (cost(place, slope + turn) + cost(place, slope - turn) - 2 * center) / (turn * turn)
    let cross =
      (cost(place + step, slope + turn) - cost(place + step, slope - turn)
        - cost(place - step, slope + turn) + cost(place - step, slope - turn)) / (4 * step * turn)
    let scatter = cells.reduce(0) { $0 + $1.pearson(($1.size - place) / exponential(slope)) }
    let count = cells.reduce(0) { $0 + $1.cells }
    dispersion = max(1, scatter / max(1, count - 2))
    let determinant = placeCurve * slopeCurve - cross * cross
    let curve = isAtEnd || determinant <= 0 ? placeCurve : determinant / slopeCurve
    if curve > 0 {
      let reach = normalQuantile(0.95) * (dispersion / curve).squareRoot()
      interval = Interval(low: exponential(place - reach), high: exponential(place + reach))
    } else {
      interval = nil
    }
    slopeError =
      !isAtEnd && determinant > 0 && placeCurve > 0
      ? (dispersion * placeCurve / determinant).squareRoot() : nil
  }

  /// The law that the fit says hides values.
  package var mechanism: NullMechanism {
    slope <= 0.05 ? .hard(threshold: threshold) : .soft(threshold: threshold, slope: slope)
  }

  /// Cells of one size taken together, in the order of size.
  private static func pooled(_ cells: [Cell]) -> [Pool] {
    var pools: [Double: Pool] = [:]
    for cell in cells where cell.total > 0 && cell.total.isFinite {
      let revealed = min(cell.total, max(0, cell.revealed))
      var pool = pools[cell.total] ?? Pool(size: naturalLogarithm(cell.total))
      pool.revealed += revealed
      pool.hidden += cell.total - revealed
      pool.cells += 1
      pool.squares += revealed * revealed / cell.total
      pools[cell.total] = pool
    }
    return pools.sorted { $0.key < $1.key }.map(\.value)
  }

  private struct Pool {
    let size: Double
    var revealed = 0.0
    var hidden = 0.0
    var cells = 0.0
    /// The sum of revealed² / total over the cells.
    var squares = 0.0

    /// Minus the logarithm of the likelihood.
    func cost(_ logit: Double) -> Double {
      // ln(1 + e^x) without overflow on either side.
      func softplus(_ x: Double) -> Double { max(0, x) + naturalLogarithm(1 + exponential(-abs(x))) }
      return revealed * softplus(-logit) + hidden * softplus(logit)
    }

    /// Pearson's statistic of the cells, with probabilities kept off 0 and 1.
    func pearson(_ logit: Double) -> Double {
      let p = min(1 - 1e-4, max(1e-4, 1 / (1 + exponential(-logit))))
      return max(0, squares - 2 * p * revealed + p * p * (revealed + hidden)) / (p * (1 - p))
    }
  }
}
