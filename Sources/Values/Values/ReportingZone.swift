/// The clock by which a report divides time into days: UTC, a fixed offset from it, or a zone of the IANA database.
public struct ReportingZone: Equatable, Sendable {
  /// How it is written: `UTC`, `+05:30` or `Europe/Berlin`.
  public let name: String
  /// Seconds since 1970-01-01T00:00:00Z at which the offset changes, ascending.
  private let changes: [Int64]
  /// Seconds to add to UTC: before the first change, and from each change on.
  private let offsets: [Int64]

  init(name: String, changes: [Int64], offsets: [Int64]) {
    self.name = name
    self.changes = changes
    self.offsets = offsets
  }

  /// Coordinated Universal Time.
  public static let utc = ReportingZone(name: "UTC", changes: [], offsets: [0])

  /// Whether its days are those of UTC.
  public var isUTC: Bool { changes.isEmpty && offsets == [0] }

  /// Reads `UTC`, or an offset such as `+05:30`; `nil` for anything else, or 24 hours or more.
  public init?(offset text: String) {
    if text.lowercased() == "utc" || text == "Z" {
      self = .utc
      return
    }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":")
    else { return nil }
    let digits = [bytes[1], bytes[2], bytes[4], bytes[5]].map { Int64($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hours < 24, minutes < 60 else { return nil }
    let seconds = hours * Hour.seconds + minutes * 60
    self.init(name: text, changes: [], offsets: [bytes[0] == UInt8(ascii: "-") ? -seconds : seconds])
  }

  /// Seconds that its clock is ahead of UTC at a moment.
  public func offset(at moment: Instant) -> Int64 {
    let seconds = moment.seconds
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return offsets[low]
  }

  public func day(of moment: Instant) -> Day { (moment + 1000 * offset(at: moment)).day }

  /// The moments at which its clock shows a date and time, in order: one, none in the hour that a change skips, or two
  /// in the hour that a change repeats.
  ///
  /// - Parameter clock: The date and time as if the clock showed UTC.
  public func moments(showing clock: Instant) -> [Instant] {
    // A zone changes its offset at most once within these two days.
    let dayBefore = clock + -86_400_000
    let dayAfter = clock + 86_400_000
    let offsets = Set([offset(at: dayBefore), offset(at: dayAfter)])
    return offsets.map { clock + -1000 * $0 }.filter {
      offset(at: $0) * 1000 + $0.milliseconds == clock.milliseconds
    }
    .sorted { $0.milliseconds < $1.milliseconds }
  }
}
