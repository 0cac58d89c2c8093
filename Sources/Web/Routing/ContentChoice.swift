package import HTTPServer

/// A header that lists what a client takes, such as `text/csv;q=0.5, */*`.
///
/// Source: RFC 9110, section 12.4 and 12.5.
package struct ContentChoice: Equatable {
  private struct AcceptedType: Equatable {
    let name: String
    /// How much it is wanted, 0 for not at all.
    let quality: Double
  }

  /// Bytes of a list that are read; no program sends a quarter of it, and strangers can send lists of thousands.
  package static let mostBytes = 1024

  private let entries: [AcceptedType]

  /// Whether any is listed.
  package var isEmpty: Bool { entries.isEmpty }

  /// Reads the lines of a header.
  package init(_ lines: [String]) {
    let list = String(decoding: lines.joined(separator: ",").utf8.prefix(Self.mostBytes), as: UTF8.self)
    entries = list.split(separator: ",").compactMap { entry in
      let parts = entry.split(separator: ";").map { Self.word($0).lowercased() }
      guard let name = parts.first, !name.isEmpty else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
      return AcceptedType(name: name, quality: min(1, max(0, quality ?? 1)))
    }
  }

  private static func word(_ text: Substring) -> String {
    text.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined()
  }

  /// How much a content coding is wanted; one that is not listed is not.
  package func takes(coding: String) -> Bool {
    (quality(["\(coding)"]) ?? quality(["*"]) ?? 0) > 0
  }

  /// Whether a client takes bodies that are packed with gzip.
  package static func takesGzip(_ request: borrowing Request) -> Bool {
    Self(request.headers("Accept-Encoding")).takes(coding: "gzip")
  }

  /// How much the most wanted of some names is wanted; `nil` where none is listed.
  package func quality(_ names: [String]) -> Double? {
    entries.filter { names.contains($0.name) }.map(\.quality).max()
  }
}
