import Ledger
import Postbacks
import Values

/// A search for the ways of counting that give a network's numbers.
///
/// The simplest that fit are reported: first counting as reports here do, then one thing done otherwise, then two. A way
/// fits when it comes within 2 or 2 % of the network's sum, whichever is more.
struct TotalsSearch {
  /// Things that a network may do otherwise.
  struct Way: OptionSet, Hashable {
    let rawValue: Int

    static let redownloads = Way(rawValue: 1)
    static let assists = Way(rawValue: 2)
    static let laterWindows = Way(rawValue: 4)
    static let copies = Way(rawValue: 8)
    static let invalid = Way(rawValue: 16)
    static let tests = Way(rawValue: 32)
    static let onlyValues = Way(rawValue: 64)
    static let onlyClicks = Way(rawValue: 128)

    static let all: [(way: Way, reason: TotalsReason)] = [
      (.redownloads, .redownloadsIncluded), (.assists, .assistsIncluded),
      (.laterWindows, .laterWindowsIncluded), (.copies, .copiesCountedTwice), (.invalid, .invalidIncluded),
      (.tests, .testIncluded), (.onlyValues, .nullsLeftOut), (.onlyClicks, .viewsLeftOut),
    ]

    func counts(_ cell: CountableCell, _ asked: Environment) -> Bool {
      switch cell.kind {
      case .conversion(let environment): guard environment == asked || contains(.tests) else { return false }
      case .copy(let environment):
        guard contains(.copies), environment == asked || contains(.tests) else { return false }
      case .rejected: guard contains(.invalid) else { return false }
      }
      switch cell.outcome {
      case .install: break
      case .redownload: guard contains(.redownloads) else { return false }
      case .assist: guard contains(.assists) else { return false }
      case .reengagement, .other: return false
      }
      return (cell.window == .first || contains(.laterWindows)) && (cell.hasValue || !contains(.onlyValues))
        && !(cell.isView && contains(.onlyClicks))
    }
  }

  static let lateDays: Int32 = 3
  static let longestShift = 7

  private let told: [Day: Int64]
  private let cells: [CountableCell]
  private let listed: [CountableCell]?
  private let environment: Environment
  private let today: Day

  /// - Parameters:
  ///   - told: The network's installs by day.
  ///   - cells: What can be counted, of a week more on both sides.
  ///   - listed: Those of them whose campaign the network reports on their day; `nil` where that is no question.
  ///   - environment: Whose keys have to have signed.
  ///   - today: The UTC day that decides what is late.
  init(
    told: [Day: Int64], cells: [CountableCell], listed: [CountableCell]? = nil, environment: Environment,
    today: Day
  ) {
    self.told = told
    self.listed = listed
    self.cells = cells
    self.environment = environment
    self.today = today
  }

  var toldSum: Int64 { told.values.reduce(0, +) }

  /// What a way counts in the days that the network reports.
  func sum(_ way: Way) -> Int64 {
    let days = days(way)
    return told.keys.reduce(0) { $0 + days[$1, default: 0] }
  }

  /// The ways that give the network's number; none where counting as here does, day by day.
  func candidates() -> [TotalsCandidate] {
    let plain = sum([])
    if fits(plain, toldSum) {
      return areDaysApart ? [TotalsCandidate([.dayShift], number: plain, shift: bestShift([]).days)] : []
    }
    var found = Way.all.compactMap { one -> TotalsCandidate? in
      let number = sum(one.way)
      return number != plain && fits(number, toldSum) ? TotalsCandidate([one.reason], number: number) : nil
    }
    found += [shifted([], []), onlyListed(plain), late([], [])].compactMap { $0 }
    if !found.isEmpty { return found }
    found = pairs(plain)
    if !found.isEmpty { return found }
    guard toldSum > sum(everything) + tolerance(toldSum) else { return [TotalsCandidate([.unexplained])] }
    return [TotalsCandidate([told.keys.allSatisfy(isLate) ? .late : .notForwarded])]
  }

  private func pairs(_ plain: Int64) -> [TotalsCandidate] {
    var found: [TotalsCandidate] = []
    for (index, one) in Way.all.enumerated() {
      let alone = sum(one.way)
      for two in Way.all[(index + 1)...] {
        let number = sum(one.way.union(two.way))
        guard number != alone, number != sum(two.way), fits(number, toldSum) else { continue }
        found.append(TotalsCandidate([one.reason, two.reason], number: number))
      }
      guard alone != plain else { continue }
      found += [shifted(one.way, [one.reason]), late(one.way, [one.reason])].compactMap { $0 }
    }
    return found
  }

  private var everything: Way {
    Way.all.reduce(into: Way()) { $0.formUnion($1.way) }.subtracting([.onlyValues, .onlyClicks])
  }

  private func days(_ way: Way) -> [Day: Int64] {
    cells.reduce(into: [:]) { sums, cell in
      if way.counts(cell, environment) { sums[cell.day, default: 0] += cell.count }
    }
  }

  private func tolerance(_ number: Int64) -> Int64 { max(2, number / 50) }
  private func fits(_ number: Int64, _ told: Int64) -> Bool { abs(number - told) <= tolerance(told) }

  /// The sum of the days' differences under a shift.
  private func distance(_ days: [Day: Int64], _ shift: Int) -> Int64 {
    told.reduce(0) { $0 + abs($1.value - days[Day(number: $1.key.number + Int32(shift)), default: 0]) }
  }

  private func bestShift(_ way: Way) -> (days: Int, distance: Int64) {
    let days = days(way)
    let shifts = (-Self.longestShift...Self.longestShift).sorted { abs($0) < abs($1) }
    let best = shifts.min { distance(days, $0) < distance(days, $1) } ?? 0
    return (best, distance(days, best))
  }

  /// Whether sums agree and days do not, by more than a tenth.
  private var areDaysApart: Bool {
    told.count >= 3 && distance(days([]), 0) > max(4, toldSum / 10)
  }

  /// A shift after which each day fits; in one or two days any number is met somewhere.
  private func shifted(_ way: Way, _ reasons: [TotalsReason]) -> TotalsCandidate? {
    guard told.count >= 3 else { return nil }
    let best = bestShift(way)
    guard best.days != 0, best.distance <= tolerance(toldSum) else { return nil }
    return TotalsCandidate(reasons + [.dayShift], number: sum(way), shift: best.days)
  }

  /// That the campaigns the network reports fit.
  private func onlyListed(_ plain: Int64) -> TotalsCandidate? {
    guard let listed else { return nil }
    let number = listed.reduce(0) { $0 + (Way().counts($1, environment) ? $1.count : 0) }
    return number != plain && fits(number, toldSum)
      ? TotalsCandidate([.campaignsLeftOut], number: number) : nil
  }

  private func isLate(_ day: Day) -> Bool { day.number > today.number - Self.lateDays }

  /// That the days before the last ones fit, and that in the last ones the network has more.
  private func late(_ way: Way, _ reasons: [TotalsReason]) -> TotalsCandidate? {
    let days = days(way)
    let (last, older) = (told.filter { isLate($0.key) }, told.filter { !isLate($0.key) })
    func sums(_ part: [Day: Int64]) -> (told: Int64, ours: Int64) {
      part.reduce((0, 0)) { ($0.0 + $1.value, $0.1 + days[$1.key, default: 0]) }
    }
    let (new, old) = (sums(last), sums(older))
    guard !last.isEmpty, old.told > 0, fits(old.ours, old.told), new.told > new.ours else { return nil }
    return TotalsCandidate(reasons + [.late], number: old.ours + new.ours)
  }
}
