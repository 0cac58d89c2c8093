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
    for (law, arrivals) in zip(laws, arrivals) {
      for (bin, count) in arrivals.enumerated() {
        let first = shares.count
        for (day, probability) in count > 0 ? law?.origins(ofBin: bin) ?? [] : [] {
          guard let day = together(Day(number: origin.day.number + Int32(day)))?.number else { continue }
          if let place = shares[first...].firstIndex(where: { $0.day == day }) {
            shares[place].probability += probability
          } else {
            shares.append(Share(day: day, probability: probability))
          }
        }
        starts.append(UInt32(shares.count))
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
}
