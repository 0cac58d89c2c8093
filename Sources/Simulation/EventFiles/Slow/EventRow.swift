import JSONText
package import Simulation
package import Values

/// A row of an events file: something a user did.
package struct EventRow: Hashable, Sendable {
  /// The line it begins on, from 1.
  package let line: Int
  /// Who did it.
  package let user: String
  /// When.
  package let time: Instant
  /// The event's name.
  package let event: String
  /// What it brought; `nil` when it has nothing to do with money.
  package let revenue: Money?
  /// The campaign that the user came from.
  package let campaign: String?
  /// When the user launched the app first, where the row tells.
  package let installed: Instant?
  /// The conversion tag that the app updates with.
  package let conversionTag: String?
  /// Where the user came from; `nil` where the row tells nothing of it.
  package let origin: UserOrigin?
}

/// A mistake in an events file.
package struct EventFileError: Error, Hashable, Sendable {
  /// The stable code of the mistake.
  package let code: String
  /// The line, from 1.
  package let line: Int
  /// What is wrong, in a sentence without a full stop.
  package let sentence: String
  /// What to do about it, without a full stop.
  package let cure: String?
  /// Whether the mistake is one of the whole file, such as a column that has another name.
  package let isOfFile: Bool

  /// Describes a mistake.
  init(code: String, line: Int, sentence: String, cure: String? = nil, isOfFile: Bool = false) {
    self.code = code
    self.line = line
    self.sentence = sentence
    self.cure = cure
    self.isOfFile = isOfFile
  }

  /// The same mistake on another line.
  func on(line: Int) -> EventFileError {
    EventFileError(code: code, line: line, sentence: sentence, cure: cure, isOfFile: isOfFile)
  }

  /// A time that can't be read.
  static func invalidTime(_ text: String, _ column: EventColumn, line: Int) -> EventFileError {
    EventFileError(
      code: "invalid-\(column.rawValue)", line: line,
      sentence:
        "the \(column.rawValue) \(quoted(text)) is neither RFC 3339 text nor a whole number of seconds",
      cure: Instant.mistake(in: text))
  }

  /// A currency that is not listed.
  static func unlistedCurrency(_ text: String, line: Int) -> EventFileError {
    let meant =
      text.utf8.count <= 40 ? nearest(to: text.uppercased(), among: CurrencyCode.all.map(\.text)) : nil
    return EventFileError(
      code: "currency-not-listed", line: line,
      sentence: "the currency \(quoted(text)) is not one of ISO 4217",
      cure: meant.map { "did you mean \($0)?" })
  }

  /// An app that showed an ad, by something else than its number.
  static func invalidApp(_ text: String, line: Int) -> EventFileError {
    EventFileError(
      code: "invalid-source_app", line: line,
      sentence: "the source_app \(quoted(text)) is not the number of an app in the App Store",
      cure: "write digits, or give a column of another meaning another name")
  }

  /// A country by something else than its two letters.
  static func invalidCountry(_ text: String, line: Int) -> EventFileError {
    let upper = text.uppercased()
    return EventFileError(
      code: "invalid-country", line: line,
      sentence: "the country \(quoted(text)) is not two capital letters, such as DE",
      cure: text.utf8.count == 2 && UserOrigin.isCountry(upper)
        ? "did you mean \(upper)?" : "write ISO 3166 codes, or give a column of another meaning another name")
  }

  /// An amount that can't be read.
  static func invalidRevenue(_ text: String, _ defect: Amount.Defect, line: Int) -> EventFileError {
    EventFileError(
      code: defect.rawValue, line: line, sentence: "the revenue \(quoted(text)): \(defect.sentence)",
      cure: Amount.meant(by: text).map { "did you mean \($0)?" })
  }
}

extension EventRow {
  /// Reads a row from the texts of its columns; a text that is missing or empty means that nothing is said.
  init(_ texts: [EventColumn: String], line: Int, currency home: CurrencyCode) throws(EventFileError) {
    func text(_ column: EventColumn) -> String? {
      texts[column].flatMap { $0.isEmpty ? nil : $0 }
    }
    for column in EventColumn.required where text(column) == nil {
      throw EventFileError(
        code: "missing-\(column.rawValue)", line: line, sentence: "the row has no \(column.rawValue)")
    }
    self.line = line
    user = text(.user) ?? ""
    event = text(.event) ?? ""
    campaign = text(.campaign)
    time = try Self.time(text(.time) ?? "", .time, line: line)
    installed = try text(.installed).map { (text) throws(EventFileError) in
      try Self.time(text, .installed, line: line)
    }
    revenue = try Self.money(text(.revenue), currency: text(.currency), home, line: line)
    conversionTag = text(.conversionTag)
    let (app, country) = (text(.sourceApp), text(.country))
    if app != nil || country != nil {
      origin = try UserOrigin(app: app, country: country, line: line)
    } else {
      origin = nil
    }
  }

  /// The last second that RFC 3339 can write, 9999-12-31T23:59:59Z.
  private static let lastSecond: Int64 = 253_402_300_799

  private static func time(_ text: String, _ column: EventColumn, line: Int) throws(EventFileError) -> Instant
  {
    if let seconds = Int64(text), (-lastSecond...lastSecond).contains(seconds) {
      return Instant(seconds: seconds)
    }
    guard let instant = Instant(text) else {
      throw .invalidTime(text, column, line: line)
    }
    return instant
  }

  private static func money(_ text: String?, currency: String?, _ home: CurrencyCode, line: Int)
    throws(EventFileError) -> Money?
  {
    guard let text else { return nil }
    guard let code = currency.map({ CurrencyCode(anyCase: $0) }) ?? home else {
      throw .unlistedCurrency(currency ?? "", line: line)
    }
    do {
      return Money(try Amount(decimal: text), code)
    } catch {
      throw .invalidRevenue(text, error, line: line)
    }
  }
}
