import Estimates
import Postbacks

extension Crosscheck {
  /// Compares the values of each side's copies, network by network.
  ///
  /// A conversion whose copies on both sides agree is one observation, not two, so the two sides' distributions can't be
  /// tested against each other. Instead each conversion is put into one of three groups - only devices, both, only the
  /// network - which have no conversion in common. Where neither side picks by the value, the three are draws from one
  /// mix. A network that holds back good values shows in only devices against both, one that adds conversions in only the
  /// network against both. Apps, versions and windows have mixes of their own and are strata. Conversions that a side
  /// misses for a known reason stay out, because such a reason, like an old device, goes along with its own mix. For
  /// pairs with changed values the fact needs no test; whether they lean one way is tested by their direction.
  static func mixes(_ tally: SideTally, _ reasons: DifferenceReasons) -> [Mix] {
    struct Stratum: Hashable {
      let app: Int64
      let version: ProtocolVersion
      let window: ConversionWindow
    }
    struct Values {
      var strata: [Stratum: [[Double]]] = [:]
      var device = [Int64](repeating: 0, count: ValueSlot.count)
      var forwarded = [Int64](repeating: 0, count: ValueSlot.count)
    }
    let none = [[Double]](repeating: [Double](repeating: 0, count: ValueSlot.count), count: 3)
    var networks: [String: Values] = [:]
    for (cell, count) in tally.cells where reasons.isComparable(cell) {
      var values = networks[cell.network] ?? Values()
      if cell.sides != .network { values.device[Int(cell.slot)] += count }
      if cell.sides != .device { values.forwarded[Int(cell.slot)] += count }
      let stratum = Stratum(app: cell.app, version: cell.version, window: cell.window)
      let group = cell.sides == .device ? 0 : cell.sides == .both ? 1 : 2
      values.strata[stratum, default: none][group][Int(cell.slot)] += Double(count)
      networks[cell.network] = values
    }
    for (network, changes) in tally.changes {
      for (pair, count) in changes {
        // A pair is in the cell of the device's value.
        networks[network]?.forwarded[Int(pair.x)] -= count
        networks[network]?.forwarded[Int(pair.y)] += count
      }
    }
    let names = networks.keys.sorted()
    let tests = names.map { GroupMix((networks[$0]?.strata.values).map(Array.init) ?? []) }
    let corrected = holm(tests.map { $0?.probability })
    return names.indices.map { index in
      let values = networks[names[index]] ?? Values()
      return Mix(
        network: names[index], device: values.device, forwarded: values.forwarded, test: tests[index],
        corrected: corrected[index], direction: direction(tally.changes[names[index]] ?? [:]),
        outstanding: (corrected[index] ?? 1) < 0.05 ? outstanding(values.device, values.forwarded) : [])
    }
  }

  /// Which way changed values lean; none and impossible are no greater and no less than a value.
  private static func direction(_ changes: [SIMD2<UInt8>: Int64]) -> PairedDirection? {
    var (raised, lowered): (Int64, Int64) = (0, 0)
    for (pair, count) in changes {
      let isOrdered =
        (pair.x < 64 && pair.y < 64) || ((64...66).contains(pair.x) && (64...66).contains(pair.y))
      if isOrdered, pair.x < pair.y { raised += count }
      if isOrdered, pair.x > pair.y { lowered += count }
    }
    return raised + lowered > 0 ? PairedDirection(raised: raised, lowered: lowered) : nil
  }

  private static func outstanding(_ device: [Int64], _ forwarded: [Int64]) -> [Int] {
    let shares = [device, forwarded].map { counts in
      let total = Double(max(1, counts.reduce(0, +)))
      return counts.map { Double($0) / total }
    }
    // As in a chi-square, a gap counts for more where the value is rare.
    let gaps = zip(shares[0], shares[1]).map { $0 == $1 ? 0 : ($0 - $1) * ($0 - $1) / ($0 + $1) }
    return Array(gaps.indices.filter { gaps[$0] > 0 }.sorted { (gaps[$1], $0) < (gaps[$0], $1) }.prefix(3))
  }
}
