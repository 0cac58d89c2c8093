import CSVText
import Intake

extension FuzzTarget {
  /// Documents of a stream: where chunks end changes nothing, and no byte is added.
  static let documents = FuzzTarget("documents", dictionary: jsonWords + ["}\n{", "\n", "\r\n", "},{"]) {
    bytes in
    func split(_ size: Int) -> [[UInt8]] {
      var splitter = DocumentSplitter()
      var documents: [[UInt8]] = []
      for chunk in chunks(bytes, of: size) { documents += splitter.append(chunk) }
      return documents + splitter.finish()
    }
    let whole = split(bytes.count + 1)
    for size in [1, 7] { try law(split(size) == whole, "documents do not depend on chunks of \(size)") }
    try law(whole.reduce(0) { $0 + $1.count } <= bytes.count + 1, "no byte is made up")
    try law(!whole.contains([]), "no document is empty")
  }

  /// Comma-separated values: where chunks end changes nothing, and what is written again reads as the same.
  static let csv = FuzzTarget(
    "csv", dictionary: [",", "\"", "\"\"", "\r\n", "\n", "\r", "\u{FEFF}", "=1+1", "a,b,c\n", "\",\""]
  ) { bytes in
    let whole = records(chunks(bytes, of: bytes.count + 1))
    for size in [1, 7] {
      try law(records(chunks(bytes, of: size)) == whole, "records do not depend on chunks of \(size)")
    }
    guard case .success(let read) = whole else { return }
    // A single cell without letters is a blank line once it is written.
    let kept = read.map(\.cells).filter { $0 != [""] }
    try law(kept.reduce(0) { $0 + $1.count } <= bytes.count + kept.count, "cells come from the text")
    let written = "\u{FEFF}" + kept.map { CSV.line($0.map { .verbatim($0) }) }.joined()
    try law(written.utf8.count <= 2 * bytes.count + 16, "written text is at most twice as long")
    guard case .success(let again) = records([Array(written.utf8)]) else {
      throw LawBroken("what is written can be read")
    }
    try law(letters(again.map(\.cells)) == letters(kept), "what is written reads as the same")
    for cell in kept.joined() {
      let shown = CSV.line([.string(cell)])
      let isQuoted = shown.utf8.first == UInt8(ascii: "\"")
      let first = shown.utf8.dropFirst(isQuoted ? 1 : 0).first ?? 0
      try law(!"=+-@\t".utf8.contains(first), "no cell begins like a formula: \(shown)")
    }
  }

  /// The bytes in pieces of a size.
  static func chunks(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
  }

  private static func records(_ chunks: [[UInt8]]) -> Result<[CSVReader.Record], CSVReader.Defect> {
    var reader = CSVReader()
    var records: [CSVReader.Record] = []
    do throws(CSVReader.Defect) {
      for chunk in chunks { records += try reader.append(chunk) }
      return .success(records + (try reader.finish()))
    } catch { return .failure(error) }
  }

  /// Texts as bytes: letters that look alike are not the same.
  private static func letters(_ rows: [[String]]) -> [[[UInt8]]] { rows.map { $0.map { Array($0.utf8) } } }
}
