import Estimates
import Values

/// The days of install of one law of delay.
struct LawDays {
  private let days: InstallDays
  private let middle: Double

  /// - Parameter middle: Of the delay, in hours.
  init(_ days: InstallDays, middle: Double) { (self.days, self.middle) = (days, middle) }

  /// The days, from that of the first bin on, that a postback of a bin can be of, with their probabilities.
  func origins(ofBin bin: Int) -> [(day: Int, probability: Double)] {
    let origins = days.origins(ofBin: bin)
    guard origins.isEmpty else { return origins }
    // Nothing explains the bin: the middle of the delay does.
    let hours = Double(bin * DelayKernel.binHours) - middle
    return [(day: Int(nearest: (hours / 24).rounded(.down)), probability: 1)]
  }
}

/// The days of install that postbacks of each law and bin of arrival can be of, in one list.
struct InstallOrigins {
  struct Share {
    fileprivate(set) var day: Int32
    fileprivate(set) var probability: Double
  }

  /// Where one of two days that do not count together begins.
  struct Edge: Hashable {
    /// The days on both sides, each the one that it counts under; a day that does not count is itself.
    let earlier: Day
    let later: Day
  }

  /// The probability that an install was before an edge.
  struct EdgeShare {
    let edge: Int
    let probability: Double
  }

  private(set) var edges: [Edge] = []
  private(set) var edgeShares: [EdgeShare] = []
  private var edgeStarts: [UInt32] = [0]
  /// All days that occur.
  let days: Range<Int32>
  private let bins: Int
  private(set) var shares: [Share] = []
  /// Where the shares of each law and bin begin, and the end of the last ones.
  private var starts: [UInt32] = [0]

  /// - Parameters:
  ///   - arrivals: By law and bin; a bin without any has no days.
  ///   - origin: When the first bin begins.
  ///   - together: The day that a day counts under; `nil` for one that does not count.
  init(_ laws: [LawDays?], _ arrivals: [[Double]], _ origin: Instant, _ together: (Day) -> Day?) {
    bins = arrivals.first?.count ?? 0
    var numbers: [Edge: Int] = [:]
    for (law, arrivals) in zip(laws, arrivals) {
      for (bin, count) in arrivals.enumerated() {
        let first = shares.count
        var last: (own: Day, counted: Day?)?
        var before = 0.0
        for (day, probability) in count > 0 ? law?.origins(ofBin: bin) ?? [] : [] {
          let own = Day(number: origin.day.number + Int32(day))
          let counted = together(own)
          if let last, last.counted != counted {
            let edge = Edge(earlier: last.counted ?? last.own, later: counted ?? own)
            let number = numbers[edge] ?? edges.count
            if number == edges.count { edges.append(edge) }
            numbers[edge] = number
            edgeShares.append(EdgeShare(edge: number, probability: before))
          }
          last = (own, counted)
          before += probability
          guard let day = counted?.number else { continue }
          if let place = shares[first...].firstIndex(where: { $0.day == day }) {
            shares[place].probability += probability
          } else {
            shares.append(Share(day: day, probability: probability))
          }
        }
        starts.append(UInt32(shares.count))
        edgeStarts.append(UInt32(edgeShares.count))
      }
    }
    let first = shares.lazy.map(\.day).min() ?? 0
    days = first..<(shares.lazy.map(\.day).max() ?? first - 1) + 1
  }

  /// The places among ``shares`` of those of a law and bin.
  func places(ofLaw law: Int, bin: Int) -> Range<Int> {
    let place = law * bins + bin
    return Int(starts[place])..<Int(starts[place + 1])
  }

  /// The same among ``edgeShares``.
  func edges(ofLaw law: Int, bin: Int) -> Range<Int> {
    let place = law * bins + bin
    return Int(edgeStarts[place])..<Int(edgeStarts[place + 1])
  }
}
