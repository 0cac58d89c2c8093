import Intake
import JSONText
import Values

/// The rows of one or several answers, joined.
package struct PullRows: Sendable {
  private enum Form {
    case objects([[UInt8]])
    case table(header: [UInt8], lines: [UInt8])
  }

  private var form: Form?
  /// How many rows there are; of a table, lines.
  package private(set) var count = 0

  init() {}

  /// Whether the rows are lines of a table.
  package var isTable: Bool { if case .table? = form { true } else { false } }

  /// A file with all rows: an array of JSON, or a table with one header.
  package var file: [UInt8] {
    switch form {
    case nil: Array("[]".utf8)
    case .objects(let objects)?:
      Array("[".utf8) + objects.joined(separator: Array(",\n".utf8)) + Array("]".utf8)
    case .table(let header, let lines)?: header + [0x0A] + lines
    }
  }

  /// The rows of JSON, one a line.
  package var lines: [UInt8] {
    guard case .objects(let objects)? = form else { return file }
    return Array(objects.map { Array($0) + [0x0A] }.joined())
  }

  mutating func add(_ other: PullRows) throws(PullAnswer.Defect) {
    switch (form, other.form) {
    case (_, nil): return
    case (nil, _): form = other.form
    case (.objects(let own), .objects(let new)): form = .objects(own + new)
    case (.table(let header, let lines), .table(let newHeader, let newLines)):
      guard header == newHeader else { throw PullAnswer.Defect("has another header than the first page") }
      form = .table(header: header, lines: lines + newLines)
    default: throw PullAnswer.Defect("is of another format than the first page")
    }
    count += other.count
  }

  init(objects: [[UInt8]]) {
    form = .objects(objects)
    count = objects.count
  }

  init(table bytes: ArraySlice<UInt8>) {
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
    var header = Array(bytes[..<end])
    if header.last == 0x0D { header.removeLast() }
    var lines = Array(bytes[end...].dropFirst())
    if let last = lines.last, last != 0x0A { lines.append(0x0A) }
    count = lines.split(separator: 0x0A).count { $0.contains { $0 != 0x0D && $0 != 0x20 } }
    form = .table(header: header, lines: lines)
  }
}

/// What a source answered.
struct PullAnswer {
  /// Why an answer is not as the document describes; the words go behind "the answer".
  struct Defect: Error {
    let words: String

    init(_ words: String) { self.words = words }
  }

  /// Values of an answer, each of which takes some two hundred bytes while it is read.
  private static let mostValues = 2_000_000

  let bytes: [UInt8]
  private let root: JSONNode?

  /// - Parameter isJSON: Whether it has to be JSON.
  init(_ bytes: [UInt8], isJSON: Bool) throws(Defect) {
    self.bytes = bytes
    root = isJSON ? try Self.node(bytes) : nil
  }

  private static func node(_ bytes: [UInt8]) throws(Defect) -> JSONNode {
    // One is before each comma and each end of a list or object; letters of texts only make the count larger.
    let values = bytes.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    guard values <= mostValues else {
      throw Defect("has more than \(mostValues) values; ask for fewer days or rows at once")
    }
    do throws(JSONDefect) { return try JSONReader.read(bytes) } catch {
      throw Defect("is not JSON: \(error.diagnosis(in: bytes).text)")
    }
  }

  /// The text or number at a path; `nil` where there is none, or it is null or empty.
  func text(at path: String) -> String? {
    switch root?.member(at: path[...])?.value {
    case .string(let text)?: text.isEmpty ? nil : text
    case .number(let number)?: number.text
    default: nil
    }
  }

  /// The rows, where a path leads to an array of them, or the answer is a file.
  func rows(at path: String?, member: String?) throws(Defect) -> PullRows {
    guard let path else { return try fileRows(member) }
    guard let found = root?.member(at: path[...]) else { throw Defect("has no '\(printable(path))'") }
    guard let rows = found.value.array else {
      throw Defect("has '\(printable(path))' that is no array but \(found.value.sort.rawValue)")
    }
    return try Self.objects(rows, in: bytes, member)
  }

  private func fileRows(_ member: String?) throws(Defect) -> PullRows {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let content = bytes.drop(while: blank.contains)
    switch content.first {
    case nil: return PullRows()
    case UInt8(ascii: "["):
      let array = Array(content)
      return try Self.objects(try Self.node(array).value.array ?? [], in: array, member)
    case UInt8(ascii: "{"):
      var rows = PullRows()
      for line in content.split(separator: 0x0A) where !line.allSatisfy(blank.contains) {
        let line = Array(line)
        try rows.add(try Self.objects([try Self.node(line)], in: line, member))
      }
      return rows
    default: return PullRows(table: content)
    }
  }

  private static func objects(
    _ nodes: [JSONNode], in bytes: [UInt8], _ member: String?
  ) throws(Defect) -> PullRows {
    var objects: [[UInt8]] = []
    objects.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      guard let member else {
        guard node.value.object != nil else {
          throw Defect("has a row that is no object, the number \(index + 1)")
        }
        objects.append(Array(bytes[node.range]))
        continue
      }
      guard let found = node.member(at: member[...]) else {
        throw Defect("has a row without '\(printable(member))', the number \(index + 1)")
      }
      objects.append(found.value.string.map { Array($0.utf8) } ?? Array(bytes[found.range]))
    }
    return PullRows(objects: objects)
  }
}
