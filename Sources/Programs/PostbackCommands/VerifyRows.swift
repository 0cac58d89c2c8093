import CSVText
import JSONText
import Postbacks
import System
import Tables
import Values
import Verification
import CommandSupport

/// The rows of `skan verify` in each of the formats; any thread may make them.
struct VerifyRows: Sendable {
  private let format: Format
  private let console: Console
  /// The width of the column with the file; 0 where there is only one file.
  private let fileWidth: Int

  /// Prepares rows for some files.
  init(format: Format, files: [String], console: Console) {
    self.format = format
    self.console = console
    fileWidth = files.count > 1 ? max(4, files.map(\.count).max() ?? 0) : 0
  }

  /// The text before the first row.
  var head: [UInt8] {
    switch format {
    case .table:
      let titles = line(
        "index", "state", "kind", "version", "environment", "id", "file", "reason and warnings")
      return Array((titles + "\n" + String(repeating: "─", count: titles.count) + "\n").utf8)
    case .csv:
      let names = ["index", "kind", "version", "state", "environment", "reason", "warnings", "id"]
      return Array(CSV.line(names.map { .string($0) }).utf8)
    case .json: return Array("[\n".utf8)
    case .ndjson: return []
    }
  }

  /// The text after the last row.
  var foot: [UInt8] { format == .json ? Array("\n]\n".utf8) : [] }

  /// One row.
  func row(_ index: Int, _ file: String, _ judgement: Judgement) -> [UInt8] {
    switch format {
    case .table: Array((tableRow(index, file, judgement) + "\n").utf8)
    case .csv: Array(csvRow(index, judgement).utf8)
    case .json: Array((index > 0 ? ",\n" : "").utf8) + json(index, judgement).bytes()
    case .ndjson: json(index, judgement).bytes() + [UInt8(ascii: "\n")]
    }
  }

  private func json(_ index: Int, _ judgement: Judgement) -> JSONOutput {
    .object([.init("index", .integer(Int64(index)))] + judgement.members)
  }

  private func csvRow(_ index: Int, _ judgement: Judgement) -> String {
    func cell(_ text: String?) -> CSV.Cell { text.map { .string($0) } ?? .none }
    let warnings = judgement.warnings.map(\.description).joined(separator: "; ")
    return CSV.line([
      .integer(Int64(index)), .string(judgement.kind.rawValue), cell(judgement.version),
      .string(judgement.state.rawValue), cell(judgement.environment?.rawValue), cell(judgement.reason),
      cell(warnings.isEmpty ? nil : warnings), cell(judgement.id),
    ])
  }

  private func tableRow(_ index: Int, _ file: String, _ judgement: Judgement) -> String {
    let remarks = ([judgement.reason].compactMap { $0 } + judgement.warnings.map(\.description))
      .joined(separator: "; ")
    return line(
      "\(index)", judgement.state.rawValue, judgement.kind.rawValue, judgement.version ?? "",
      judgement.environment?.rawValue ?? "", judgement.id ?? "", file, remarks, color: judgement.state.color)
  }

  /// Widths are fixed, so that a row can come out before the next one is known.
  private func line(
    _ index: String, _ state: String, _ kind: String, _ version: String, _ environment: String, _ id: String,
    _ file: String, _ remarks: String, color: Color? = nil
  ) -> String {
    let paddedState = padded(state, 12)
    var cells = [
      String(repeating: " ", count: max(0, 5 - index.count)) + index,
      color.map { console.paint(paddedState, $0) } ?? paddedState, padded(kind, 4), padded(version, 7),
      padded(environment, 11), padded(id, 36),
    ]
    if fileWidth > 0 { cells.append(padded(file, fileWidth)) }
    cells.append(printable(remarks))
    var text = cells.joined(separator: "  ")
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  private func padded(_ text: String, _ width: Int) -> String {
    let text = printable(text)
    return text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension VerdictState {
  /// The colour of the word on a terminal.
  fileprivate var color: Color {
    switch self {
    case .valid: .green
    case .invalid: .red
    case .unverifiable: .yellow
    case .malformed: .red
    }
  }
}
