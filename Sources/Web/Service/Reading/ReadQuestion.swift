import Tables
import Values

/// What a reader asks, copied out of the request, so that another thread can answer.
package struct ReadQuestion: Sendable {
  /// The words of the query, without the ones below.
  package let words: [String: String]
  /// The last part of the path, where that is a name.
  package let identifier: String
  /// The form of the answer.
  let format: Format
  /// Rows at most.
  let limit: Int
  /// The last page's reference to the next one.
  let cursor: String?
  /// The query as it was, for the address of the next page.
  let items: [(name: String, value: String)]
  /// The lines of If-None-Match.
  let knownTags: [String]
  /// Whether the body may be packed.
  let takesGzip: Bool

  /// The address of the next page, relative to this one's.
  func address(ofNext cursor: String) -> String {
    let words =
      items.filter { $0.name != "cursor" }.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
      + [
        "cursor=\(cursor)"
      ]
    return "?" + words.joined(separator: "&")
  }
}
