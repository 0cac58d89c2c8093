import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// What arrived of one campaign on each UTC day: winning postbacks of the first window.
struct ArrivedDays {
  /// What arrived on one day, or on several.
  struct Tally {
    var postbacks = 0.0
    var nulls = 0.0
    var coarse = 0.0
    var unmapped = 0.0
    var fine = [Double](repeating: 0, count: 64)

    static func + (a: Tally, b: Tally) -> Tally {
      var sum = a
      sum.postbacks += b.postbacks
      sum.nulls += b.nulls
      sum.coarse += b.coarse
      sum.unmapped += b.unmapped
      sum.fine.add(b.fine)
      return sum
    }
  }

  let campaign: EstimatedCampaign
  /// The days that anything arrived on, in their order.
  let days: [(key: Day, value: Tally)]

  /// Visits the campaigns in their order, one at a time: the days of all of them together would take much memory.
  ///
  /// - Parameter zeroMeansNull: Networks that report a withheld value as 0, in lower case.
  static func forEach(
    of counts: FirstWindowCounts, _ catalog: MappingCatalog, _ timers: DeviceTimers,
    zeroMeansNull: Set<String> = [], _ visit: (ArrivedDays) -> Void
  ) {
    let meanings = counts.kinds.map { Tally.Meaning($0, catalog, timers) }
    let campaigns = counts.campaigns.map(EstimatedCampaign.init)
    for place in campaigns.indices.sorted(by: { campaigns[$0] < campaigns[$1] }) {
      let zeroIsNull = zeroMeansNull.contains(campaigns[place].network)
      var days: [Day: Tally] = [:]
      counts.forEach(ofCampaign: place) { kind, hour, postbacks in
        days[hour.day, default: Tally()].add(Double(postbacks), meanings[kind], zeroIsNull: zeroIsNull)
      }
      visit(ArrivedDays(campaign: campaigns[place], days: days.sorted { $0.key < $1.key }))
    }
  }

  /// The number of the first day; 0 where nothing arrived.
  var firstNumber: Int { Int(days.first?.key.number ?? 0) }

  /// All days from the first to the last, those on which nothing arrived included.
  var consecutive: [Tally] {
    guard let first = days.first?.key, let last = days.last?.key else { return [] }
    var all = [Tally](repeating: Tally(), count: Int(last.number - first.number) + 1)
    for (day, tally) in days { all[Int(day.number - first.number)] = tally }
    return all
  }
}

extension [Double] {
  fileprivate mutating func add(_ others: [Double]) {
    for index in indices { self[index] += others[index] }
  }
}

extension ArrivedDays.Tally {
  /// What the value of some postbacks counts as.
  fileprivate struct Meaning {
    let value: ConversionValue
    /// Whether no version of the mapping knows the fine value.
    let isUnmapped: Bool

    init(_ kind: FirstWindowKind, _ catalog: MappingCatalog, _ timers: DeviceTimers) {
      value = kind.value
      isUnmapped =
        if case .fine = kind.value { catalog.expectation(of: kind, timers)?.status == .unmapped } else {
          false
        }
    }
  }

  fileprivate mutating func add(_ count: Double, _ meaning: Meaning, zeroIsNull: Bool) {
    postbacks += count
    switch meaning.value {
    case .absent: nulls += count
    case .coarse: coarse += count
    case .rejected: unmapped += count
    case .fine(let value) where value.number == 0 && zeroIsNull: nulls += count
    case .fine(let value):
      fine[Int(value.number)] += count
      if meaning.isUnmapped { unmapped += count }
    }
  }
}
