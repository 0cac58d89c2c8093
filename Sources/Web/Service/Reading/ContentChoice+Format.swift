import Routing
import Tables

extension ContentChoice {
  /// The format that is wanted most; nil where none is.
  ///
  /// Of those that are wanted equally the first one counts.
  func format(among formats: [Format]) -> Format? {
    guard !isEmpty else { return formats.first }
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
