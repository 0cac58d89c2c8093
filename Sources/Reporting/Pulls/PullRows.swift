import Intake
import JSONText
import Values

/// The rows of one or several answers, joined.
package struct PullRows: Sendable {
  private enum Form {
    case objects([[UInt8]])
    case postbacks([DatedPostback])
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
    case .postbacks?: lines
    case .table(let header, let lines)?: header + [0x0A] + lines
    }
  }

  /// The postbacks of an answer of JSON.
  var postbacks: [DatedPostback] { if case .postbacks(let found)? = form { found } else { [] } }

  /// The rows of JSON, or the postbacks in them, one a line.
  package var lines: [UInt8] {
    switch form {
    case .objects(let objects)?: Array(objects.map { $0 + [0x0A] }.joined())
    case .postbacks(let postbacks)?: Array(postbacks.map { $0.body + [0x0A] }.joined())
    case nil, .table?: file
    }
  }

  mutating func add(_ other: PullRows) throws(PullAnswer.Defect) {
    switch (form, other.form) {
    case (_, nil): return
    case (nil, _): form = other.form
    case (.objects(let own), .objects(let new)): form = .objects(own + new)
    case (.postbacks(let own), .postbacks(let new)): form = .postbacks(own + new)
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

  init(postbacks: [DatedPostback]) {
    form = .postbacks(postbacks)
    count = postbacks.count
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
  ///
  /// - Parameters:
  ///   - place: Where postbacks and their times are in a row; `nil` for rows of a table.
  ///   - count: How many rows the answers before had, for messages.
  func rows(at path: String?, _ place: PostbackPlace?, after count: Int) throws(Defect) -> PullRows {
    guard let path else { return try fileRows(place, after: count) }
    guard let found = root?.member(at: path[...]) else { throw Defect("has no '\(printable(path))'") }
    guard let rows = found.value.array else {
      throw Defect("has '\(printable(path))' that is no array but \(found.value.sort.rawValue)")
    }
    return try Self.objects(rows, in: bytes, place, after: count)
  }

  private func fileRows(_ place: PostbackPlace?, after count: Int) throws(Defect) -> PullRows {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let content = bytes.drop(while: blank.contains)
    switch content.first {
    case nil: return PullRows()
    case UInt8(ascii: "["):
      let array = Array(content)
      return try Self.objects(try Self.node(array).value.array ?? [], in: array, place, after: count)
    case UInt8(ascii: "{"):
      var rows = PullRows()
      for line in content.split(separator: 0x0A) where !line.allSatisfy(blank.contains) {
        let line = Array(line)
        try rows.add(try Self.objects([try Self.node(line)], in: line, place, after: count + rows.count))
      }
      return rows
    default: return PullRows(table: content)
    }
  }

  private static func objects(
    _ nodes: [JSONNode], in bytes: [UInt8], _ place: PostbackPlace?, after count: Int
  ) throws(Defect) -> PullRows {
    guard let place else {
      return PullRows(
        objects: try nodes.enumerated().map { (index, node) throws(Defect) in
          guard node.value.object != nil else {
            throw Defect("has a row that is no object, the number \(count + index + 1)")
          }
          return Array(bytes[node.range])
        })
    }
    return PullRows(
      postbacks: try nodes.enumerated().map { (index, node) throws(Defect) in
        try place.postback(node, in: bytes, number: count + index + 1)
      })
  }
}

/// Where the postback of a row of JSON is, and the time of its arrival.
struct PostbackPlace {
  /// The way to the postback; `nil` where the row itself is.
  let member: String?
  let times: ArrivalTimes

  /// The postback of a row.
  ///
  /// - Parameter number: The number of the row, from 1.
  func postback(
    _ row: JSONNode, in bytes: [UInt8], number: Int
  ) throws(PullAnswer.Defect) -> DatedPostback {
    let found = member.map { row.member(at: $0[...]) } ?? row
    guard let found, member != nil || row.value.object != nil else {
      throw PullAnswer.Defect(
        member.map { "has a row without '\(printable($0))', the number \(number)" }
          ?? "has a row that is no object, the number \(number)")
    }
    let body = found.value.string.map { Array($0.utf8) } ?? Array(bytes[found.range])
    // A text of JSON has the postback within.
    let inner = found.value.string == nil ? found : try? JSONReader.read(body)
    do throws(PartnerFileError) {
      return DatedPostback(body, receivedAt: try times.time(of: inner, in: row, number: number))
    } catch {
      throw PullAnswer.Defect("has a row with a wrong time, \(error.description)")
    }
  }
}
