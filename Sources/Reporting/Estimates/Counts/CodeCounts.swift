/// How many postbacks have each value; only the values that occur take memory, because a day of a campaign shows few of 64.
package struct CodeCounts: Hashable, Sendable {
  /// The number of a value's postbacks, where it is not 0.
  struct Entry: Hashable, Sendable {
    let code: Int
    var count: Double
  }

  /// How many values there are.
  package let count: Int
  /// In the order of the values.
  private(set) var entries: [Entry] = []

  /// None of so many values.
  package init(codes: Int) { count = codes }

  package init(_ counts: [Double]) { self.init(counts[...]) }

  package init(_ counts: ArraySlice<Double>) {
    count = counts.count
    var used = 0
    for count in counts where count != 0 { used += 1 }
    guard used > 0 else { return }
    entries.reserveCapacity(used)
    for place in counts.indices where counts[place] != 0 {
      entries.append(Entry(code: place - counts.startIndex, count: counts[place]))
    }
  }

  /// Whether no value is shown.
  var areNothing: Bool { entries.isEmpty }
  package var total: Double { entries.reduce(0) { $0 + $1.count } }

  /// The numbers of all values.
  package var all: [Double] {
    var numbers = [Double](repeating: 0, count: count)
    add(to: &numbers)
    return numbers
  }

  package static func += (sum: inout Self, other: Self) {
    guard !other.entries.isEmpty else { return }
    guard !sum.entries.isEmpty else {
      sum.entries = other.entries
      return
    }
    var place = 0
    for entry in other.entries {
      while place < sum.entries.count, sum.entries[place].code < entry.code { place += 1 }
      if place < sum.entries.count, sum.entries[place].code == entry.code {
        sum.entries[place].count += entry.count
      } else {
        sum.entries.insert(entry, at: place)
      }
    }
  }

  /// Adds them to a list of numbers by value.
  func add(to sums: inout [Double], times weight: Double = 1) {
    for entry in entries where entry.code < sums.count { sums[entry.code] += weight * entry.count }
  }

  /// The memory that it takes, about.
  package var bytes: Int { entries.isEmpty ? 0 : 32 + MemoryLayout<Entry>.stride * entries.count }
}

extension CodeCounts: RandomAccessCollection {
  package struct Iterator: IteratorProtocol {
    private let counts: CodeCounts
    private var code = 0
    private var place = 0

    fileprivate init(_ counts: CodeCounts) { self.counts = counts }

    package mutating func next() -> Double? {
      guard code < counts.count else { return nil }
      defer { code += 1 }
      guard place < counts.entries.count, counts.entries[place].code == code else { return 0 }
      defer { place += 1 }
      return counts.entries[place].count
    }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }
  package func makeIterator() -> Iterator { Iterator(self) }

  /// - Complexity: Looks at all values that are shown; to go through them, iterate.
  package subscript(code: Int) -> Double {
    get { entries.first { $0.code == code }?.count ?? 0 }
    set {
      let place = entries.firstIndex { $0.code >= code } ?? entries.endIndex
      if place < entries.endIndex, entries[place].code == code { entries.remove(at: place) }
      if newValue != 0 { entries.insert(Entry(code: code, count: newValue), at: place) }
    }
  }
}
