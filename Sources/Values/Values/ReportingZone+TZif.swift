extension ReportingZone {
  /// Years up to which the rule at the end of a file is written out; later moments keep its standard time.
  private static let lastYear: Int64 = 2199

  /// A moment after which no change is expected, in the year 9999.
  private static let latest: Int64 = 253_402_300_799
  /// What a clock can be ahead of UTC, in seconds.
  private static let offsets = -26 * Hour.seconds...26 * Hour.seconds

  /// Reads a compiled file of the IANA time zone database.
  ///
  /// Source: RFC 8536. Files of version 1, which end in 2038, and those that count leap seconds are rejected.
  public init?(name: String, file: [UInt8]) {
    guard let first = Header(file, at: 0), first.version >= UInt8(ascii: "2"),
      let second = Header(file, at: first.end(timeBytes: 4)), second.leapSeconds == 0, second.types > 0
    else { return nil }
    let times = second.start
    let places = times + second.times * 8
    let types = places + second.times
    guard file.count >= second.end(timeBytes: 8) else { return nil }
    func number(_ at: Int, _ bytes: Int) -> Int64 {
      file[at..<at + bytes].reduce(Int64(Int8(bitPattern: file[at])) >> 8) { $0 << 8 | Int64($1) }
    }
    let kinds = (0..<second.types).map { number(types + $0 * 6, 4) }
    guard kinds.allSatisfy({ Self.offsets.contains($0) }) else { return nil }
    var changes = (0..<second.times).map { number(times + $0 * 8, 8) }
    var offsets = [kinds[0]]
    for index in 0..<second.times {
      let kind = Int(file[places + index])
      guard kinds.indices.contains(kind), index == 0 || changes[index] > changes[index - 1] else {
        return nil
      }
      offsets.append(kinds[kind])
    }
    let footer = file[second.end(timeBytes: 8)...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
    if !footer.isEmpty {
      guard let rule = YearlyRule(String(decoding: footer, as: UTF8.self)),
        rule.offsets.allSatisfy({ Self.offsets.contains($0) })
      else { return nil }
      let last = changes.last ?? .min
      let from = Instant(seconds: min(max(0, last), Self.latest)).day.year
      for year in from..<max(from, Self.lastYear) {
        for change in rule.changes(in: year) where change.at > changes.last ?? .min {
          changes.append(change.at)
          offsets.append(change.offset)
        }
      }
      if changes.isEmpty { offsets = [rule.standard] }
    }
    self.init(name: name, changes: changes, offsets: offsets)
  }

  /// What a file states about the block that follows.
  private struct Header {
    let version: UInt8
    let start: Int
    let times: Int
    let types: Int
    let leapSeconds: Int
    private let names: Int
    private let flags: Int

    init?(_ file: [UInt8], at: Int) {
      guard file.count >= at + 44, file[at..<at + 4].elementsEqual("TZif".utf8) else { return nil }
      func count(_ index: Int) -> Int {
        file[at + 20 + index * 4..<at + 24 + index * 4].reduce(0) { $0 << 8 | Int($1) }
      }
      version = file[at + 4]
      start = at + 44
      flags = count(0) + count(1)
      leapSeconds = count(2)
      times = count(3)
      types = count(4)
      names = count(5)
      // No zone has as many; a file that claims them is none of the database's.
      guard max(flags, leapSeconds, times, types, names) <= 100_000 else { return nil }
    }

    func end(timeBytes: Int) -> Int {
      start + times * (timeBytes + 1) + types * 6 + names + leapSeconds * (timeBytes + 4) + flags
    }
  }
}

/// The rule by which a zone changes its clock every year, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX.1-2017, section 8.3, `TZ`, with the hours of RFC 8536.
private struct YearlyRule {
  /// Seconds ahead of UTC outside of summer.
  let standard: Int64
  private var summer: (offset: Int64, begin: YearlyMoment, end: YearlyMoment)?

  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard Self.skipName(&rest), let west = rest.clock() else { return nil }
    standard = -west
    guard !rest.isEmpty else { return }
    guard Self.skipName(&rest) else { return nil }
    var offset = standard + Hour.seconds
    if rest.first != UInt8(ascii: ",") {
      guard let west = rest.clock() else { return nil }
      offset = -west
    }
    guard let begin = YearlyMoment(&rest), let end = YearlyMoment(&rest), rest.isEmpty else { return nil }
    summer = (offset, begin, end)
  }

  var offsets: [Int64] { [standard] + (summer.map { [$0.offset] } ?? []) }

  private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let before = rest.count
    if rest.first == UInt8(ascii: "<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
    } else {
      rest = rest.drop { (0x41...0x5A).contains($0 & 0xDF) }
    }
    return rest.count < before
  }

  /// The changes of a year, in order; none without summer time.
  func changes(in year: Int64) -> [(at: Int64, offset: Int64)] {
    guard let summer else { return [] }
    return [
      (summer.begin.seconds(in: year) - standard, summer.offset),
      (summer.end.seconds(in: year) - summer.offset, standard),
    ].sorted { $0.0 < $1.0 }
  }
}

