internal import Numerics
internal import System

/// The probability that a sum that is examined repeatedly passes a boundary at some look.
///
/// The sum is Brownian with a drift and a variance of 1 at the last look; looks are at equal distances. Its density
/// among the paths that have not passed yet is propagated from look to look on a grid. Source: Armitage, McPherson and
/// Rowe, "Repeated significance tests on accumulating data", 1969.
struct SequentialPower {
  /// The looks: every day of four weeks.
  static let looks = 28
  /// The grid, in deviations of the sum at the last look.
  private static let step = 0.03
  private static let lowest = -3.0

  /// Integrates from look to look.
  ///
  /// - Parameters:
  ///   - drift: The mean of the sum at the last look.
  ///   - boundary: The boundary at a look, by the share of the users so far, in deviations of the sum at that
  ///     look.
  /// - Returns: The probability of passing the boundary at any look.
  static func passing(drift: Double, boundary: (Double) -> Double) -> Double {
    let count = Double(looks)
    let deviation = (1 / count).squareRoot()
    let bounds = (1...looks).map { look in
      let part = Double(look) / count
      return boundary(part) * part.squareRoot()
    }
    // A boundary above what any path reaches needs no grid.
    let highest = min(max(3, drift) + 6, bounds.max() ?? 0)
    let points = max(0, Int(((highest - lowest) / step).rounded(.up)))
    func place(_ point: Int) -> Double { lowest + Double(point) * step }
    func rise(_ distance: Double) -> Double {
      let z = (distance - drift / count) / deviation
      return exponential(-z * z / 2) / (deviation * 2.506_628_274_631)
    }
    let reach = Int((7 * deviation / step).rounded(.up))
    let rises = (-reach...reach).map { rise(Double($0) * step) }
    // Before the first look all of it is at 0.
    var passed = upperTail((bounds[0] - drift / count) / deviation)
    var density = (0..<points).map { place($0) < bounds[0] ? rise(place($0)) : 0 }
    for bound in bounds.dropFirst() {
      var next = [Double](repeating: 0, count: points)
      for (point, height) in density.enumerated() where height > 1e-12 {
        let toBound = bound - place(point)
        if toBound < 8 * deviation + drift / count {
          passed += height * step * upperTail((toBound - drift / count) / deviation)
        }
        for to in max(0, point - reach)..<max(0, min(points, point + reach + 1)) where place(to) < bound {
          next[to] += height * step * rises[to - point + reach]
        }
      }
      density = next
    }
    return min(1, passed)
  }
}

/// The probability that a standard normal variable is above a number.
func upperTail(_ z: Double) -> Double {
  guard z.magnitude < 38 else { return z > 0 ? 0 : 1 }
  let outside = chiSquareTail(z * z, freedom: 1) / 2
  return z > 0 ? outside : 1 - outside
}
