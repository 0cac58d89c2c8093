import Postbacks
import Values
import Verification

/// Counts values by what decides their meaning.
struct ValueTally {
  /// What decides the meaning of values, and where they count.
  struct Place: Hashable {
    let row: Int32
    let window: Int8
    let outcome: Int8
    let version: Int16
    let app: Int64
    let day: Int32
    /// The hour of the UTC day; -1 for all.
    var hour: Int8
    var slot: Int8

    // Two words instead of eight, because it is hashed for every value that is counted.
    func hash(into hasher: inout Hasher) {
      let kind = Int64(window) << 24 ^ Int64(outcome) << 16 ^ Int64(version) << 8
      hasher.combine(Int64(row) << 32 ^ kind &* 127 ^ Int64(hour) << 8 ^ Int64(slot))
      hasher.combine(app &* 65_536 &+ Int64(day))
    }
  }

  /// A window of an app on a UTC day.
  private struct AppDay: Hashable {
    let app: Int64
    let hasWindows: Bool
    let window: Int8
    let day: Int32
  }

  private let apps: Set<Int64>
  private let hourly: Set<AppDay>
  private var counts: [Place: Int64] = [:]

  /// - Parameters:
  ///   - apps: The apps whose values count.
  ///   - hourly: The days whose values count by the hour; all others count as a whole.
  init(_ apps: [AppID], _ hourly: [HourlyDays]) {
    self.apps = Set(apps.map(\.number))
    var days: Set<AppDay> = []
    for range in hourly {
      for day in range.days {
        days.insert(
          AppDay(
            app: range.app.number, hasWindows: range.hasWindows, window: Int8(range.window.rawValue), day: day
          ))
      }
    }
    self.hourly = days
  }

  /// The place of values of a row, without their hour and value; `nil` where they are not counted.
  func place(row: Int, _ facts: CampaignFold.Facts) -> Place? {
    guard apps.contains(facts.app) else { return nil }
    let day = AppDay(
      app: facts.app, hasWindows: facts.version >= ProtocolVersion.v4_0.code, window: Int8(facts.window),
      day: facts.utcDay)
    return Place(
      row: Int32(row), window: Int8(facts.window), outcome: Int8(facts.outcome),
      version: Int16(facts.version),
      app: facts.app, day: facts.utcDay, hour: hourly.contains(day) ? 0 : -1, slot: 0)
  }

  /// Counts values at a place; those without a meaning are left out.
  mutating func add(_ count: Int64, slot: Int64, hour: Int64, at place: Place) {
    guard slot < ConversionValue.rejected.slot else { return }
    var place = place
    place.slot = Int8(slot)
    if place.hour >= 0 { place.hour = Int8(hour) }
    counts[place, default: 0] += count
  }

  /// Visits what was counted.
  ///
  /// - Parameters:
  ///   - rows: The final row for each row that was counted in.
  ///   - visit: Takes the index of a row, and postbacks of it.
  func forEach(rows: [Int], _ visit: (Int, ValueCount) -> Void) {
    for (place, count) in counts {
      // Codes of a newer program can't be here, because its file would not have been opened.
      guard let app = AppID(place.app),
        let version: ProtocolVersion = decoded(Int64(place.version), by: { $0.code }),
        let window = ConversionWindow(rawValue: Int(place.window)),
        let outcome: Outcome = decoded(Int64(place.outcome), by: { $0.code }),
        let value = ConversionValue(slot: Int64(place.slot))
      else { continue }
      let day = Day(number: place.day)
      visit(
        rows[Int(place.row)],
        ValueCount(
          app: app, version: version, window: window, outcome: outcome,
          arrival: place.hour < 0
            ? day.start..<day.next.start : (day.start + Int64(place.hour) * Hour.milliseconds).followingHour,
          value: value, postbacks: count))
    }
  }
}
