@testable import Estimates
import Numerics
import Testing
import Values

/// Sums over networks and weeks of install, against what their users really paid.
struct `Sums of several campaigns` {
  private static let networks = 5
  private static let campaignsEach = 6
  private static let weeks = 4

  /// How many intervals of each kind of group hold, of how many.
  private struct Held {
    var held = 0
    var all = 0

    var share: Double { Double(held) / Double(all) }

    mutating func note(_ interval: Interval?, _ truth: Double) {
      guard let interval else { return }
      all += 1
      if interval.contains(truth) { held += 1 }
    }
  }

  @Test func `The intervals of networks, of weeks, and of both together hold in nine of ten worlds`() throws {
    var random = SplitMix64(seed: 40)
    var (network, week, both) = (Held(), Held(), Held())
    for world in 0..<12 {
      let known = try KnownCampaigns.random(
        &random, campaigns: Self.networks * Self.campaignsEach, cells: Self.weeks,
        size: 90, mechanism: .soft(threshold: 30, slope: 0.35))
      let days = (0..<Self.weeks).map { Day(number: Int32(4 + 7 * $0)) }
      let crowds = try EstimatedCrowd.estimated(
        known.set.campaigns.map { campaign in
          (
            campaign.name,
            Dictionary(
              uniqueKeysWithValues: zip(days, campaign.cells).map { day, cell in
                var counts = DayCounts()
                counts.revealed = CodeCounts(
                  cell.revealed + [Double](repeating: 0, count: 64 - cell.revealed.count))
                counts.nulls = cell.nulls
                return (day, counts)
              })
          )
        }, worth: known.worthOfAllValues, users: nil, by: .tree, seed: UInt64(world)
      ).flatMap(\.self)
      func sum(_ networks: Range<Int>, _ weeks: Range<Int>) -> (interval: Interval?, truth: Double) {
        var parts: [EstimatedSum.Part] = []
        var truth = 0.0
        for place in crowds.indices where networks.contains(place / Self.campaignsEach) {
          // A cell without installs is no day of the campaign.
          for week in weeks {
            parts.append(.init(crowds[place], day: week))
            truth += known.cellTruths[place][week]
          }
        }
        return (EstimatedSum(parts, isOfOneCampaign: false)?.interval, truth)
      }
      for place in 0..<Self.networks {
        let found = sum(place..<place + 1, 0..<Self.weeks)
        network.note(found.interval, found.truth)
        for place2 in 0..<Self.weeks {
          let part = sum(place..<place + 1, place2..<place2 + 1)
          both.note(part.interval, part.truth)
        }
      }
      for place in 0..<Self.weeks {
        let found = sum(0..<Self.networks, place..<place + 1)
        week.note(found.interval, found.truth)
      }
    }
    #expect((network.all, week.all, both.all) == (60, 48, 240))
    // Nine of ten, less what so many cases leave to chance.
    #expect(network.share >= 0.8 && week.share >= 0.78 && both.share >= 0.84, "\(network) \(week) \(both)")
    // An interval that holds everything would be of no use.
    #expect(network.share < 1 || week.share < 1 || both.share < 1, "\(network) \(week) \(both)")
  }
}
