import Arguments
import HTTPServer
import OpenSSL
import Reporting
import Tables
import Values

/// What a reader asks, copied out of the request, so that another thread can answer.
struct ReadQuestion: Sendable {
  /// The words of the query, without the ones below.
  let words: [String: String]
  /// The last part of the path, where that is a name.
  let identifier: String
  /// The form of the answer.
  let format: Format
  /// Rows at most.
  let limit: Int
  /// What the last page said of the next one.
  let cursor: String?
  /// The query as it was, for the address of the next page.
  let items: [(name: String, value: String)]
  /// The lines of If-None-Match.
  let knownTags: [String]
  /// Whether the body may be packed.
  let takesGzip: Bool

  /// The place that the cursor names in a report of numbered rows.
  func place(of resource: String) throws(ParameterError) -> RowCursor? {
    guard let cursor = try cursor(of: resource) else { return nil }
    let numbers = cursor.text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count == 2, let row = numbers[0], let part = numbers[1], row >= 0, part >= 0 else {
      throw PageCursor.mistake
    }
    return RowCursor(row: row, part: part)
  }

  /// What the last page said of the next one.
  func cursor(of resource: String) throws(ParameterError) -> PageCursor? {
    try cursor.map { text throws(ParameterError) in try PageCursor(text, of: resource) }
  }

  /// The address of the next page, relative to this one's.
  func address(ofNext cursor: String) -> String {
    let words =
      items.filter { $0.name != "cursor" }.map { "\(escaped($0.name))=\(escaped($0.value))" } + [
        "cursor=\(cursor)"
      ]
    return "?" + words.joined(separator: "&")
  }
}

/// A place between two pages, which means something to this program only.
struct PageCursor: Hashable, Sendable {
  /// The resource that it belongs to.
  let resource: String
  /// The place in it.
  let text: String

  /// What to say of a cursor that is none.
  static let mistake = ParameterError(
    "cursor", "it is not from a page of this report; start without it")

  init(resource: String, text: String) {
    self.resource = resource
    self.text = text
  }

  init(resource: String, place: RowCursor) {
    self.init(resource: resource, text: "\(place.row).\(place.part)")
  }

  /// Reads a cursor of a resource.
  init(_ cursor: String, of resource: String) throws(ParameterError) {
    guard let bytes = Base64.decodeURL(cursor.utf8), let text = String(validating: bytes, as: UTF8.self),
      text.hasPrefix(resource + " ")
    else { throw Self.mistake }
    self.init(resource: resource, text: String(text.dropFirst(resource.count + 1)))
  }

  /// The cursor as it stands in a URL.
  var encoded: String {
    String(decoding: Base64.encodeURL(Array("\(resource) \(text)".utf8)), as: UTF8.self)
  }
}

/// Text as it stands in the query of a URL; all but the unreserved letters are escaped.
///
/// Source: RFC 3986, section 2.
private func escaped(_ text: String) -> String {
  var result = ""
  for byte in text.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
      result.unicodeScalars.append(Unicode.Scalar(byte))
    default: result += "%" + hexText([byte]).uppercased()
    }
  }
  return result
}
