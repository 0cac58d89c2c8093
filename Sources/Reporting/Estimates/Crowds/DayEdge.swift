internal import Numerics
internal import Values

/// First postbacks that arrived when installs of a day and those of the next one can, so that their day is not sure.
///
/// Each is of the earlier day, or days, with a probability p of its own, and of the later with 1 − p.
package struct DayEdge: Equatable, Sendable {
  /// Σ p (1 − p) w² with w what a shown value is worth: the variance of their sum on either side.
  private(set) var variance = 0.0
  /// Σ p (1 − p) (1 − 2p) w³: the third moment of their sum on the earlier side.
  private var third = 0.0
  /// Σ p (1 − p) of those without a value.
  private(set) var nulls = 0.0

  package init() {}

  package var isEmpty: Bool { variance == 0 && nulls == 0 }

  /// Adds postbacks.
  ///
  /// - Parameters:
  ///   - probability: That one is of the earlier side.
  ///   - worth: What one is worth; `nil` for a withheld value.
  package mutating func add(_ count: Double, probability: Double, worth: Double?) {
    let doubt = count * probability * (1 - probability)
    guard let worth else {
      nulls += doubt
      return
    }
    variance += doubt * worth * worth
    third += doubt * (1 - 2 * probability) * worth * worth * worth
  }

  package static func += (sum: inout Self, edge: Self) {
    sum.variance += edge.variance
    sum.third += edge.third
    sum.nulls += edge.nulls
  }

  /// How far the earlier side can be off, if a withheld value is worth so much on average.
  fileprivate func law(worthOfNull: Double) -> SkewedSum {
    var law = SkewedSum()
    law.variance = variance + nulls * worthOfNull * worthOfNull
    law.third = third
    law.least = -.infinity
    return law
  }
}

/// What a sum can have of other days, or other days of it, because install days are not sure.
struct DayEdges {
  /// Whose days these are: those of a group, or of all weeks of a campaign.
  private struct Days: Hashable {
    let basis: ObjectIdentifier
    let name: String
  }

  private var laws: [(law: SkewedSum, scale: Double, seed: UInt64)] = []

  /// - Parameter parts: The days of the sum; between two of them nothing is lost.
  init(of parts: [EstimatedSum.Part]) {
    var scales: [Days: [Day: Double]] = [:]
    func days(_ part: EstimatedSum.Part) -> Days {
      Days(basis: ObjectIdentifier(part.crowd.basis), name: part.crowd.counts.name)
    }
    for part in parts where !part.crowd.cells[part.day].edges.isEmpty {
      scales[days(part), default: [:]][part.crowd.days[part.day]] = part.scale
    }
    for part in parts {
      let (crowd, cell, day) = (part.crowd, part.crowd.cells[part.day], part.crowd.days[part.day])
      let own = cell.edges.isEmpty ? nil : scales[days(part)]
      for (beside, edge) in cell.edges.lazy.map({ ($0.day, $0.edge) }) {
        let other = own?[beside]
        // Of two days of the sum the later has it: what postbacks gain by being of the one with the higher rate.
        if other != nil, beside > day { continue }
        let scale = (day < beside ? 1 : -1) * (part.scale - (other ?? 0))
        guard scale != 0 else { continue }
        let worth = cell.nulls > 0 ? (crowd.estimate.cells[part.day].imputed ?? 0) / cell.nulls : 0
        // Both sides have the same numbers, and so the same draws.
        let place = UInt64(bitPattern: Int64(min(day, beside).number)) ^ edge.variance.bitPattern
        laws.append(
          (
            edge.law(worthOfNull: worth), scale,
            PredictiveModel.seed(
              PredictiveModel.hash(crowd.counts.name) ^ (crowd.basis.model?.seed ?? 0),
              place ^ edge.nulls.bitPattern)
          ))
      }
    }
    guard laws.count > 2 * ManyCampaigns.mostOfSum else { return }
    var sum = SkewedSum()
    for (law, scale, _) in laws {
      sum.variance += scale * scale * law.variance
      sum.third += scale * scale * scale * law.third
    }
    sum.least = -.infinity
    laws = [(sum, 1, laws[0].seed)]
  }

  func added(to draws: [Double]) -> [Double] {
    var draws = draws
    for (law, scale, seed) in laws where law.variance > 0 {
      var random = SplitMix64(seed: seed)
      for draw in draws.indices { draws[draw] += scale * law.draw(&random) }
    }
    return draws
  }
}
