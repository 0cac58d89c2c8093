import JSONText
import Simulation
package import Values

package struct EventFileError: Error, Equatable, Sendable {
  /// The stable code of the mistake.
  package let code: String
  /// The line, from 1.
  package let line: Int
  /// What is wrong, in a sentence without a full stop.
  package let sentence: Sentence
  /// What to do about it on the command line, without a full stop.
  package let cure: Sentence?
  /// Whether the mistake is one of the whole file, such as a column that has another name.
  package let isOfFile: Bool

  package init(code: String, line: Int, sentence: Sentence, cure: Sentence? = nil, isOfFile: Bool = false) {
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

  /// A row without a column that it needs.
  package static func missing(
    _ column: EventColumn, line: Int, cure: Sentence? = nil, isOfFile: Bool = false
  ) -> EventFileError {
    EventFileError(
      code: "missing-\(column.rawValue)", line: line,
      sentence: Sentence("the row has no \(code: column.rawValue)")
        .onPages(Sentence("the row has no \(column.title)")), cure: cure, isOfFile: isOfFile)
  }

  /// A time that can't be read.
  package static func invalidTime(_ text: String, _ column: EventColumn, line: Int) -> EventFileError {
    EventFileError(
      code: "invalid-\(column.rawValue)", line: line,
      sentence: Sentence(
        "the \(code: column.rawValue) \(name: quoted(text)) is neither RFC 3339 text nor a whole number of seconds"
      ).onPages(
        Sentence(
          "the \(column.title) \(name: quoted(text)) is neither RFC 3339 text nor a whole number of seconds")),
      cure: Instant.mistake(in: text))
  }

  package static func unlistedCurrency(_ text: String, line: Int) -> EventFileError {
    let meant =
      text.utf8.count <= 40 ? nearest(to: text.uppercased(), among: CurrencyCode.all.map(\.text)) : nil
    return EventFileError(
      code: "currency-not-listed", line: line,
      sentence: Sentence("the currency \(name: quoted(text)) is not one of ISO 4217"),
      cure: meant.map { Sentence("did you mean \(code: $0)?") })
  }

  /// An amount that can't be read.
  package static func invalidRevenue(_ text: String, _ defect: Amount.Defect, line: Int) -> EventFileError {
    EventFileError(
      code: defect.rawValue, line: line,
      sentence: Sentence("the revenue \(name: quoted(text)): \(defect.sentence)"),
      cure: Amount.meant(by: text).map { Sentence("did you mean \(code: $0)?") })
  }

  /// An app that showed an ad, by something else than its number.
  package static func invalidApp(_ text: String, line: Int) -> EventFileError {
    EventFileError(
      code: "invalid-source_app", line: line,
      sentence: Sentence(
        "the source_app \(name: quoted(text)) is not the number of an app in the App Store"
      ).onPages(Sentence("the app '\(name: text)' is not an App Store number")),
      cure: Sentence("write digits, or give a column of another meaning another name"))
  }
}
