import EventFiles
import JSONText
import Simulation
import Values

/// A row of an events file: something a user did.
package struct EventRow: Equatable, Sendable {
  /// The line it begins on, from 1.
  package let line: Int
  package let user: String
  package let time: Instant
  package let event: String
  /// Its revenue; `nil` when it has nothing to do with money.
  package let revenue: Money?
  /// The campaign that the user came from.
  package let campaign: String?
  /// When the user launched the app first, where the row has it.
  package let installed: Instant?
  /// The conversion tag that the app updates with.
  package let conversionTag: String?
  /// Where the user came from; `nil` if the row does not contain it.
  package let origin: UserOrigin?
}

extension EventRow {
  /// Reads a row from the texts of its columns; a text that is missing or empty means that there is no value.
  package init(_ texts: [EventColumn: String], line: Int, currency home: CurrencyCode) throws(EventFileError)
  {
    func text(_ column: EventColumn) -> String? {
      texts[column].flatMap { $0.isEmpty ? nil : $0 }
    }
    for column in EventColumn.required where text(column) == nil {
      throw .missing(column, line: line)
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

extension EventRow {
  /// The texts of a line's members; a number is taken as it is written.
  ///
  /// - Throws: ``EventFileError`` where the line is no object or a member is no text.
  package static func texts(_ node: JSONNode, line: Int) throws(EventFileError) -> [EventColumn: String] {
    var subject = "a line"
    do throws(JSONProblem) {
      let members = try JSONPlace(node).members()
      var texts: [EventColumn: String] = [:]
      for column in EventColumn.allCases {
        subject = quoted(column.rawValue)
        let isNumberAllowed = column != .event && column != .currency
        texts[column] = try members[column.rawValue]?.cell(isNumberAllowed: isNumberAllowed)
      }
      return texts
    } catch {
      throw EventFileError(
        code: "wrong-type", line: line, sentence: Sentence("\(code: subject) \(error.predicate)"))
    }
  }
}
