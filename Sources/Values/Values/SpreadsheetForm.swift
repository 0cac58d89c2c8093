/// How a spreadsheet leaves dates and times in a file; the raw value is the word in commands.
///
/// A text that could be read in a second way, such as one with the year first, is not read.
public enum SpreadsheetForm: String, Hashable, Sendable, CaseIterable {
  /// `1/11/2026 8:15` is the 1st of November, also with points or hyphens, seconds, AM or PM, an offset, and a year of
  /// two digits from 2000 on.
  case dayFirst = "day-first"
  /// `11/1/2026 8:15 AM` is the 1st of November; otherwise as ``dayFirst``.
  case monthFirst = "month-first"
  /// Days since the end of 1899, such as `46327.34375`; the fraction is the time.
  ///
  /// Source: ECMA-376, part 1, 18.17.4.1, the 1900 date base system.
  case excel
  /// Days since the 1st of January 1904, as workbooks of older programs for the Mac have them.
  ///
  /// Source: as ``excel``, the 1904 date base system.
  case excel1904 = "excel-1904"

  /// The words of all forms, for a sentence.
  public static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// What a text means in each form that it is written in; not in ``excel1904``, which reads what ``excel`` does.
  public static func readings(of text: String) -> [(form: Self, reading: TimeFormat.Reading)] {
    allCases.filter { $0 != .excel1904 }.compactMap { form in form.reading(text).map { (form, $0) } }
  }

  /// What a text means; `nil` where it is not written in this form.
  func reading(_ text: String) -> TimeFormat.Reading? {
    switch self {
    case .dayFirst: Self.date(text, dayFirst: true)
    case .monthFirst: Self.date(text, dayFirst: false)
    // The system has a 29th of February 1900, which makes its days one more from March 1900 on.
    case .excel: Self.serial(text, from: Day(year: 1899, month: 12, day: 30), days: 61...2_958_465)
    case .excel1904: Self.serial(text, from: Day(year: 1904, month: 1, day: 1), days: 0...2_957_003)
    }
  }

  private static func date(_ text: String, dayFirst: Bool) -> TimeFormat.Reading? {
    let words = text.split(separator: " ")
    guard let date = words.first,
      let separator = date.first(where: { !($0.isASCII && $0.isNumber) }), "/.-".contains(separator)
    else { return nil }
    let fields = date.split(separator: separator, omittingEmptySubsequences: false)
    guard fields.count == 3, (1...2).contains(fields[0].count), (1...2).contains(fields[1].count),
      fields[2].count == 2 || fields[2].count == 4
    else { return nil }
    let order = dayFirst ? ["%d", "%m"] : ["%m", "%d"]
    let year = fields[2].count == 4 ? "%Y" : "%y"
    var pattern = [order[0], order[1], year].joined(separator: String(separator))
    if words.count > 1 {
      let half = words.dropFirst(2).first?.lowercased()
      let isHalf = half == "am" || half == "pm"
      pattern += isHalf ? " %I:%M" : " %H:%M"
      if words[1].count(where: { $0 == ":" }) == 2 { pattern += ":%S" }
      if isHalf { pattern += " %p" }
      if words.count == (isHalf ? 4 : 3) { pattern += " %z" }
    }
    return (try? TimeFormat(pattern))?.reading(words.joined(separator: " "))
  }

  private static func serial(
    _ text: String, from start: Day, days allowed: ClosedRange<Int64>
  ) -> TimeFormat.Reading? {
    // A comma is the decimal mark of many places; a serial number has no thousands.
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
      parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let days = Int64(parts[0]), allowed.contains(days)
    else { return nil }
    let fraction = parts.count == 2 ? parts[1].prefix(11) : "0"
    guard let digits = Int64(fraction) else { return nil }
    let scale = fraction.reduce(Int64(1)) { scale, _ in scale * 10 }
    // The nearest millisecond, in whole numbers: at most 11 digits times the milliseconds of a day fit.
    let milliseconds = (digits * 86_400_000 + scale / 2) / scale
    return TimeFormat.Reading(clock: start.start + (days * 86_400_000 + milliseconds))
  }
}
