import JSONText

/// A table of texts with a header, as RFC 4180 has it.
///
/// Source: RFC 4180, section 2; line feeds alone end lines as well, and a byte order mark is skipped.
struct CSVTable {
  /// The names of the columns.
  let header: [String]
  /// The rows as objects, each cell that is not empty a text under the name of its column; `nil` for rows that have
  /// more or fewer cells than the header.
  let rows: [JSONObject?]

  /// Reads a table; `nil` when it is not UTF-8, has no header, repeats a column or ends within quotes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= MappingDocument.largestFile, let lines = Self.split(bytes), let header = lines.first,
      !header.contains(""), Set(header).count == header.count, header.count <= 64
    else { return nil }
    self.header = header
    rows = lines.dropFirst().map { cells in
      guard cells.count == header.count else { return nil }
      return JSONObject(
        members: zip(header, cells).filter { !$1.isEmpty }.map {
          JSONMember(name: $0, nameRange: 0..<0, value: JSONNode(value: .string($1), range: 0..<0))
        })
    }
  }

  /// The cells of each line that is not empty; `nil` when quotes are out of place.
  static func split(_ bytes: [UInt8]) -> [[String]]? {
    let quote = UInt8(ascii: "\"")
    var lines: [[String]] = []
    var cells: [String] = []
    var cell: [UInt8] = []
    var at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var isFresh = true
    while true {
      if isFresh, at < bytes.count, bytes[at] == quote {
        at += 1
        while true {
          guard at < bytes.count else { return nil }
          let isQuote = bytes[at] == quote
          if isQuote, at + 1 >= bytes.count || bytes[at + 1] != quote { break }
          cell.append(bytes[at])
          at += isQuote ? 2 : 1
        }
        at += 1
        // Behind closing quotes only the end of the cell may follow.
        guard at == bytes.count || [UInt8(ascii: ","), 0x0A, 0x0D].contains(bytes[at]) else { return nil }
      }
      isFresh = false
      let byte = at < bytes.count ? bytes[at] : 0x0A
      switch byte {
      case UInt8(ascii: ","), 0x0A:
        guard let text = String(validating: cell, as: UTF8.self) else { return nil }
        cells.append(text)
        cell = []
        isFresh = true
        if byte == 0x0A {
          if cells != [""] { lines.append(cells) }
          cells = []
        }
      case 0x0D where at + 1 >= bytes.count || bytes[at + 1] == 0x0A: break
      case quote: return nil
      default: cell.append(byte)
      }
      if at >= bytes.count { return lines }
      at += 1
    }
  }
}
