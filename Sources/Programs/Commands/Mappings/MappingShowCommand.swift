import Arguments
import JSONText
import MappingFormats
import Mappings
import Postbacks
import System
import Tables
import Values

/// `skan mapping show`: prints a mapping as a person reads it.
enum MappingShowCommand {
  static let entry = Entry(
    command: Command(
      "mapping show", "Print a mapping as a grid of the 64 fine values and a list of meanings.",
      discussion: [
        "The row of the grid is the value divided by 8, the column is the remainder. A dot is a value "
          + "without a rule; a plus sign marks a value with several rules. skan shortens texts only to the "
          + "width of a terminal.",
        "With --format json, skan prints the mapping as a mapping file with every grid expanded. For a "
          + "file with errors, skan prints the errors as `skan mapping check` does, and exits with 1.",
        "With --format csv, skan prints a table with a row for each rule, for a spreadsheet. It has neither the name, app, "
          + "date nor protocol of the mapping: `skan mapping from-table` gets them as options and makes the same "
          + "mapping of it. Where a rule does not fit into a row, skan names it and prints nothing.",
      ],
      examples: [
        .init("Print a mapping", "skan mapping show mapping.json"),
        .init(
          "Expand the grids of a mapping", "skan mapping show --format json mapping.json > expanded.json"),
        .init(
          "Edit a mapping in a spreadsheet", "skan mapping show --format csv mapping.json > mapping.csv"),
      ],
      positionals: [.mappingFile()], options: [.format(["table", "json", "csv"])]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let path = call.settings.positionals.first ?? "-"
    guard let mapping = try call.mapping(path) else { return .failedCheck }
    switch call.format {
    case .json: call.console.write(mapping.json.text(pretty: true) + "\n")
    case .csv:
      do throws(ExportDefect) { call.console.write(try MappingFormat.table.export(mapping).bytes) } catch {
        throw CommandError(error, path)
      }
    default: call.console.write(MappingPage(mapping, call.console.tableWidth).text)
    }
    return .done
  }
}

private struct MappingPage {
  private let mapping: Mapping
  /// The letters of a line; `nil` cuts nothing.
  private let width: Int?
  private let cellWidth: Int

  init(_ mapping: Mapping, _ width: Int?) {
    self.mapping = mapping
    self.width = width
    // Two letters of row heading, then eight cells with two blanks in front of each.
    cellWidth = width.map { max(5, ($0 - 2) / 8 - 2) } ?? .max
  }

  var text: String {
    var parts = [heading, grid, list]
    if mapping.device.hasWindows { parts.append(coarse) }
    return parts.joined(separator: "\n")
  }

  private var heading: String {
    var lines = [
      ("name", printable(mapping.name)), ("app", "\(mapping.app.number)"),
      ("currency", mapping.currency.text), ("effective from", "\(mapping.effectiveFrom)"),
      ("protocol", mapping.device.rawValue + (mapping.isRaiseOnly ? ", values only rise" : "")),
      ("precedence", mapping.precedence.rawValue),
    ]
    if let hours = mapping.measurementWindowHours { lines.append(("measured", "\(hours) h")) }
    return lines.map { name, text in
      name + String(repeating: " ", count: 16 - name.count) + text + "\n"
    }.joined()
  }

  private var grid: String {
    let first = Column<Int>("first", "", "First value of the row.") { NumberCell("\($0 * 8)") }
    let cells = (0..<8).map { offset in
      let texts = (0..<8).map { cell(Int64($0 * 8 + offset)) }
      return Column<Int>("plus-\(offset)", "+\(offset)", "Meaning of the value.") { texts[$0] }
    }
    return Table([first] + cells, rows: Array(0..<8)).text(.table)
  }

  private func cell(_ number: Int64) -> String {
    guard let value = FineValue(number), case .rules(let meanings) = mapping.decode(value),
      let first = meanings.first
    else { return "·" }
    let text = shortText(first) + (meanings.count > 1 ? "+" : "")
    return text.count > cellWidth ? String(text.prefix(cellWidth - 1)) + "…" : text
  }

  private func shortText(_ meaning: Interpretation) -> String {
    if let label = meaning.label { return printable(label) }
    // What a rule asks for; what its users are worth may overlap with other rules.
    if let range = meaning.total?.range ?? meaning.events.lazy.compactMap({ $0.revenue?.range }).first {
      switch (range.lower.amount, range.upper.amount) {
      case (let low?, let high?): return "\(low)-\(high)"
      case (let low?, nil): return "\(low)+"
      case (nil, let high?): return range.contains(high) ? "≤\(high)" : "<\(high)"
      case (nil, nil): return "any"
      }
    }
    if let event = meaning.events.first { return event.text.english }
    return meaning.activeHours.map { "\($0.from)-\($0.to) h" } ?? "any"
  }

  private var list: String {
    let rows = WindowValue.all.flatMap { slot -> [MeaningRow] in
      guard case .fine = slot else { return [] }
      return meanings(of: slot) { row, rule in
        guard case .fine(let index) = rule else { return }
        row.coarse = mapping.fine[index].coarse?.rawValue ?? ""
        row.locks = mapping.fine[index].lock
      }
    }
    let coarse = Column<MeaningRow>("coarse", "coarse", "Coarse value that the rule sets.", \.coarse)
    return text(rows, [MeaningRow.value] + MeaningRow.meaning + [coarse, MeaningRow.lock], of: "fine")
  }

  private var coarse: String {
    let rows = WindowValue.all.flatMap { slot -> [MeaningRow] in
      guard case .coarse = slot else { return [] }
      return meanings(of: slot) { row, rule in
        row.locks =
          switch rule {
          case .fine(let index): mapping.fine[index].lock
          case .coarse(let window, let index): mapping.coarse[window]?.rules[index].lock ?? false
          }
      }
    }
    let window = Column<MeaningRow>("window", "window", "Conversion window, 1 to 3.", \.window)
    let value = Column<MeaningRow>("value", "coarse value", "Coarse value.", \.value)
    return text(rows, [window, value] + MeaningRow.meaning + [MeaningRow.lock], of: "coarse")
  }

  /// A row for each rule of a value; `complete` adds what the rule sets besides.
  private func meanings(
    of slot: WindowValue, complete: (inout MeaningRow, RuleReference) -> Void
  ) -> [MeaningRow] {
    guard case .rules(let meanings) = mapping.meaning(of: slot) else { return [] }
    return meanings.map { meaning in
      var row = MeaningRow(value: slot.value, text: MeaningText(meaning), window: slot.window.number)
      complete(&row, meaning.rule)
      return row
    }
  }

  private func text(_ rows: [MeaningRow], _ columns: [Column<MeaningRow>], of kind: String) -> String {
    guard !rows.isEmpty else { return "no \(kind) value has a meaning\n" }
    return Table(columns, rows: rows).text(.table, width: width)
  }
}