/// A moment of every year by a local clock.
private struct YearlyMoment {
  private enum Date {
    /// The nth such weekday of a month, where Sunday is 0; the fifth is the last.
    case weekday(month: Int64, week: Int64, day: Int64)
    /// The nth day from 1 on, without 29 February.
    case day(Int64)
    /// The nth day from 0 on, with 29 February.
    case dayOfAll(Int64)
  }

  private let date: Date
  private var clock: Int64 = 2 * Hour.seconds

  /// Reads `,M3.5.0/3` and the like from the front of a rule.
  init?(_ rest: inout ArraySlice<UInt8>) {
    guard rest.take(",") else { return nil }
    if rest.take("M") {
      guard let month = rest.number(), (1...12).contains(month), rest.take("."), let week = rest.number(),
        (1...5).contains(week), rest.take("."), let day = rest.number(), (0...6).contains(day)
      else { return nil }
      date = .weekday(month: month, week: week, day: day)
    } else if rest.take("J") {
      guard let day = rest.number(), (1...365).contains(day) else { return nil }
      date = .day(day)
    } else {
      guard let day = rest.number(), (0...365).contains(day) else { return nil }
      date = .dayOfAll(day)
    }
    guard rest.take("/") else { return }
    guard let clock = rest.clock() else { return nil }
    self.clock = clock
  }

  /// Seconds since 1970-01-01 00:00 by the local clock.
  func seconds(in year: Int64) -> Int64 {
    let day: Int64
    switch date {
    case .weekday(let month, let week, let weekday):
      let first = Int64(Day(year: year, month: month, day: 1).number)
      let next = Int64(
        Day(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1).number)
      // 1970-01-01 was a Thursday.
      let ahead = ((weekday - first - 4) % 7 + 7) % 7
      let nth = first + ahead + (week - 1) * 7
      day = nth < next ? nth : nth - 7
    case .day(let number):
      let march = Day(year: year, month: 3, day: 1).number
      day =
        number < 60
        ? Int64(Day(year: year, month: 1, day: 1).number) + number - 1 : Int64(march) + number - 60
    case .dayOfAll(let number): day = Int64(Day(year: year, month: 1, day: 1).number) + number
    }
    return day * Day.seconds + clock
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first, UInt32(first) == character.value else { return false }
    self = dropFirst()
    return true
  }

  fileprivate mutating func number() -> Int64? {
    let digits = prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    self = dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Hours, and minutes and seconds where there are any, with a sign before them.
  fileprivate mutating func clock() -> Int64? {
    let sign: Int64 = take("-") ? -1 : 1
    if sign > 0 { _ = take("+") }
    guard let hours = number(), hours <= 167 else { return nil }
    var seconds = hours * Hour.seconds
    for unit in [60, 1] as [Int64] {
      guard take(":") else { break }
      guard let part = number(), part < 60 else { return nil }
      seconds += part * unit
    }
    return sign * seconds
  }
}
