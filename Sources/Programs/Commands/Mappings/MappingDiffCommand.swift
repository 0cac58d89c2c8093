import Arguments
import JSONText
import MappingFormats
import Mappings
import Postbacks
import System
import Tables
import Values

/// `skan mapping diff`: reports what becomes of each value's meaning.
enum MappingDiffCommand {
  static let entry = Entry(
    command: Command(
      "mapping diff",
      "Compare two mappings: which values keep, change, gain or lose their meaning.",
      discussion: [
        "Below the values, skan prints the period in which postbacks of users of both mappings can "
          + "arrive; in that period a value with two meanings is ambiguous. The new mapping applies from its "
          + "effective-from.",
        "The exit code is 0 even if the mappings differ.",
      ],
      examples: [.init("Compare two versions", "skan mapping diff october.json november.json")],
      positionals: [.mappingFile("OLD"), .mappingFile("NEW")], options: [.format(["table", "json"])]),
    run: run)

  /// When postbacks of both mappings can arrive.
  private struct Overlap {
    let window: ConversionWindow
    let from: Instant
    let to: Instant
  }

  private static func run(_ call: Invocation) throws -> ExitCode {
    let paths = call.settings.positionals
    try call.checkStandardInput(paths)
    guard paths.count == 2 else { throw call.mistake("Two mapping files are required.") }
    let (first, second) = (try call.mapping(paths[0]), try call.mapping(paths[1]))
    guard let old = first, let new = second else { return .failedCheck }
    if old.app != new.app { call.console.note("the mappings are for different apps") }
    if new.effectiveFrom <= old.effectiveFrom {
      call.console.note("the new mapping does not start after the old one")
    }
    let changes = new.changes(from: old)
    let overlaps = overlaps(old, new)
    let isJSON = call.format == .json
    call.console.write(isJSON ? json(changes, overlaps) : table(changes, overlaps))
    call.console.note(
      MeaningChange.Kind.allCases.map { kind in "\(changes.count { $0.kind == kind }) \(kind.rawValue)" }
        .joined(separator: ", "))
    return .done
  }

  /// The windows that both mappings have.
  private static func overlaps(_ old: Mapping, _ new: Mapping) -> [Overlap] {
    let haveWindows = old.device.hasWindows && new.device.hasWindows
    return ConversionWindow.allCases.filter { haveWindows || $0 == .first }.map { window in
      let overlap = new.overlap(of: window, with: old)
      return Overlap(window: window, from: overlap.from, to: overlap.to)
    }
  }

  private static func table(_ changes: [MeaningChange], _ overlaps: [Overlap]) -> String {
    let values = Table(valueColumns, rows: changes).text(
      .table, notes: changes.isEmpty ? ["no value has a meaning in either mapping"] : [])
    return values + "\n" + Table(overlapColumns, rows: overlaps).text(.table)
  }

  private static let valueColumns: [Column<MeaningChange>] = [
    Column("value", "value", "Conversion value.") { NumberCell($0.slot.value) },
    Column("window", "window", "Conversion window, 1 to 3.", \.slot.window.number),
    Column("change", "change", "What becomes of the meaning, and for which conversion type.") {
      $0.kind.rawValue + ($0.type.map { ", \($0.rawValue)" } ?? "")
    },
    Column("old", "old meaning", "Meaning in the old mapping.") { words($0.old) },
    Column("new", "new meaning", "Meaning in the new mapping.") {
      $0.kind == .kept && $0.old.line == $0.new.line ? "the same" : words($0.new)
    },
  ]

  private static let overlapColumns: [Column<Overlap>] = [
    Column("window", "window", "Conversion window, 1 to 3.", \.window.number),
    Column("from", "both can arrive from", "When postbacks of both mappings can arrive first.", \.from),
    Column("to", "until", "When postbacks of both mappings can no longer arrive.", \.to),
  ]

  private static func words(_ meaning: Meaning) -> String {
    meaning == .unmapped ? "nothing" : meaning.line.english
  }

  private static func json(_ changes: [MeaningChange], _ overlaps: [Overlap]) -> String {
    let values = changes.map { change -> JSONOutput in
      .object(
        [
          .init("value", change.slot.json), .init("window", .integer(Int64(change.slot.window.number))),
          .init("change", .string(change.kind.rawValue)),
        ] + (change.type.map { [.init("conversion-type", .string($0.rawValue))] } ?? []) + [
          .init("old", .object(change.old.members)), .init("new", .object(change.new.members)),
        ])
    }
    let times = overlaps.map { overlap -> JSONOutput in
      [
        "window": .integer(Int64(overlap.window.number)), "from": .string("\(overlap.from)"),
        "to": .string("\(overlap.to)"),
      ]
    }
    let whole: JSONOutput = ["values": .array(values), "both-can-arrive": .array(times)]
    return whole.text(pretty: true) + "\n"
  }
}
