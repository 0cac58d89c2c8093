import Mappings
import Numerics
import System
import Values

/// The designer's mappings against six simple cuts, on campaigns of users that neither was made of.
struct DesignerTrial: Sendable {
  static let counts = [8, 16, 32, 64]
  /// The days since install that revenue counts for.
  static let targets = [2, 7]
  static let sizes = [100, 300, 1000]

  /// What a trial compares.
  enum Way: String, CaseIterable, Sendable {
    case designed
    case equalWidth = "equal width"
    case equalRoot = "equal width of the root"
    case geometric
    case trimmed = "geometric within 1 to 99 %"
    case quantile
    case equalRevenue = "equal revenue"

    /// Where the ranges above nothing begin, from the rising amounts of own payers.
    func edges(_ amounts: [Double], ranges: Int) -> [Double] {
      let (least, most) = (max(amounts.first ?? 0.01, 1e-3), max(amounts.last ?? 1, 2e-3))
      func part(_ share: Double) -> Double {
        amounts[min(amounts.count - 1, Int(Double(amounts.count) * share))]
      }
      let parts = (1..<ranges).map { Double($0) / Double(ranges) }
      switch self {
      case .designed: return []
      case .equalWidth: return parts.map { least + (most - least) * $0 }
      case .equalRoot:
        return parts.map {
          let root = least.squareRoot() + (most.squareRoot() - least.squareRoot()) * $0
          return root * root
        }
      case .geometric: return Self.ratios(least, most, parts)
      case .trimmed: return Self.ratios(max(least, part(0.01)), max(2 * least, part(0.99)), parts)
      case .quantile: return parts.map(part)
      case .equalRevenue:
        let total = amounts.reduce(0, +)
        var (sum, place) = (0.0, 0)
        return parts.map { share in
          while place < amounts.count - 1, sum < total * share {
            sum += amounts[place]
            place += 1
          }
          return amounts[place]
        }
      }
    }

    private static func ratios(_ least: Double, _ most: Double, _ parts: [Double]) -> [Double] {
      parts.map { least * exponential(naturalLogarithm(most / least) * $0) }
    }
  }

  /// A cell of the table.
  struct Cell: Hashable, Sendable {
    let target: Int
    let values: Int
    let size: Int
  }

  let app: AppUsers
  /// Campaigns of each size.
  let campaigns: Int

  /// A user of one of the halves.
  private struct User {
    let key: UInt64
    let amount: Double
    let worth: Double
  }

  /// Runs one seed.
  ///
  /// - Returns: The sums of squared errors, in parts of the campaigns' mean truth.
  func run(seed: Int) -> [Cell: [Way: Double]] {
    let split = UserSplit(app: app, seed: UInt64(seed))
    var squares: [Cell: [Way: Double]] = [:]
    for target in Self.targets {
      let users = app.users.compactMap { user in
        (target == 2 ? user.amount : user.weekAmount).map {
          User(key: user.key, amount: user.amount, worth: $0)
        }
      }
      let own = users.filter { split.isOwn($0.key) }
      let others = users.filter { !split.isOwn($0.key) }
      guard let tilted = TiltedUsers(others.map(\.worth)) else { continue }
      var random = SplitMix64(seed: UInt64(seed) &* 7_919 &+ UInt64(target))
      let drawn = Self.sizes.map { size in
        (0..<campaigns).map { _ in
          let quality = Scenario.spread * random.normal()
          return (0..<size).map { _ in tilted.user(quality: quality, &random) }
        }
      }
      let payers = own.map(\.amount).filter { $0 > 0 }.sorted()
      guard !payers.isEmpty else { continue }
      for values in Self.counts {
        for way in Way.allCases {
          let codes: (User) -> Int
          if way == .designed {
            guard let mapping = split.designedMapping(values: values, days: target) else { continue }
            let halves = split.play(mapping)
            let byKey = Dictionary(
              (halves.own + halves.others).map { ($0.key, $0.code) }, uniquingKeysWith: { first, _ in first })
            codes = { byKey[$0.key] ?? 0 }
          } else {
            let edges = way.edges(payers, ranges: values - 1)
            codes = { user in user.amount <= 0 ? 0 : 1 + edges.count { $0 <= user.amount } }
          }
          let estimates = Self.estimates(own, others, codes)
          for (size, drawn) in zip(Self.sizes, drawn) {
            let truths = drawn.map { $0.reduce(0) { $0 + others[$1].worth } }
            let scale = truths.reduce(0, +) / Double(max(1, truths.count))
            let square = zip(drawn, truths).reduce(0) { sum, pair in
              let error = (pair.0.reduce(0) { $0 + estimates[$1] } - pair.1) / max(scale, 1e-9)
              return sum + error * error
            }
            squares[Cell(target: target, values: values, size: size), default: [:]][way, default: 0] += square
          }
        }
      }
    }
    return squares
  }

  /// What each of the others is worth by the mean of the own users with the same value.
  private static func estimates(_ own: [User], _ others: [User], _ code: (User) -> Int) -> [Double] {
    var sums = [(worth: Double, users: Double)](repeating: (0, 0), count: 65)
    for user in own {
      let code = code(user)
      sums[code].worth += user.worth
      sums[code].users += 1
    }
    var known = 0.0
    let means = sums.map { sum in
      // A value that no own user has is worth what the next one below it is.
      if sum.users > 0 { known = sum.worth / sum.users }
      return known
    }
    return others.map { means[code($0)] }
  }
}
