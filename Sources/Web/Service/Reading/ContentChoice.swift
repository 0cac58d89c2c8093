import Tables

/// A header that lists what a client takes, such as `text/csv;q=0.5, */*`.
///
/// Source: RFC 9110, section 12.4 and 12.5.
struct ContentChoice: Hashable {
  private struct AcceptedType: Hashable {
    let name: String
    /// How much it is wanted, 0 for not at all.
    let quality: Double
  }

  private let entries: [AcceptedType]

  init(_ lines: [String]) {
    entries = lines.flatMap { $0.split(separator: ",") }.compactMap { entry in
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
  func takes(coding: String) -> Bool {
    (quality(["\(coding)"]) ?? quality(["*"]) ?? 0) > 0
  }

  /// The format that is wanted most; nil where none is.
  ///
  /// Of those that are wanted equally the first one counts.
  func format(among formats: [Format]) -> Format? {
    guard !entries.isEmpty else { return formats.first }
    var best: (format: Format, quality: Double)?
    for format in formats {
      let names = format.mediaTypes
      let range = names.compactMap { $0.split(separator: "/").first }.map { "\($0)/*" }
      // The more exactly a range names a type, the more it counts.
      let quality = quality(names) ?? quality(range) ?? quality(["*/*"]) ?? 0
      if quality > 0, quality > best?.quality ?? 0 { best = (format, quality) }
    }
    return best?.format
  }

  private func quality(_ names: [String]) -> Double? {
    entries.filter { names.contains($0.name) }.map(\.quality).max()
  }
}

extension Format {
  /// The names that a client may know it by; the first one is what it is sent as.
  var mediaTypes: [String] {
    switch self {
    case .json: ["application/json"]
    case .ndjson: ["application/x-ndjson", "application/ndjson"]
    case .csv: ["text/csv"]
    case .table: ["text/plain"]
    }
  }

  var contentType: String {
    switch self {
    case .json, .ndjson: mediaTypes[0]
    case .csv, .table: "\(mediaTypes[0]); charset=utf-8"
    }
  }
}
