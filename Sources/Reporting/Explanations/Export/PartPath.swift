package import Values

/// The path of a file of an export in its folder: the UTC day of arrival, and the number of the part.
package struct PartPath: Hashable, Sendable {
  /// What the rows of a file are; the raw value is the folder that the days are in.
  package enum Stream: String, CaseIterable, Sendable {
    /// Each postback once.
    case rows = ""
    /// Rows again whose meaning another mapping decides since.
    case corrections = "corrections/"
  }

  package let stream: Stream
  package let day: Day
  /// From 1 on.
  package let number: Int

  package init(_ stream: Stream = .rows, day: Day, number: Int) {
    self.stream = stream
    self.day = day
    self.number = number
  }

  static func folder(of day: Day) -> String { "date=\(day)" }

  /// The folder that the file is in.
  var folder: String { stream.rawValue + Self.folder(of: day) }

  /// The day of a folder; `nil` where the name is none of an export.
  static func day(ofFolder name: String) -> Day? {
    guard name.hasPrefix("date="), let day = Day(String(name.dropFirst(5))), folder(of: day) == name else {
      return nil
    }
    return day
  }

  /// The file's name in the folder of its day; numbers have at least four digits.
  var fileName: String {
    let digits = String(number)
    return "part-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".ndjson.gz"
  }

  /// Such as `date=2026-11-20/part-0001.ndjson.gz`.
  package var text: String { "\(folder)/\(fileName)" }

  /// Reads what ``text`` gave.
  package init?(_ text: String) {
    let stream: Stream = text.hasPrefix(Stream.corrections.rawValue) ? .corrections : .rows
    let parts = text.dropFirst(stream.rawValue.count).split(separator: "/", omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count == 2, let day = Self.day(ofFolder: parts[0]) else { return nil }
    self.init(stream, day: day, fileName: parts[1])
  }

  /// Reads the name of a file in the folder of a day.
  init?(_ stream: Stream = .rows, day: Day, fileName: String) {
    let digits = fileName.dropFirst(5).prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number > 0 else { return nil }
    self.init(stream, day: day, number: number)
    guard self.fileName == fileName else { return nil }
  }
}
