/// How a file writes moments: a pattern with the letters of strptime(3), such as `%d/%m/%Y %H:%M`.
///
/// `%Y` is a year of four digits, `%y` one of two digits from 2000 on, `%m` a month and `%b` its English name, `%d` a
/// day, `%H` an hour of 24, `%I` one of 12 with `%p` for AM or PM, `%M` a minute, `%S` a second with or without
/// a fraction, `%z` an offset such as `+02:00` or `Z`, and `%s` seconds of Unix time. A space stands for any number of
/// them; other letters stand for themselves, and `%%` for a percent sign.
///
/// In place of a pattern, a ``SpreadsheetForm`` names what spreadsheets leave.
public struct TimeFormat: Equatable, Sendable {
  /// What a text means: what a clock shows, and how far that clock is ahead of UTC where the text has it.
  public struct Reading: Hashable, Sendable {
    /// The date and time as if the clock showed UTC.
    public let clock: Instant
    /// Minutes that the clock is ahead of UTC; `nil` where the text does not state it.
    public let offsetMinutes: Int64?

    /// Joins what a clock shows with its distance from UTC.
    public init(clock: Instant, offsetMinutes: Int64? = nil) {
      self.clock = clock
      self.offsetMinutes = offsetMinutes
    }

    /// The moment, by UTC where the text has no offset.
    public var instant: Instant { clock + -60_000 * (offsetMinutes ?? 0) }
  }

  private enum Part: Hashable {
    case field(Character)
    case space
    case letter(Character)
  }

  public enum Defect: Error, Hashable, Sendable {
    /// An unknown letter behind a percent sign; `nil` for none.
    case unknownField(Character?)
    case noDate
    /// The pattern has a field twice, or two fields of one meaning.
    case repeated(Character)
    /// An hour of 12 without its half of the day, or the half without such an hour.
    case halfDay

    public var sentence: String {
      switch self {
      case .unknownField(let letter):
        "found '%\(letter.map(String.init) ?? "")'; the fields are %Y %y %m %b %d %H %I %p %M %S %z and %s"
      case .noDate:
        "found no date; write %d, %m or %b, and %Y or %y, or %s alone, or one of \(SpreadsheetForm.words)"
      case .repeated(let letter): "found '%\(letter)' twice, or beside another field of the same meaning"
      case .halfDay: "write %I and %p together, or %H"
      }
    }
  }

  private enum Form: Hashable {
    case pattern([Part])
    case spreadsheet(SpreadsheetForm)
  }

  private let form: Form

  public init(_ pattern: String) throws(Defect) {
    if let spreadsheet = SpreadsheetForm(rawValue: pattern) {
      form = .spreadsheet(spreadsheet)
      return
    }
    var parts: [Part] = []
    var rest = pattern[...]
    while let letter = rest.popFirst() {
      guard letter == "%" else {
        if letter != " " || parts.last != .space { parts.append(letter == " " ? .space : .letter(letter)) }
        continue
      }
      let field = rest.popFirst()
      guard let field, "YymbdHIpMSzs%".contains(field) else { throw .unknownField(field) }
      guard !parts.contains(.field(field)) else { throw .repeated(field) }
      parts.append(field == "%" ? .letter("%") : .field(field))
    }
    func has(_ field: Character) -> Bool { parts.contains(.field(field)) }
    guard has("s") || (has("Y") || has("y")) && (has("m") || has("b")) && has("d") else { throw .noDate }
    for (one, other) in [("Y", "y"), ("m", "b"), ("H", "I"), ("s", "d"), ("s", "H")]
      as [(Character, Character)]
    where has(one) && has(other) { throw .repeated(one) }
    guard has("I") == has("p") else { throw .halfDay }
    form = .pattern(parts)
  }

  /// The moment that a text means, by UTC where it has no offset; `nil` where it cannot be read.
  public func instant(_ text: String) -> Instant? { reading(text)?.instant }

  /// What a text means; `nil` where it does not fit the form, or no calendar has it.
  public func reading(_ text: String) -> Reading? {
    let parts: [Part]
    switch form {
    case .spreadsheet(let spreadsheet): return spreadsheet.reading(text)
    case .pattern(let pattern): parts = pattern
    }
    var reader = Reader(rest: text[...])
    for part in parts {
      switch part {
      case .space: guard reader.skipSpaces() else { return nil }
      case .letter(let letter): guard reader.rest.popFirst() == letter else { return nil }
      case .field(let field): guard reader.read(field) else { return nil }
      }
    }
    return reader.rest.isEmpty ? reader.reading : nil
  }

