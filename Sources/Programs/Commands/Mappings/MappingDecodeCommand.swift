import Arguments
import JSONText
import MappingFormats
import Mappings
import Postbacks
import System
import Tables
import Values

/// `skan mapping decode`: reports what values mean.
enum MappingDecodeCommand {
  enum Options {
    static let type = TypedOption.conversionType("Conversion type of the values.", defaultNote: "all types")
    static let window = TypedOption<Int>.value(
      "--window", "N", .choice(["1", "2", "3"]), "Window of the values.", default: 1)
  }

  static let entry = Entry(
    command: Command(
      "mapping decode", "Decode conversion values with a mapping.",
      discussion: [
        "Each row has the label, the events with their counts, the total revenue that the rule requires, "
          + "the revenue of a user (low, mid and high), and the hours of the user's last activity. A value "
          + "without a rule is unmapped.",
        "Only window 1 has fine values.",
      ],
      examples: [
        .init("Decode two fine values", "skan mapping decode mapping.json 6 7"),
        .init("Decode a coarse value of window 2", "skan mapping decode mapping.json --window 2 high"),
      ],
      positionals: [
        .mappingFile(),
        Positional("VALUE", .text, "A value: 0 to 63, low, medium, high or null.", isRepeatable: true),
      ],
      options: [
        Options.window.option,
        Options.type.option,
        .format(["table", "json"]),
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let words = call.settings.positionals.dropFirst()
    let number = call[Options.window]
    guard let window = ConversionWindow(rawValue: number - 1) else {
      throw call.mistake("There is no window \(number).")
    }
    let type = call[Options.type]
    let values = try words.map { try value($0, window, call) }
    guard let mapping = try call.mapping(call.settings.positionals.first ?? "-") else { return .failedCheck }
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
      let rows = meanings.flatMap { row in
        row.meaning.rows.map { MeaningRow(value: row.word, text: $0) }
      }
      let columns = [MeaningRow.value] + MeaningRow.meaning
      call.console.write(Table(columns, rows: rows).text(.table, width: call.console.tableWidth))
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
        "The value '\(printable(word))' is not 0 to 63, low, medium, high or null.")
    }
    guard window == .first else {
      throw call.mistake(
        "Window \(window.number) has no fine values, found '\(word)'. Use low, medium, high or null.")
    }
    return .fine(fine)
  }
}

/// One meaning of a value in a table for people.
struct MeaningRow {
  let value: String
  let text: MeaningText
  var window = 1
  var coarse = ""
  var locks = false

  static let value = Column<Self>("value", "value", "Conversion value.") { NumberCell($0.value) }

  static let meaning: [Column<Self>] = [
    Column("label", "label", "Label of the rule.") { words($0.text.label) },
    Column("condition", "condition", "Events and revenue that the rule requires.") {
      words($0.text.condition)
    },
    Column("revenue-low", "low", "Lowest revenue of a user.") { NumberCell(words($0.text.low)) },
    Column("revenue-mid", "mid", "Revenue that counts for a user.") { NumberCell(words($0.text.mid)) },
    Column("revenue-high", "high", "Highest revenue of a user.") { NumberCell(words($0.text.high)) },
    Column("active-hours", "active hours", "Hours of the user's last activity.") { words($0.text.hours) },
  ]

  private static func words(_ sentence: Sentence?) -> String { sentence?.english ?? "" }

  static let lock = Column<Self>("lock", "lock", "Whether the rule locks.") { $0.locks ? "locks" : "" }
}

extension ConversionValue {
  fileprivate var json: JSONOutput {
    switch self {
    case .fine(let value): .integer(Int64(value.number))
    case .coarse(let value): .string(value.rawValue)
    case .absent, .rejected: .null
    }
  }
}
