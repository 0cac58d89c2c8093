import Postbacks
import Values
import Verification

/// Counts values by what decides their meaning.
struct ValueTally {
  /// What decides the meaning of values besides the value itself.
  private struct Kind: Hashable {
    let app: Int64
    let version: Int64
    let window: Int64
    let outcome: Int64
    /// A UTC day that stands for all that are counted together.
    let day: Int32
    /// Whether the day is counted by the hour, with a kind for each.
    let isHourly: Bool
  }

  struct KindOfDay {
    fileprivate let kind: Int
    fileprivate let isHourly: Bool
  }

  private struct AppWindow: Hashable {
    let app: Int64
    let hasWindows: Bool
    let window: Int64
  }

  /// Values of a kind that few postbacks have.
  private struct RareValue: Hashable {
    let row: UInt32
    let kind: UInt32
    let slot: UInt8

    // Two words are hashed instead of three.
    func hash(into hasher: inout Hasher) {
      hasher.combine(UInt64(row) << 32 | UInt64(kind))
      hasher.combine(slot)
    }
  }

  private static let slots = Int(ConversionValue.rejected.slot)

  private let apps: Set<Int64>
  private let hourly: [AppWindow: [Range<Int32>]]
  private let isDaily: Bool
  private var kindNumbers: [Kind: Int] = [:]
  /// Every kind by its number, with its hour, or -1 for whole days.
  private var kinds: [(kind: Kind, hour: Int64)] = []
  /// Rows and kinds of whole days.
  private var keys = NumberedKeys(width: 2)
  private var key: [Int64] = [0, 0]
  private var counters = CountRows(width: slots)
  private var rare: [RareValue: Int64] = [:]
  /// Values of postbacks whose rows are not known yet.
  private var waiting: [(kind: KindOfDay, slot: Int, hour: Int64, postback: Int)] = []
  private var waitingKeys: [Int64] = []
  private var numbers: [Int] = []

  /// - Parameters:
  ///   - apps: The apps whose values count.
  ///   - hourly: The days whose values count by the hour.
  ///   - isDaily: Whether other days count one by one; otherwise all of them between two of ``hourly`` count together.
  init(_ apps: [AppID], _ hourly: [HourlyDays], isDaily: Bool) {
    self.apps = Set(apps.map(\.number))
    self.isDaily = isDaily
    self.hourly = Dictionary(grouping: hourly) {
      AppWindow(app: $0.app.number, hasWindows: $0.hasWindows, window: Int64($0.window.rawValue))
    }.mapValues { Self.joined($0.map(\.days)) }
  }

