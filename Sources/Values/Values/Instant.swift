/// A moment in UTC, in whole milliseconds since 1970-01-01T00:00:00Z.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since the Unix epoch; negative before 1970.
  public let milliseconds: Int64

  /// Wraps milliseconds since the Unix epoch.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Wraps seconds since the Unix epoch.
  public init(seconds: Int64) { milliseconds = seconds.multipliedHeld(by: 1000) }

  /// The beginning of an hour since 1970-01-01T00:00:00Z.
  public init(hour: Int64) { milliseconds = hour.multipliedHeld(by: Hour.milliseconds) }

  /// Whole seconds since the Unix epoch, rounded towards the past.
  public var seconds: Int64 { milliseconds.dividedRoundingDown(by: 1000) }

  /// The day this moment falls on; the last or first one that has a number where a damaged file has a moment beyond.
  public var day: Day {
    Day(number: Int32(clamping: milliseconds.dividedRoundingDown(by: Day.milliseconds)))
  }

  /// The hour of its UTC day, 0 through 23.
  public var hourOfDay: Int64 { (milliseconds - day.start.milliseconds) / Hour.milliseconds }

  /// Hours since 1970-01-01T00:00:00Z, rounded towards the past.
  public var hour: Int64 { milliseconds.dividedRoundingDown(by: Hour.milliseconds) }

  /// The first moment of its UTC hour.
  public var startOfHour: Instant { Instant(hour: hour) }

  /// The hour that begins here.
  public var followingHour: Range<Instant> { self..<(self + Hour.milliseconds) }

  /// Whether one comes before the other.
  public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

  /// The moment that many milliseconds later, or earlier where negative.
  public static func + (a: Self, milliseconds: Int64) -> Self {
    Self(milliseconds: a.milliseconds.addingHeld(milliseconds))
  }
}

public enum Hour {
  public static let seconds: Int64 = 3600
  public static let milliseconds: Int64 = 1000 * seconds
}

/// A UTC calendar day, counted from 1970-01-01.
public struct Day: Hashable, Comparable, Sendable {
  /// The length of every UTC day; POSIX time has no leap seconds.
  public static let seconds: Int64 = 24 * Hour.seconds
  /// The same in milliseconds.
  public static let milliseconds: Int64 = 1000 * seconds

  /// Days since 1970-01-01; negative before it.
  public let number: Int32

  /// Wraps a count of days since 1970-01-01.
  public init(number: Int32) { self.number = number }

  /// The first moment of the day.
  public var start: Instant { Instant(milliseconds: Int64(number) * Self.milliseconds) }

  public var next: Day { Day(number: number.addingHeld(1)) }

  /// Whether one comes before the other.
  public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension Instant: CustomStringConvertible {
  /// The moment as RFC 3339 text in UTC, with milliseconds where there are any: `2026-11-21T12:00:00Z`.
  public var description: String {
    let (seconds, rest) = (milliseconds - day.start.milliseconds).quotientAndRemainder(dividingBy: 1000)
    let clock = "\(padded(seconds / Hour.seconds)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    return "\(day)T\(clock)\(rest == 0 ? "" : "." + padded(rest, width: 3))Z"
  }

  /// Reads RFC 3339 text, or a bare date, which means that day's first moment in UTC.
  ///
  /// Source: RFC 3339, section 5.6. A leap second is read as the second after it.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  /// Reads RFC 3339 text as its bytes; the same as for the text.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 10, let day = Day(bytes.extracting(first: 10)) else { return nil }
    guard bytes.count > 10 else {
      self = day.start
      return
    }
    guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = number(bytes, 11..<13), let minute = number(bytes, 14..<16),
      let second = number(bytes, 17..<19),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var at = 19
    var milliseconds: Int64 = 0
    if bytes[at] == UInt8(ascii: ".") {
      var weight: Int64 = 100
      at += 1
      while at < bytes.count, (0x30...0x39).contains(bytes[at]) {
        milliseconds += Int64(bytes[at] - 0x30) * weight
        weight /= 10
        at += 1
      }
      guard at > 20 else { return nil }
    }
    guard let offset = Self.offsetMinutes(bytes, from: at) else { return nil }
    let seconds = hour * Hour.seconds + minute * 60 + second - offset * 60
    self.init(milliseconds: day.start.milliseconds + seconds * 1000 + milliseconds)
    // An offset or a leap second can lead to a year that has no four digits in UTC.
    guard (0...9999).contains(self.day.civil.year) else { return nil }
  }

  private static func offsetMinutes(_ bytes: Span<UInt8>, from at: Int) -> Int64? {
    if bytes.count == at + 1, bytes[at] | 0x20 == UInt8(ascii: "z") { return 0 }
    guard bytes.count == at + 6, bytes[at + 3] == UInt8(ascii: ":"),
      bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-"),
      let hours = number(bytes, at + 1..<at + 3), let minutes = number(bytes, at + 4..<at + 6), hours < 24,
      minutes < 60
    else { return nil }
    return (bytes[at] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }
}

extension Day: CustomStringConvertible {
  /// The day as `2026-11-21`.
  public var description: String {
    let (year, month, day) = civil
    return "\(padded(year, width: 4))-\(padded(month))-\(padded(day))"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The day as people read it: `21 Nov`, with the year `21 Nov 2026`.
  public func words(hasYear: Bool = false) -> String {
    let (year, month, day) = civil
    return "\(day) \(Self.months[Int(month) - 1])" + (hasYear ? " \(year)" : "")
  }

  /// Reads a date like `2026-11-21`; a day that the calendar lacks is rejected.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  fileprivate init?(_ bytes: Span<UInt8>) {
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Values.number(bytes, 0..<4), let month = Values.number(bytes, 5..<7),
      let dayOfMonth = Values.number(bytes, 8..<10)
    else { return nil }
    guard (1...12).contains(month), (1...31).contains(dayOfMonth) else { return nil }
    self.init(year: year, month: month, day: dayOfMonth)
    // 31 April counts as 1 May; such a date is a mistake of the writer.
    guard civil == (year, month, dayOfMonth) else { return nil }
  }

  /// Counts the days to a date of the Gregorian calendar.
  ///
  /// Years run from March here, so that the leap day is the last one, and eras are of 400 years.
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  init(year: Int64, month: Int64, day: Int64) {
    let year = month <= 2 ? year - 1 : year
    let era = year.dividedRoundingDown(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(number: Int32(era * 146_097 + dayOfEra - 719_468))
  }

  /// The date in the Gregorian calendar.
  ///
  /// Source: as above, `civil_from_days`.
  var civil: (year: Int64, month: Int64, day: Int64) {
    let shifted = Int64(number) + 719_468
    let era = shifted.dividedRoundingDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

private func padded(_ value: Int64, width: Int = 2) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func number(_ bytes: Span<UInt8>, _ digits: Range<Int>) -> Int64? {
  var value: Int64 = 0
  for index in digits {
    guard (0x30...0x39).contains(bytes[index]) else { return nil }
    value = value * 10 + Int64(bytes[index] - 0x30)
  }
  return value
}
