/// How many postbacks each group has of each kind, in four bytes a postback or eight a kind: there are ten million of a
/// hundred thousand groups.
struct FactRuns {
  /// Postbacks sorted by their group.
  private struct Run {
    /// Where the kinds of each group begin, and the end of the last one's.
    let starts: [UInt32]
    let kinds: [UInt32]
    /// How many postbacks each is; empty where each is one.
    let counts: [UInt32]
  }

  private static let most = 16

  private let atOnce: Int
  private var runs: [Run] = []
  private var groups: [UInt32] = []
  private var kinds: [UInt32] = []

  /// - Parameter atOnce: Postbacks that are sorted together.
  init(atOnce: Int = 1 << 20) { self.atOnce = atOnce }

  /// Adds postbacks by the numbers of their groups and kinds.
  mutating func add(_ groups: [UInt32], _ kinds: [UInt32], groupCount: Int) {
    self.groups += groups
    self.kinds += kinds
    if self.kinds.count >= atOnce { close(groupCount: groupCount) }
  }

  /// Sorts what was added last; call it before anything is read.
  mutating func close(groupCount: Int) {
    guard !kinds.isEmpty else { return }
    var starts = [UInt32](repeating: 0, count: groupCount + 1)
    for group in groups { starts[Int(group) + 1] += 1 }
    for group in 0..<groupCount { starts[group + 1] += starts[group] }
    var next = starts
    var sorted = [UInt32](repeating: 0, count: kinds.count)
    for (index, group) in groups.enumerated() {
      sorted[Int(next[Int(group)])] = kinds[index]
      next[Int(group)] += 1
    }
    runs.append(Run(starts: starts, kinds: sorted, counts: []))
    groups.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    if runs.count > Self.most { merge(groupCount: groupCount) }
  }

  /// Puts all runs into one that has each kind of a group once.
  private mutating func merge(groupCount: Int) {
    var starts: [UInt32] = [0]
    var (kinds, counts) = ([UInt32](), [UInt32]())
    var found: [UInt32: Int64] = [:]
    for group in 0..<groupCount {
      found.removeAll(keepingCapacity: true)
      forEach(of: group) { found[$0, default: 0] += $1 }
      for (kind, count) in found.sorted(by: { $0.key < $1.key }) {
        var left = count
        while left > 0 {
          kinds.append(kind)
          counts.append(UInt32(clamping: left))
          left -= Int64(UInt32(clamping: left))
        }
      }
      starts.append(UInt32(kinds.count))
    }
    runs = [Run(starts: starts, kinds: kinds, counts: counts)]
  }

  /// Visits the postbacks of a group: a kind, which can come again, and how many.
  func forEach(of group: Int, _ visit: (UInt32, Int64) -> Void) {
    for run in runs where group + 1 < run.starts.count {
      for place in Int(run.starts[group])..<Int(run.starts[group + 1]) {
        visit(run.kinds[place], run.counts.isEmpty ? 1 : Int64(run.counts[place]))
      }
    }
  }
}
