import Arguments
import JSONText
import MappingFormats
import Mappings
import System
import Values
import Tables

// What the commands on mappings share: reading a file, and reporting what was found in it.

/// A mapping file that was read and checked.
struct MappingFile {
  /// The path as it was given; `-` is standard input.
  let path: String
  let reading: MappingDocument.Reading
  /// What the file is instead where it is a mapping in another system's format.
  let foreign: MappingFormat?

  /// Reads and checks a file; of one that is too long only as much is read as shows that.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - console: Where people are asked for input.
  ///   - now: The time, from which the mapping's date should not be years away.
  /// - Throws: `FileError` where the file can't be read.
  init(_ path: String, on console: Console, at now: Instant? = nil) throws(FileError) {
    if path == "-", console.isInputTerminal { console.note("reading standard input; Ctrl-D ends it") }
    let file = try FileReader(path)
    var bytes: [UInt8] = []
    while bytes.count <= MappingDocument.largestFile {
      let chunk = try file.read()
      if chunk.isEmpty { break }
      bytes += chunk
    }
    self.path = path
    reading = MappingDocument.check(bytes, at: now)
    foreign = reading.document == nil ? ForeignMapping.formats(of: bytes).first : nil
  }

  /// Checks bytes from another place; the name is for messages.
  init(_ bytes: [UInt8], name: String) {
    path = name
    reading = MappingDocument.check(bytes)
    foreign = nil
  }

  /// The mapping, unless there are errors.
  var mapping: Mapping? { reading.document?.mapping }

  /// How to make a mapping of a file in another format; `nil` for all others.
  var conversion: String? {
    foreign.map { format in
      let command = format == .table ? "from-table" : "convert --from \(format.rawValue)"
      let name = path == "-" ? "standard input" : "'\(printable(path))'"
      return "\(name) has the format \(format.rawValue); make a mapping of it with `skan mapping \(command)`"
    }
  }

  var rows: [FindingRow] { reading.findings.map { FindingRow(file: path, finding: $0) } }
}

extension Invocation {
  /// The mapping of a file; if it has errors they are printed on standard error, and the result is nil.
  func mapping(_ path: String) throws -> Mapping? {
    let file = try MappingFile(path, on: console)
    if let mapping = file.mapping { return mapping }
    for row in file.rows { console.errors.write(Array(row.text(console, on: console.errors).utf8)) }
    if let conversion = file.conversion { console.note(conversion) }
    return nil
  }

  /// Rejects a command line that names standard input for several files.
  func checkStandardInput(_ paths: [String]) throws {
    guard paths.count(where: { $0 == "-" }) > 1 else { return }
    throw mistake("Standard input ('-') can be used for one file only.")
  }
}

extension Positional {
  static func mappingFile(_ placeholder: String = "FILE", isRepeatable: Bool = false) -> Positional {
    Positional(
      placeholder, .path, "Mapping file; -: standard input.", isRepeatable: isRepeatable)
  }
}

/// Something found in a mapping file, ready to be printed.
struct FindingRow {
  /// The file's path as it was given.
  let file: String
  let finding: MappingFinding

  init(file: String, finding: MappingFinding) {
    self.file = file
    self.finding = finding
  }

  /// The finding for people, on two or three lines.
  func text(_ console: Console, on stream: OutputStream) -> String {
    let word = console.paint(
      finding.severity.rawValue, finding.severity == .error ? .red : .yellow, on: stream)
    let hint = finding.hint.map { "  hint: \(printable($0.english))\n" } ?? ""
    return "\(printable(file)):\(finding.position): \(word): \(printable(finding.sentence.english)) "
      + "[\(finding.code.text)]\n  at \(printable(finding.path.description))\n" + hint
  }

  static let columns: [Column<Self>] = [
    Column("file", "file", "Path of the file as it was given.") { Identifier($0.file) },
    Column("line", "line", "Line in the file, from 1.", \.finding.position.line),
    Column("column", "column", "Column in the line, from 1.", \.finding.position.column),
    Column("path", "path", "Place in the document, such as $.fine[3].", \.finding.path.description),
    Column("severity", "severity", "error or warning.", \.finding.severity.rawValue),
    Column("code", "code", "Stable code of the finding.", \.finding.code.text),
    Column("sentence", "sentence", "What was found.", \.finding.sentence.english),
    Column("hint", "hint", "What may help.", \.finding.hint?.english),
  ]
}

extension Console {
  /// The letters of a line that a person sees; `nil` where the output is no terminal, and nothing is cut.
  var tableWidth: Int? { output.isTerminal ? columns : nil }

  /// Writes a JSON array with an element a line.
  func writeArray(_ elements: [JSONOutput]) {
    write("[\n" + elements.map { $0.text() }.joined(separator: ",\n") + (elements.isEmpty ? "]\n" : "\n]\n"))
  }
}