  private struct Reader {
    var rest: Substring
    private var year: Int64 = 1970
    private var month: Int64 = 1
    private var day: Int64 = 1
    private var hour: Int64 = 0
    private var isAfternoon: Bool?
    private var minute: Int64 = 0
    private var milliseconds: Int64 = 0
    private var offsetMinutes: Int64?
    private var unixSeconds: Int64?

    init(rest: Substring) { self.rest = rest }

    private static let months = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
      "november", "december",
    ]

    mutating func skipSpaces() -> Bool {
      let before = rest.count
      rest = rest.drop { $0 == " " }
      return rest.count < before
    }

    private mutating func number(_ digits: ClosedRange<Int>, _ bounds: ClosedRange<Int64>) -> Int64? {
      let text = rest.prefix { $0.isASCII && $0.isNumber }.prefix(digits.upperBound)
      guard text.count >= digits.lowerBound, let number = Int64(text), bounds.contains(number) else {
        return nil
      }
      rest = rest.dropFirst(text.count)
      return number
    }

    mutating func read(_ field: Character) -> Bool {
      switch field {
      case "Y": set(\.year, number(4...4, 0...9999))
      case "y": set(\.year, number(2...2, 0...99).map { $0 + 2000 })
      case "m": set(\.month, number(1...2, 1...12))
      case "b": set(\.month, monthByName())
      case "d": set(\.day, number(1...2, 1...31))
      case "H": set(\.hour, number(1...2, 0...23))
      case "I": set(\.hour, number(1...2, 1...12).map { $0 % 12 })
      case "p": readHalf()
      case "M": set(\.minute, number(2...2, 0...59))
      case "S": readSeconds()
      case "z": readOffset()
      default: set(\.unixSeconds, number(1...12, 0...253_402_300_799))
      }
    }

    private mutating func set<Value>(_ place: WritableKeyPath<Self, Value>, _ value: Value?) -> Bool {
      guard let value else { return false }
      self[keyPath: place] = value
      return true
    }

    private mutating func monthByName() -> Int64? {
      let word = rest.prefix { $0.isLetter }
      guard word.count >= 3,
        let index = Self.months.firstIndex(where: { $0.hasPrefix(word.lowercased()) })
      else { return nil }
      rest = rest.dropFirst(word.count)
      return Int64(index + 1)
    }

    private mutating func readHalf() -> Bool {
      let word = rest.prefix(2).lowercased()
      guard word == "am" || word == "pm" else { return false }
      isAfternoon = word == "pm"
      rest = rest.dropFirst(2)
      return true
    }

    private mutating func readSeconds() -> Bool {
      guard let seconds = number(2...2, 0...60) else { return false }
      milliseconds = seconds * 1000
      guard rest.first == "." else { return true }
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, let fraction = Int64((digits + "00").prefix(3)) else { return false }
      milliseconds += fraction
      rest = rest.dropFirst(digits.count + 1)
      return true
    }

    private mutating func readOffset() -> Bool {
      if rest.first == "Z" || rest.first == "z" {
        rest.removeFirst()
        offsetMinutes = 0
        return true
      }
      guard let sign = rest.popFirst(), sign == "+" || sign == "-", let hours = number(2...2, 0...23) else {
        return false
      }
      if rest.first == ":" { rest.removeFirst() }
      guard let minutes = number(2...2, 0...59) else { return false }
      offsetMinutes = (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
      return true
    }

    var reading: Reading? {
      if let unixSeconds { return Reading(clock: Instant(seconds: unixSeconds), offsetMinutes: 0) }
      let date = Day(year: year, month: month, day: day)
      guard date.civil == (year, month, day) else { return nil }
      let hours = hour + (isAfternoon == true ? 12 : 0)
      let reading = Reading(
        clock: date.start + ((hours * 60 + minute) * 60_000 + milliseconds), offsetMinutes: offsetMinutes)
      return hours < 24 && (0...9999).contains(reading.instant.day.year) ? reading : nil
    }
  }
}
