import Intake
import JSONText
import System
import Values

/// What a source answered: its rows are handed on as they are read, and what is around them is kept.
struct PullAnswer {
  /// Why an answer is not as the document describes; the words go behind "the answer".
  struct Defect: Error {
    let words: String

    init(_ words: String) { self.words = words }

    init(_ error: FileError) { self.init("cannot be kept for now: \(error)") }
  }

  /// Bytes of an answer that has no rows, such as one to a sign-in.
  static let mostBytesOfShort = 1 << 20
  /// Rows of all answers.
  private static let mostRows = 1_000_000

  /// A document of JSON, without its rows; `nil` for a file of rows.
  private let root: JSONNode?
  /// How many rows it has.
  let rows: Int
  /// Differs, as good as always, from that of an answer with other bytes.
  let digest: Int

  /// Reads an answer that has no rows.
  init(short bytes: [UInt8], isJSON: Bool) throws(Defect) {
    root = isJSON ? try Self.node(bytes) : nil
    (rows, digest) = (0, 0)
  }

  /// Reads an answer and hands its rows on.
  ///
  /// - Parameters:
  ///   - file: The answer.
  ///   - path: The way to the array of rows; `nil` where the answer is a file of rows.
  ///   - place: Where postbacks and their times are in a row; `nil` for rows of a table.
  init(
    _ file: SpoolFile, rowsAt path: String?, _ place: PostbackPlace?, into all: PullRows
  ) throws(Defect) {
    let sink = RowSink(all, place)
    let before = all.count
    var hasher = Hasher()
    var at = 0
    func next() throws(Defect) -> [UInt8]? {
      do throws(FileError) {
        let bytes = try file.read(at: at)
        at += bytes.count
        hasher.combine(bytes)
        return bytes.isEmpty ? nil : bytes
      } catch {
        throw Defect(error)
      }
    }
    if let path {
      root = try Self.document(next, path, sink)
    } else {
      root = nil
      try Self.file(next, sink)
    }
    rows = all.count - before
    digest = hasher.finalize()
  }

  /// The text or number at a path; `nil` where there is none, or it is null or empty.
  func text(at path: String) -> String? {
    switch root?.member(at: path[...])?.value {
    case .string(let text)?: text.isEmpty ? nil : text
    case .number(let number)?: number.text
    default: nil
    }
  }

  private static func node(_ bytes: [UInt8]) throws(Defect) -> JSONNode {
    do throws(JSONDefect) { return try JSONReader.read(bytes) } catch {
      throw Defect("is not JSON: \(error.diagnosis(in: bytes).text)")
    }
  }

  /// Reads a document that has its rows at a path.
  ///
  /// - Returns: What is around the rows.
  private static func document(
    _ next: () throws(Defect) -> [UInt8]?, _ path: String, _ sink: RowSink
  ) throws(Defect) -> JSONNode {
    var cutter = JSONArrayCutter(path: path)
    while let bytes = try next() { try sink.take(bytes, by: &cutter) }
    let rest = try node(cutter.finish())
    guard path.isEmpty || rest.member(at: path[...]) != nil else {
      throw Defect("has no '\(printable(path))'")
    }
    let found = path.isEmpty ? rest : rest.member(at: path[...])
    guard let found, found.value.array != nil else {
      throw Defect("has '\(printable(path))' that is no array but \(found?.value.sort.rawValue ?? "")")
    }
    guard found.range.lowerBound == cutter.start else { throw Defect("has '\(printable(path))' twice") }
    return rest
  }

  /// Reads a file of rows: an array, an object a line, or a table.
  private static func file(
    _ next: () throws(Defect) -> [UInt8]?, _ sink: RowSink
  ) throws(Defect) {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    var first: [UInt8] = []
    while first.isEmpty {
      guard let bytes = try next() else { return }
      first = Array(bytes.drop(while: blank.contains))
    }
    switch first[0] {
    case UInt8(ascii: "["):
      var cutter = JSONArrayCutter(path: "")
      try sink.take(first, by: &cutter)
      while let bytes = try next() { try sink.take(bytes, by: &cutter) }
      _ = try node(cutter.finish())
    case UInt8(ascii: "{"):
      var cutter = LineCutter()
      func take(_ line: [UInt8]) throws(Defect) {
        if !line.allSatisfy(blank.contains) { try sink.take(line) }
      }
      for line in cutter.append(first) { try take(line) }
      while let bytes = try next() { for line in cutter.append(bytes) { try take(line) } }
      try take(cutter.finish())
    default:
      var cutter = LineCutter()
      var hasHeader = false
      func take(_ line: [UInt8]) throws(Defect) {
        if hasHeader { return try sink.all.add(line: line + [0x0A]) }
        hasHeader = true
        try sink.all.begin(header: line.last == 0x0D ? Array(line.dropLast()) : line)
      }
      for line in cutter.append(first) { try take(line) }
      while let bytes = try next() {
        for line in cutter.append(bytes) { try take(line) }
        try sink.requireFewRows()
      }
      let last = cutter.finish()
      if !last.isEmpty { try take(last) }
    }
  }

  /// Reads rows of JSON and hands them on.
  private struct RowSink {
    let all: PullRows
    private let place: PostbackPlace?

    init(_ all: PullRows, _ place: PostbackPlace?) { (self.all, self.place) = (all, place) }

    func take(_ bytes: [UInt8], by cutter: inout JSONArrayCutter) throws(Defect) {
      var elements: [[UInt8]] = []
      do throws(JSONArrayCutter.Defect) { try cutter.append(bytes, to: &elements) } catch {
        throw Defect("cannot be read: \(error.sentence)")
      }
      for element in elements { try take(element) }
    }

    /// - Parameter row: A row of JSON.
    func take(_ row: [UInt8]) throws(Defect) {
      let number = all.count + 1
      let node: JSONNode
      do throws(JSONDefect) { node = try JSONReader.read(row) } catch {
        throw Defect("is not JSON in row \(number): \(error.diagnosis(in: row, isLine: true).text)")
      }
      if let place {
        try all.add(try place.postback(node, in: row, number: number))
      } else {
        guard node.value.object != nil else {
          throw Defect("has a row that is no object, the number \(number)")
        }
        try all.add(row)
      }
      try requireFewRows()
    }

    func requireFewRows() throws(Defect) {
      guard all.count <= PullAnswer.mostRows else {
        throw Defect(
          "makes more than \(PullAnswer.mostRows) rows with those before; ask for fewer days at a time")
      }
    }
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
