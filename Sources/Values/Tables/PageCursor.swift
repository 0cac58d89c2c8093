import Arguments
import Values

/// A place between two pages of a report, in a text that means something to this program only.
struct PageCursor: Equatable {
  let report: String
  let place: String

  init(report: String, place: String) {
    self.report = report
    self.place = place
  }

  /// Reads what ``text`` gave, of the same report.
  init(_ text: String, of report: String) throws(ParameterError) {
    guard let bytes = Base64.decodeURL(text.utf8), let words = String(validating: bytes, as: UTF8.self),
      words.hasPrefix(report + " ")
    else { throw .staleCursor }
    self.init(report: report, place: String(words.dropFirst(report.count + 1)))
  }

  var text: String { String(decoding: Base64.encodeURL(Array("\(report) \(place)".utf8)), as: UTF8.self) }
}
