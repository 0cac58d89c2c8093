@testable import Estimates
import Testing
import Values

struct `Parts of estimated days` {
  private let worth = CodeWorth(
    buckets: (0..<64).map { code in
      BucketWorth(
        mean: code == 1 ? 10 : 0, spread: code == 1 ? 2 : 0, low: code == 1 ? 8 : 0, high: code == 1 ? 16 : 0,
        users: 0)
    })
  private let monday = Day(number: 4)

  private func counts(_ zeroes: Double, _ ones: Double, nulls: Double, coarse: Double = 0) -> DayCounts {
    var counts = DayCounts()
    counts.revealed[0] = zeroes
    counts.revealed[1] = ones
    counts.nulls = nulls
    counts.coarse = coarse
    counts.coarseWorth = coarse * 3
    return counts
  }

  /// Two campaigns of nine days over two weeks; what is shown of two countries has no nulls.
  private var parts: [[Day: [DayCounts]]] {
    [1.0, 2].map { size in
      Dictionary(
        uniqueKeysWithValues: (0..<9).map { index in
          let first = counts(6 * size, 2.5 * size, nulls: 0, coarse: 1)
          let second = index % 2 == 0 ? [counts(3, 4 * size, nulls: 0)] : []
          return (
            Day(number: monday.number + Int32(index)), [first] + second + [counts(1, 0, nulls: 4.25 * size)]
          )
        })
    }
  }

  private func crowds(_ parts: [[Day: [DayCounts]]], _ estimator: Estimator) throws -> [EstimatedCrowd] {
    try EstimatedCrowd.estimated(
      parts.enumerated().map { index, days in
        ("c\(index)", days.mapValues { $0.reduce(into: DayCounts()) { $0 += $1 } })
      }, worth: worth, users: nil, by: estimator, seed: 1, parts: parts
    ).flatMap(\.self)
  }

  private func sum(_ crowd: EstimatedCrowd, _ isPart: (Int) -> Bool = { _ in true }) -> EstimatedSum? {
    EstimatedSum(
      crowd.days.indices.filter(isPart).map { .init(crowd, day: $0) }, isOfOneCampaign: true)
  }

  @Test(arguments: Estimator.all)
  func `Parts of estimated days add up to them, by any estimator`(estimator: Estimator) throws {
    let crowds = try crowds(parts, estimator)
    #expect(crowds.count == (estimator.name == "threshold" ? 4 : 2))
    for crowd in crowds {
      let divided = try #require(crowd.divided)
      #expect(Set(divided.crowd.days) == Set(crowd.days))
      let whole = try #require(sum(crowd))
      let all = try #require(sum(divided.crowd))
      let each = divided.crowd.days.indices.compactMap { index in sum(divided.crowd) { $0 == index } }
      #expect(each.count == divided.places.count)
      func same(_ value: (EstimatedSum) -> Double) {
        let (wanted, added) = (value(whole), each.reduce(0) { $0 + value($1) })
        #expect(abs(wanted - added) < 1e-6 && abs(wanted - value(all)) < 1e-6)
      }
      same(\.installs)
      same(\.nulls)
      same(\.coarse)
      same(\.decoded)
      same(\.worstCase.low)
      same(\.worstCase.high)
      same { $0.estimate ?? .infinity }
      same { $0.rangeEnds?.low ?? .infinity }
      // All parts are drawn as the whole is, by other numbers.
      guard let wanted = whole.interval else {
        #expect(all.interval == nil)
        continue
      }
      let found = try #require(all.interval)
      #expect(abs(found.low - wanted.low) < 0.25 * wanted.width)
      #expect(abs(found.high - wanted.high) < 0.25 * wanted.width)
    }
  }

  @Test func `Parts of estimated days change nothing of the days`() throws {
    let apart = try EstimatedCrowd.estimated(
      parts.enumerated().map { index, days in
        ("c\(index)", days.mapValues { $0.reduce(into: DayCounts()) { $0 += $1 } })
      }, worth: worth, users: nil, by: .tree, seed: 1
    ).flatMap(\.self)
    for (crowd, other) in zip(try crowds(parts, .tree), apart) {
      #expect(other.divided == nil)
      #expect(sum(crowd)?.estimate == sum(other)?.estimate)
      #expect(sum(crowd)?.interval == sum(other)?.interval)
    }
  }

  @Test func `Very many parts of estimated days are drawn when their interval is asked for`() throws {
    let few = try #require(try crowds(parts, .tree).first?.divided?.crowd)
    #expect(few.draws != nil && !few.drawsLater)
    let many = parts.map { days in
      days.mapValues { parts in
        parts.dropLast().flatMap { part in
          (0..<1200).map { _ in counts(part.revealed[0] / 1200, part.revealed[1] / 1200, nulls: 0) }
        } + parts.suffix(1)
      }
    }
    let crowd = try #require(try crowds(many, .tree).first?.divided?.crowd)
    #expect(crowd.draws == nil && crowd.drawsLater)
    let sums = try [#require(sum(crowd)), #require(sum(few))]
    #expect(!sums[0].awaited.isMade && sums[1].awaited.isMade)
    // The coarse postbacks of the first are in no part of the second, and have a worth without an interval.
    let (found, wanted) = (try #require(sums[0].interval), try #require(sums[1].interval))
    #expect(abs(found.low + 9 * 3 - wanted.low) < 0.25 * wanted.width)
    #expect(abs(found.high + 9 * 3 - wanted.high) < 0.25 * wanted.width)
  }
}
