/// How many postbacks each group has of each kind, in four bytes a postback, or eight with its hour: there are ten million
/// of a hundred thousand groups.
struct FactRuns {
  /// Postbacks sorted by their group.
  private struct Run {
    /// Where the kinds of each group begin, and the end of the last one's.
    let starts: [UInt32]
    let kinds: [UInt32]
    /// The hours of arrival, since 1970; empty where they are not kept.
    let hours: [Int32]
    /// How many postbacks each is; empty where each is one.
    let counts: [UInt32]
  }

  private static let most = 16

  private let atOnce: Int
  private var runs: [Run] = []
  private var groups: [UInt32] = []
  private var kinds: [UInt32] = []
  private var hours: [Int32] = []

  /// - Parameter atOnce: Postbacks that are sorted together.
  init(atOnce: Int = 1 << 20) { self.atOnce = atOnce }

  /// Adds postbacks by the numbers of their groups and kinds.
  ///
  /// - Parameter hours: Their hours of arrival; empty, each time, where they are not kept.
  mutating func add(_ groups: [UInt32], _ kinds: [UInt32], hours: [Int32] = [], groupCount: Int) {
    self.groups += groups
    self.kinds += kinds
    self.hours += hours
    if self.kinds.count >= atOnce { close(groupCount: groupCount) }
  }

  /// Sorts what was added last; call it before anything is read.
  mutating func close(groupCount: Int) {
    guard !kinds.isEmpty else { return }
    var starts = [UInt32](repeating: 0, count: groupCount + 1)
    for group in groups { starts[Int(group) + 1] += 1 }
    for group in 0..<groupCount { starts[group + 1] += starts[group] }
    var sorted = [UInt32](repeating: 0, count: kinds.count)
    var sortedHours = [Int32](repeating: 0, count: hours.count)
    sort(starts, &sorted, &sortedHours)
    runs.append(Run(starts: starts, kinds: sorted, hours: sortedHours, counts: []))
    groups.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    hours.removeAll(keepingCapacity: true)
    if runs.count > Self.most { merge(groupCount: groupCount) }
  }

  /// Puts the kinds and hours that were added last where those of their group begin.
  private func sort(_ starts: [UInt32], _ sorted: inout [UInt32], _ sortedHours: inout [Int32]) {
    var next = starts
    var nextPlaces = next.mutableSpan
    var sorted = sorted.mutableSpan
    var sortedHours = sortedHours.mutableSpan
    for index in groups.indices {
      let group = Int(groups[index])
      let place = Int(nextPlaces[group])
      sorted[place] = kinds[index]
      if !hours.isEmpty { sortedHours[place] = hours[index] }
      nextPlaces[group] += 1
    }
  }

  /// Puts all runs into one that has each kind and hour of a group once.
  private mutating func merge(groupCount: Int) {
    struct Place: Hashable {
      let kind: UInt32
      let hour: Int32
    }
    let hasHours = runs.contains { !$0.hours.isEmpty }
    var starts: [UInt32] = [0]
    var (kinds, hours, counts) = ([UInt32](), [Int32](), [UInt32]())
    var found: [Place: Int64] = [:]
    for group in 0..<groupCount {
      found.removeAll(keepingCapacity: true)
      forEach(of: group) { found[Place(kind: $0, hour: $1), default: 0] += $2 }
      for (place, count) in found.sorted(by: { ($0.key.kind, $0.key.hour) < ($1.key.kind, $1.key.hour) }) {
        var left = count
        while left > 0 {
          kinds.append(place.kind)
          if hasHours { hours.append(place.hour) }
          counts.append(UInt32(clamping: left))
          left -= Int64(UInt32(clamping: left))
        }
      }
      starts.append(UInt32(kinds.count))
    }
    runs = [Run(starts: starts, kinds: kinds, hours: hours, counts: counts)]
  }

  /// Takes over what was counted elsewhere, once both are closed.
  ///
  /// - Parameters:
  ///   - groups: The numbers here of the groups there.
  ///   - kinds: The numbers here of the kinds there.
  mutating func merge(_ other: FactRuns, groups: [UInt32], kinds: [UInt32], groupCount: Int) {
    var places = [Int?](repeating: nil, count: groupCount)
    for (place, group) in groups.enumerated() { places[Int(group)] = place }
    for run in other.runs {
      var starts: [UInt32] = [0]
      var (sorted, hours, counts) = ([UInt32](), [Int32](), [UInt32]())
      for group in 0..<groupCount {
        if let place = places[group], place + 1 < run.starts.count {
          let range = Int(run.starts[place])..<Int(run.starts[place + 1])
          for index in range { sorted.append(kinds[Int(run.kinds[index])]) }
          if !run.hours.isEmpty { hours += run.hours[range] }
          if !run.counts.isEmpty { counts += run.counts[range] }
        }
        starts.append(UInt32(sorted.count))
      }
      runs.append(Run(starts: starts, kinds: sorted, hours: hours, counts: counts))
    }
    if runs.count > Self.most { merge(groupCount: groupCount) }
  }

  /// Visits the postbacks of a group: a kind and its hour, which can come again, and how many.
  ///
  /// - Parameter visit: Takes 0 for an hour that was not kept.
  func forEach(of group: Int, _ visit: (_ kind: UInt32, _ hour: Int32, _ count: Int64) -> Void) {
    for run in runs where group + 1 < run.starts.count {
      for place in Int(run.starts[group])..<Int(run.starts[group + 1]) {
        visit(
          run.kinds[place], run.hours.isEmpty ? 0 : run.hours[place],
          run.counts.isEmpty ? 1 : Int64(run.counts[place]))
      }
    }
  }

  /// Visits the postbacks of a group as lists, which takes less time than one by one.
  ///
  /// - Parameter visit: Takes kinds, their hours where those are kept, and how many each is; no counts where each is one.
  func forEachList(
    of group: Int, _ visit: (_ kinds: Span<UInt32>, _ hours: Span<Int32>, _ counts: Span<UInt32>) -> Void
  ) {
    for run in runs where group + 1 < run.starts.count {
      let places = Int(run.starts[group])..<Int(run.starts[group + 1])
      guard !places.isEmpty else { continue }
      visit(
        run.kinds.span.extracting(places),
        run.hours.isEmpty ? run.hours.span : run.hours.span.extracting(places),
        run.counts.isEmpty ? run.counts.span : run.counts.span.extracting(places))
    }
  }
}
