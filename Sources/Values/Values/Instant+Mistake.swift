extension Instant {
  /// What is wrong with a text that `init(_:)` rejects, as a clause without a full stop:
  /// `February 2026 has 28 days`.
  ///
  /// - Returns: The clause; `nil` where the text does not look like a date at all.
  public static func mistake(in text: String) -> Sentence? {
    guard text.utf8.count <= 40 else { return nil }
    if text.utf8.count >= 12, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Sentence("this looks like milliseconds; write whole seconds, or a date like 2026-11-01")
    }
    let date = text.prefix { $0 != "T" && $0 != "t" && $0 != " " }
    let fields = date.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
    let numbers = fields.compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
    guard fields.count == 3, numbers.count == 3 else { return nil }
    if fields[0].utf8.count <= 2, fields[2].utf8.count == 4 {
      // 1/11 is a day of two months, so that only a day above 12 shows which number is which.
      let days = numbers[0] > 12 ? (numbers[1], numbers[0]) : numbers[1] > 12 ? (numbers[0], numbers[1]) : nil
      let example = days.map { written(numbers[2], $0.0, $0.1) } ?? "2026-11-01"
      return Sentence("the year comes first, then month and day, as in \(code: example)")
    }
    guard fields[0].utf8.count == 4 else { return Sentence("a year has four digits, as in 2026-11-01") }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard (1...12).contains(month) else {
      return (1...12).contains(day) && (13...31).contains(month)
        ? Sentence(
          "a year has 12 months; the month comes before the day, as in \(code: written(year, day, month))")
        : Sentence("a year has 12 months, 01 to 12")
    }
    let days = self.days(year, month)
    guard (1...days).contains(day) else { return Sentence("\(months[month - 1]) \(year) has \(days) days") }
    guard date == written(year, month, day) else {
      return Sentence(
        "a date has two digits for month and day, with hyphens: \(code: written(year, month, day))")
    }
    let time = text.dropFirst(date.count + 1)
    guard !time.isEmpty else { return nil }
    if let hour = Int(time.prefix(2)), hour > 23 { return Sentence("the hours of a day are 00 to 23") }
    if !time.contains(where: { "Zz+-".contains($0) }) {
      return Sentence("the time needs its offset: Z for UTC, or one like +02:00")
    }
    return Sentence("a time is written like 08:00:00Z, with hours, minutes and seconds")
  }

  private static let months: [Sentence] = [
    Sentence("January"),
    Sentence("February"),
    Sentence("March"),
    Sentence("April"),
    Sentence("May"),
    Sentence("June"),
    Sentence("July"),
    Sentence("August"),
    Sentence("September"),
    Sentence("October"),
    Sentence("November"),
    Sentence("December"),
  ]

  private static func days(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func written(_ year: Int, _ month: Int, _ day: Int) -> String {
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      + "-\(twoDigits(month))-\(twoDigits(day))"
  }
}
