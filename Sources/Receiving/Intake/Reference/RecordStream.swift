import JSONText
import Values

/// Reads records that an extractor hands on in messages, one JSON object a line.
struct RecordStream {
  private let form: MessageForm
  private let names: Set<String>
  private let endsWithoutState: Bool
  /// Streams that the messages name.
  private var mentioned: Set<String> = []
  private var hasRecords = false
  /// The line of the last record that no state follows yet.
  private var openRecord: Int?
  private var singerState: [UInt8]?
  /// The latest state of each of Airbyte's streams, in the order of the first ones.
  private var streamStates: [(name: String, json: [UInt8])] = []

  init(_ form: MessageForm, names: [String], endsWithoutState: Bool) {
    self.form = form
    self.names = Set(names)
    self.endsWithoutState = endsWithoutState
  }

  /// Adds the records of the streams to a collection.
  ///
  /// - Returns: The last state; `nil` where there was none.
  mutating func read(
    _ text: inout ReferenceText, into rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> [UInt8]? {
    var cutter: LineCutter? = LineCutter()
    var number = 0
    while let lines = try text.lines(&cutter) {
      for line in lines {
        number += 1
        try take(line, number, into: &rows, &mistakes)
      }
    }
    try requireEnd(lines: number)
    guard form == .airbyte else { return singerState }
    guard !streamStates.isEmpty else { return nil }
    return Array("[".utf8) + streamStates.map(\.json).joined(separator: Array(",".utf8)) + Array("]".utf8)
  }

  private mutating func take(
    _ line: [UInt8], _ number: Int, into rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) {
    guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return }
    let node: JSONNode
    do throws(JSONDefect) { node = try JSONReader.read(line) } catch {
      throw ReferenceFileError(
        code: error.code, line: number,
        sentence: Sentence(
          "the line is no message: \(diagnosis: error.diagnosis(in: line, isLine: true).text)"),
        cure: "only the messages of the extractor belong here; it writes its log elsewhere")
    }
    guard let message = node.value.object, let type = message["type"]?.value.string else {
      throw ReferenceFileError(
        code: "no-message", line: number,
        sentence: Sentence("the line is no message: it has no \"type\""),
        cure: "rows without messages are read without --from, or with a profile of a file")
    }
    let record =
      switch form {
      case .singer: try singer(type, message, line, number)
      case .airbyte: try airbyte(type, message, line, number)
      }
    guard let record else { return }
    hasRecords = true
    openRecord = number
    do throws(ReferenceFileError) { try rows.add(record, line: number) } catch { try mistakes.take(error) }
  }

  private mutating func singer(
    _ type: String, _ message: JSONObject, _ line: [UInt8], _ number: Int
  ) throws(ReferenceFileError) -> JSONNode? {
    switch type {
    case "RECORD":
      guard isWanted(message["stream"]) else { return nil }
      guard let record = message["record"] else { throw noRecord(number, "record") }
      return record
    case "STATE":
      openRecord = nil
      singerState = message["value"].map { Array(line[$0.range]) }
    case "BATCH":
      guard isWanted(message["stream"]) else { return nil }
      throw ReferenceFileError(
        code: "batch", line: number,
        sentence: Sentence("found a BATCH, whose records are in files elsewhere"),
        cure: "leave \"batch_config\" out of the tap's configuration")
    default:
      // SCHEMA shows that a stream is selected, also where it has no records.
      _ = isWanted(message["stream"])
    }
    return nil
  }

  private mutating func airbyte(
    _ type: String, _ message: JSONObject, _ line: [UInt8], _ number: Int
  ) throws(ReferenceFileError) -> JSONNode? {
    switch type {
    case "RECORD":
      guard let record = message["record"]?.value.object else { throw noRecord(number, "record") }
      guard isWanted(record["stream"]) else { return nil }
      guard let data = record["data"] else { throw noRecord(number, "data") }
      return data
    case "STATE":
      openRecord = nil
      guard let node = message["state"] else { return nil }
      let name = node.value.object?["stream"]?.value.object?["stream_descriptor"]?.value.object?["name"]
      _ = isWanted(name)
      keep(Array(line[node.range]), of: name?.value.string ?? "")
    case "TRACE":
      try take(message["trace"]?.value.object, number)
    default: break
    }
    return nil
  }

  private mutating func take(_ trace: JSONObject?, _ number: Int) throws(ReferenceFileError) {
    if let error = trace?["error"]?.value.object {
      let text = error["message"]?.value.string.map { Sentence(name: $0) } ?? Sentence("no message")
      throw ReferenceFileError(
        code: "source-failed", line: number, sentence: Sentence("the source failed: \(text)"),
        cure: "nothing is imported; run it again once it works")
    }
    guard let status = trace?["stream_status"]?.value.object else { return }
    let name = status["stream_descriptor"]?.value.object?["name"]
    guard isWanted(name) else { return }
    switch status["status"]?.value.string {
    case "COMPLETE": openRecord = nil
    case "INCOMPLETE":
      throw ReferenceFileError(
        code: "stream-incomplete", line: number,
        sentence: Sentence("the source did not finish the stream '\(name: name?.value.string ?? "")'"),
        cure: "nothing is imported; run it again")
    default: break
    }
  }

  /// Takes note of a stream; whether its records are taken.
  private mutating func isWanted(_ stream: JSONNode?) -> Bool {
    guard let name = stream?.value.string else { return false }
    mentioned.insert(name)
    return names.contains(name)
  }

  private mutating func keep(_ json: [UInt8], of name: String) {
    if let place = streamStates.firstIndex(where: { $0.name == name }) {
      streamStates[place].json = json
    } else {
      streamStates.append((name, json))
    }
  }

  private func noRecord(_ line: Int, _ member: String) -> ReferenceFileError {
    ReferenceFileError(
      code: "no-record", line: line, sentence: Sentence("the RECORD has no \"\(code: member)\""))
  }

  /// Rejects messages of other streams alone, and records behind which the program seems to have stopped.
  private func requireEnd(lines: Int) throws(ReferenceFileError) {
    if !hasRecords, mentioned.isDisjoint(with: names) {
      let found = mentioned.sorted().prefix(10).map { "'\(printable($0))'" }.joined(separator: ", ")
      let wanted = Sentence.either(names.sorted().map { Sentence("'\(name: $0)'") })
      throw ReferenceFileError(
        code: "no-stream", line: max(1, lines),
        sentence: mentioned.isEmpty
          ? Sentence("found no message of a stream; the profile reads \(wanted)")
          : Sentence("found messages of \(name: found), none of \(wanted), which the profile reads"),
        cure:
          "select the stream in the catalog of the source, or write a profile with its name in \"streams\"")
    }
    if let openRecord, !endsWithoutState {
      throw ReferenceFileError(
        code: "stream-cut-off", line: openRecord,
        sentence: Sentence("no STATE follows the last record, so the source probably stopped early"),
        cure: "nothing is imported; run it again, or write a profile with \"ends-without-state\": true for a "
          + "source that never writes one")
    }
  }
}
