import Arguments
import JSONText
import MappingFormats
import Mappings
import Postbacks
import Reporting
import System
import Values

/// `skan mapping decode`: tells what values mean.
enum MappingDecodeCommand {
  static let entry = Entry(
    command: Command(
      "mapping decode", "Tell what conversion values mean under a mapping.",
      discussion: [
        "Each row has the label, the events and how often they happened, the total revenue that the rule asks for, what "
          + "a user is worth at least, on average and at most, and when the user was active last. A value that no rule has "
          + "is unmapped, which is an answer.",
        "A fine value comes from the first window only.",
      ],
      examples: [
        .init("Two fine values", "skan mapping decode mapping.json 6 7"),
        .init("A coarse value of the second window", "skan mapping decode mapping.json --window 2 high"),
      ],
      positionals: [
        .mappingFile(),
        Positional("VALUE", .text, "A value: 0 to 63, low, medium, high or null.", isRepeatable: true),
      ],
      options: [
        .value(
          "--window", "N", .choice(["1", "2", "3"]), "The window that the values come from.", default: "1"),
        .conversionType("Conversion type that the values come from; all types where it is missing."),
        .format(["table", "json"]),
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let words = call.settings.positionals.dropFirst()
    let number = call.settings.text("--window").flatMap { Int($0) } ?? 1
    guard let window = ConversionWindow(rawValue: number - 1) else {
      throw call.mistake("There is no window \(number).")
    }
    let type = call.conversionType
    let values = try words.map { try value($0, window, call) }
    guard let mapping = try call.mapping(call.settings.positionals.first ?? "-") else { return .bad }
    let meanings = zip(words, values).map {
      (word: $0, meaning: mapping.decode($1, window: window, type: type))
    }
    if call.format == .json {
      let rows = zip(values, meanings).map { value, row in
        JSONOutput.object(
          [.init("value", value.json), .init("window", .integer(Int64(number)))] + row.meaning.members)
      }
      call.console.writeArray(rows)
    } else {
      var table = TextTable([.init("value", isNumeric: true)] + MeaningCells.columns)
      for row in meanings {
        for cells in row.meaning.cells { table.add([row.word] + cells.all) }
      }
      call.console.write(table.text(within: call.console.tableWidth))
    }
    return .done
  }

  private static func value(_ word: String, _ window: ConversionWindow, _ call: Invocation) throws
    -> ConversionValue
  {
    if word == "null" { return .absent }
    if let coarse = CoarseValue(rawValue: word) { return .coarse(coarse) }
    guard let number = Int64(word), "\(number)" == word, let fine = FineValue(number) else {
      throw call.mistake(
        "The value '\(printable(word))' is none of 0 to 63, low, medium, high and null.")
    }
    guard window == .first else {
      throw call.mistake(
        "The value '\(word)' can't come from window \(window.number); fine values come from window 1.")
    }
    return .fine(fine)
  }
}

extension MeaningCells {
  /// The columns of the cells.
  static var columns: [TextTable.Column] {
    titles.map { TextTable.Column($0, isNumeric: ["low", "representative", "high"].contains($0)) }
  }
}

extension ConversionValue {
  /// The value as JSON.
  fileprivate var json: JSONOutput {
    switch self {
    case .fine(let value): .integer(Int64(value.number))
    case .coarse(let value): .string(value.rawValue)
    case .absent, .rejected: .null
    }
  }
}