  /// The same days in order, as ranges with others between them.
  private static func joined(_ ranges: [Range<Int32>]) -> [Range<Int32>] {
    var joined: [Range<Int32>] = []
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// The kind of values of postbacks that came on a UTC day; `nil` where they are not counted.
  mutating func kind(
    app: Int64, version: Int64, window: Int64, outcome: Int64, day: Int32
  ) -> KindOfDay? {
    guard apps.contains(app) else { return nil }
    let place = AppWindow(app: app, hasWindows: version >= ProtocolVersion.v4_0.code, window: window)
    let ranges = hourly[place] ?? []
    let isHourly = ranges.contains { $0.contains(day) }
    let kind = Kind(
      app: app, version: version, window: window, outcome: outcome,
      day: isHourly || isDaily ? day : Self.representative(of: day, between: ranges), isHourly: isHourly)
    if let number = kindNumbers[kind] { return KindOfDay(kind: number, isHourly: isHourly) }
    let number = kinds.count
    kindNumbers[kind] = number
    if isHourly {
      for hour in Int64(0)..<24 { kinds.append((kind, hour)) }
    } else {
      kinds.append((kind, -1))
    }
    return KindOfDay(kind: number, isHourly: isHourly)
  }

  /// A day of those between two ranges, the same for each of them.
  private static func representative(of day: Int32, between ranges: [Range<Int32>]) -> Int32 {
    guard let first = ranges.first else { return 0 }
    return ranges.last { $0.upperBound <= day }?.upperBound ?? first.lowerBound - 1
  }

  /// Counts values; those without a meaning are left out.
  mutating func add(_ count: Int64, slot: Int64, hour: Int64, of kind: KindOfDay, row: Int) {
    guard slot < Self.slots else { return }
    guard !kind.isHourly else {
      let value = RareValue(
        row: UInt32(row), kind: UInt32(kind.kind + Int(hour)), slot: UInt8(slot))
      rare[value, default: 0] += count
      return
    }
    key[0] = Int64(row)
    key[1] = Int64(kind.kind)
    add(count, slot: Int(slot), number: keys.number(of: key))
  }

  private mutating func add(_ count: Int64, slot: Int, number: Int) {
    if number == counters.rows { counters.appendRow() }
    counters.add(count, row: number, column: slot)
  }

  /// Puts a value among those that wait for ``addWaiting(rows:)``.
  ///
  /// - Parameters:
  ///   - slot: The value's slot.
  ///   - hour: The hour of its UTC day.
  ///   - postback: Its postback's place among those that wait.
  mutating func wait(slot: Int64, hour: Int64, of kind: KindOfDay, postback: Int) {
    guard slot < Self.slots else { return }
    waiting.append((kind, Int(slot), hour, postback))
  }

  mutating func addWaiting(rows: [Int]) {
    for (kind, slot, hour, postback) in waiting where kind.isHourly {
      add(1, slot: Int64(slot), hour: hour, of: kind, row: rows[postback])
    }
    waitingKeys.removeAll(keepingCapacity: true)
    for (kind, _, _, postback) in waiting where !kind.isHourly {
      waitingKeys.append(Int64(rows[postback]))
      waitingKeys.append(Int64(kind.kind))
    }
    keys.find(waitingKeys, &numbers)
    var next = 0
    for (kind, slot, _, _) in waiting where !kind.isHourly {
      add(1, slot: slot, number: numbers[next])
      next += 1
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Visits what was counted.
  ///
  /// - Parameters:
  ///   - visit: Takes the index of a row, and postbacks of it.
  func forEach(rows: [Int], _ visit: (Int, ValueCount) -> Void) {
    let parts = kinds.map { Part($0.kind, hour: $0.hour) }
    let values = (0..<Self.slots).map { ConversionValue(slot: Int64($0)) }
    func visitOne(_ row: Int, _ kind: Int, _ slot: Int, _ count: Int64) {
      guard let part = parts[kind], let value = values[slot] else { return }
      visit(
        rows[row],
        ValueCount(
          app: part.app, version: part.version, window: part.window, outcome: part.outcome,
          arrival: part.arrival, value: value, postbacks: count, kind: kind * Self.slots + slot))
    }
    for number in 0..<keys.count {
      for slot in 0..<Self.slots {
        let count = counters[number, slot]
        if count != 0 { visitOne(Int(keys[number, 0]), Int(keys[number, 1]), slot, count) }
      }
    }
    for (value, count) in rare { visitOne(Int(value.row), Int(value.kind), Int(value.slot), count) }
  }

  private struct Part {
    let app: AppID
    let version: ProtocolVersion
    let window: ConversionWindow
    let outcome: Outcome
    let arrival: Range<Instant>

    /// Codes of a newer program can't be here, because its file would not have been opened.
    init?(_ kind: Kind, hour: Int64) {
      guard let app = AppID(kind.app),
        let version: ProtocolVersion = decoded(kind.version, by: { $0.code }),
        let window = ConversionWindow(rawValue: Int(kind.window)),
        let outcome: Outcome = decoded(kind.outcome, by: { $0.code })
      else { return nil }
      (self.app, self.version, self.window, self.outcome) = (app, version, window, outcome)
      let day = Day(number: kind.day)
      arrival =
        hour < 0 ? day.start..<day.next.start : (day.start + hour * Hour.milliseconds).followingHour
    }
  }
}
