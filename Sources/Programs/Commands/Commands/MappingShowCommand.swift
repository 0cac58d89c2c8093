import Arguments
import JSONText
import MappingFormats
import Mappings
import Postbacks
import Reporting
import System
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
      ],
      examples: [
        .init("Print a mapping", "skan mapping show mapping.json"),
        .init(
          "Expand the grids of a mapping", "skan mapping show --format json mapping.json > expanded.json"),
      ],
      positionals: [.mappingFile()], options: [.format(["table", "json"])]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    guard let mapping = try call.mapping(call.settings.positionals.first ?? "-") else { return .failedCheck }
    let isJSON = call.format == .json
    call.console.write(
      isJSON ? mapping.json.text(pretty: true) + "\n" : MappingPage(mapping, call.console.tableWidth).text)
    return .done
  }
}

/// A mapping on a page.
private struct MappingPage {
  private let mapping: Mapping
  /// The letters of a line; `nil` cuts nothing.
  private let width: Int?
  /// The most letters of a cell of the grid.
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
    var table = TextTable([.init("", isNumeric: true)] + (0..<8).map { .init("+\($0)") })
    for row in 0..<8 {
      table.add(["\(row * 8)"] + (0..<8).map { cell(Int64(row * 8 + $0)) })
    }
    return table.text
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
    if let event = meaning.events.first { return event.text }
    return meaning.activeHours.map { "\($0.from)-\($0.to) h" } ?? "any"
  }

  private var list: String {
    let slots = WindowValue.all.filter { if case .fine = $0 { true } else { false } }
    return rules("fine", slots, [.init("value", isNumeric: true)], [.init("coarse"), .init("lock")]) {
      slot, rule in
      guard case .fine(let index) = rule else { return ([slot.value], ["", ""]) }
      let fine = mapping.fine[index]
      return ([slot.value], [fine.coarse?.rawValue ?? "", fine.lock ? "locks" : ""])
    }
  }

  private var coarse: String {
    let slots = WindowValue.all.filter { if case .coarse = $0 { true } else { false } }
    return rules("coarse", slots, [.init("window", isNumeric: true), .init("coarse value")], [.init("lock")])
    {
      slot, rule in
      let locks =
        switch rule {
        case .fine(let index): mapping.fine[index].lock
        case .coarse(let window, let index): mapping.coarse[window]?.rules[index].lock ?? false
        }
      return (["\(slot.window.number)", slot.value], [locks ? "locks" : ""])
    }
  }

  /// A row for each rule of some values, with cells in front and behind.
  private func rules(
    _ kind: String, _ slots: [WindowValue], _ front: [TextTable.Column], _ back: [TextTable.Column],
    around: (WindowValue, RuleReference) -> ([String], [String])
  ) -> String {
    var table = TextTable(front + MeaningText.columns + back)
    var isEmpty = true
    for slot in slots {
      guard case .rules(let meanings) = mapping.meaning(of: slot) else { continue }
      for meaning in meanings {
        let (before, behind) = around(slot, meaning.rule)
        table.add(before + MeaningText(meaning).cells + behind)
        isEmpty = false
      }
    }
    return isEmpty ? "no \(kind) value has a meaning\n" : table.text(within: width)
  }
}
