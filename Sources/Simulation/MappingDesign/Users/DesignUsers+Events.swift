import Simulation
import Values

extension DesignUsers {
  /// The most events that values are tried to be split by.
  static let mostSplits = 3
  /// So many users at least have to be on either side of a split.
  private static let fewest = 20
  /// An event is no evidence where it explains less than so many times what one at random would: three deviations.
  private static let least = 9.0

  /// Returns the events that best predict what users pay beyond what they paid within some hours, best first.
  ///
  /// Where the window covers the target there are none, because revenue so far is what users are worth.
  func tellingEvents(within hours: Int) -> [DesignEvent] {
    let seconds = Int64(hours) * Hour.seconds
    var pairs: [(amount: Int64, worth: Double)] = []
    var happened: [[Int]] = []
    for user in users {
      var sum: Int64 = 0
      var seen: Set<Int> = []
      for index in Int(user.events.lowerBound)..<Int(user.events.upperBound) {
        let event = events[index]
        guard Int64(event.secondsSinceInstall) < seconds else { break }
        sum = sum.addingHeld(measure(event))
        if let place = place(of: event) { seen.insert(place) }
      }
      pairs.append((max(0, sum), user.worth))
      happened.append(Array(seen))
    }
    let cells = Cells(pairs).rising
    var counts = [Int](repeating: 0, count: eventNames.count)
    var sums = [Double](repeating: 0, count: eventNames.count)
    var squares = 0.0
    for (pair, seen) in zip(pairs, happened) {
      let rest = pair.worth - Self.expected(pair.amount, cells)
      squares += rest * rest
      for place in seen {
        counts[place] += 1
        sums[place] += rest
      }
    }
    let total = users.count
    let variance = squares / Double(max(1, total))
    return eventNames.indices.compactMap { place -> (event: DesignEvent, gain: Double)? in
      let (with, without) = (counts[place], total - counts[place])
      guard min(with, without) >= Self.fewest else { return nil }
      let gain = sums[place] * sums[place] * (1 / Double(with) + 1 / Double(without))
      // Sums of the same amounts in another order differ in the last digits.
      guard gain > Self.least * variance, variance > 1e-12 else { return nil }
      return (DesignEvent(name: eventNames[place], number: Self.firstNumber + Int32(place)), gain)
    }.ordered { ($1.gain, $0.event.name) < ($0.gain, $1.event.name) }.prefix(Self.mostSplits).map(\.event)
  }

  private func place(of event: CohortEvent) -> Int? {
    event.name >= Self.firstNumber ? Int(event.name - Self.firstNumber) : nil
  }

  /// What users with so much revenue are worth on average.
  private static func expected(_ amount: Int64, _ cells: [Cells.Cell]) -> Double {
    var (low, high) = (0, cells.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if cells[middle].last < amount { low = middle + 1 } else { high = middle }
    }
    return cells[low].worth / cells[low].users
  }
}
