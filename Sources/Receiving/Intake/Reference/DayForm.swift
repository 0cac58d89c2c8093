package import Values

/// How a file writes days, and by which clock its days are.
package struct DayForm: Equatable, Sendable {
  /// How they are written; `nil` for `2026-11-21`, or a moment of that day such as `2026-11-21T00:00:00Z`.
  package var format: TimeFormat?
  /// The clock by which a moment is of a day; `nil` where it has to be a midnight of its own offset.
  package var zone: ReportingZone?

  package init() {}

  enum Defect: Error {
    case unreadable
    /// The moment is of two days, by the clock in which it is written and by one that is not known.
    case notMidnight
  }

  func day(_ text: String) throws(Defect) -> Day {
    guard let reading = reading(text) else { throw .unreadable }
    // Without an offset it is the day that the source's calendar showed.
    guard reading.offsetMinutes != nil else { return reading.clock.day }
    if let zone { return zone.day(of: reading.instant) }
    guard reading.clock == reading.clock.day.start else { throw .notMidnight }
    return reading.clock.day
  }

  /// How to have a text read that is no day in this form.
  func cure(for text: String) -> String? {
    let readings = SpreadsheetForm.readings(of: text).map { form, reading in
      "--time-format \(form.rawValue) reads \(reading.clock.day)"
    }
    guard readings.isEmpty else { return readings.joined(separator: ", ") }
    return format == nil
      ? "--time-format describes another form, such as '%d.%m.%Y' or one of \(SpreadsheetForm.words)" : nil
  }

  /// How to have a moment read that is no midnight.
  var cureForNoMidnight: String {
    "name the clock of the account with --time-zone, such as Europe/Berlin"
  }

  private func reading(_ text: String) -> TimeFormat.Reading? {
    if let format { return format.reading(text) }
    if let day = Day(text) { return TimeFormat.Reading(clock: day.start) }
    return TimeFormat.Reading(timestamp: text)
  }
}

extension TimeFormat.Reading {
  /// Reads a date and time with seconds, as RFC 3339 has it, or without an offset as databases write it.
  package init?(timestamp text: String) {
    guard text.utf8.count >= 19 else { return nil }
    // As if it were UTC: what the clock shows.
    let shown = text.prefix { $0 != "Z" && $0 != "z" && $0 != "+" }
    let date = shown.prefix(10)
    let time = shown.dropFirst(11)
    let clockTime = time.prefix { $0 != "-" }
    guard let separator = shown.dropFirst(10).first, separator == "T" || separator == "t" || separator == " "
    else { return nil }
    guard let clock = Instant("\(date)T\(clockTime)Z") else { return nil }
    let offset = text.dropFirst(11 + clockTime.count)
    switch offset {
    case "": self.init(clock: clock)
    case "Z", "z": self.init(clock: clock, offsetMinutes: 0)
    default:
      // Python writes +0000 and PostgreSQL +00 where RFC 3339 has +00:00.
      let colon =
        switch offset.count {
        case 3: "\(offset):00"
        case 5: "\(offset.prefix(3)):\(offset.suffix(2))"
        default: String(offset)
        }
      guard let moment = Instant("\(date)T\(clockTime)\(colon)") else { return nil }
      self.init(clock: clock, offsetMinutes: (clock.milliseconds - moment.milliseconds) / 60_000)
    }
  }
}
