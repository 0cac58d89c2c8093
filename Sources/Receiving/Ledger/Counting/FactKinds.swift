import Postbacks
import Values

/// Numbers for the kinds of postbacks.
///
/// A key has, from its low bits on: the detail of a block in 8; in 36 the moment of arrival, twice the hour since 1970 and
/// one more where it is an hour and no day, or none; the number of the class.
struct FactKinds {
  /// What a source decides of a kind.
  private struct Class: Hashable {
    let app: Int64
    let version: Int64
    let window: Int64
    let outcome: Int64
  }

  private static let timeBits: UInt64 = 36
  private static let noTime: UInt64 = 1 << timeBits - 1
  private static let bias: Int64 = 1 << 34

  private let times: FactTimes
  private var classes: [Class: Int] = [:]
  private var sources: [FactSource] = []
  /// By class, the UTC day that was asked for last, and the time of its first hour.
  private var lastDays: [(day: Int32, time: UInt64, isHourly: Bool)?] = []
  private var keys = NumberedKeys(width: 1)

  init(_ times: FactTimes) { self.times = times }

  /// The number of what a source decides.
  mutating func classNumber(of source: FactSource) -> Int {
    let codes = source.codes
    let found = Class(app: codes.app, version: codes.version, window: codes.window, outcome: codes.outcome)
    if let number = classes[found] { return number }
    classes[found] = sources.count
    sources.append(source)
    lastDays.append(nil)
    return sources.count - 1
  }

  /// The key of a postback.
  ///
  /// - Parameters:
  ///   - hour: Hours since 1970.
  ///   - day: The UTC day of the hour.
  mutating func key(_ number: Int, hour: Int64, day: Int32, detail: UInt32) -> UInt64 {
    // First, because most postbacks are of the day of the one before: what days mean is not touched for them.
    if lastDays[number]?.day != day { lastDays[number] = time(number, of: day) }
    let last = lastDays[number] ?? (day, Self.noTime, false)
    let time = last.isHourly ? Self.time(hour) | 1 : last.time
    return UInt64(detail) | time << 8 | UInt64(number) << (8 + Self.timeBits)
  }

  private func time(_ number: Int, of day: Int32) -> (day: Int32, time: UInt64, isHourly: Bool) {
    switch times {
    case .none: return (day, Self.noTime, false)
    case .decoding(let days):
      guard let standing = days.standing(for: day, of: sources[number]) else {
        return (day, Self.noTime, false)
      }
      return (day, Self.time(Int64(standing.day) * 24), standing.isHourly)
    }
  }

  private static func time(_ hour: Int64) -> UInt64 {
    UInt64(truncatingIfNeeded: (hour &+ bias) << 1) & (1 << timeBits - 1)
  }

  mutating func find(_ keys: [UInt64], _ numbers: inout [UInt32]) {
    self.keys.find(keys, count: keys.count, &numbers)
  }

  /// The numbers here of another count's kinds, of the same sources in the same order.
  mutating func numbers(adding other: Self) -> [UInt32] { keys.numbers(adding: other.keys) }

  var count: Int { keys.count }

  subscript(number: Int) -> FactKind {
    let key = keys[number, 0]
    let source = sources[Int(key >> (8 + Self.timeBits))]
    let (interaction, slot) = Int64(key & 0xFF).quotientAndRemainder(dividingBy: PostbackFacts.slots)
    return FactKind(
      app: source.app, version: source.version, window: source.window, outcome: source.outcome,
      value: ConversionValue(slot: slot) ?? .absent,
      interaction: interaction == 0 ? nil : interaction == 1 ? .view : .click,
      arrival: Self.arrival(key >> 8 & (1 << Self.timeBits - 1)))
  }

  private static func arrival(_ time: UInt64) -> Range<Instant>? {
    guard time != noTime else { return nil }
    let start = Instant(hour: Int64(time >> 1) - bias)
    return time & 1 == 1 ? start.followingHour : start..<start + Day.milliseconds
  }
}
