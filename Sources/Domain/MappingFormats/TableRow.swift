import CSVText
import JSONText
import Mappings
import Postbacks
import Values

/// A row of our own table; cells without text are left out.
struct TableRow: Sendable {
  struct Cell: Sendable {
    let text: String
    /// What a number is multiplied by.
    let scale: Int64
  }

  enum Rule {
    case fine(FineRule)
    case coarse(ConversionWindow, CoarseRules.Totals?, CoarseRule)
  }

  /// The line of the file, from 1.
  let line: Int
  let cells: [MappingTable.Column: Cell]
  /// Whether the table has a decimal comma somewhere, so that a point could set thousands apart.
  let hasDecimalCommas: Bool

  /// What the row states.
  func rule(_ context: ImportContext) throws(FormatDefect) -> Rule {
    let value = try integer(.value, in: 0...63).flatMap { FineValue($0) }
    let coarse: CoarseValue? = try word(.coarse)
    let number = try integer(.window, in: 1...3) ?? 1
    let window = ConversionWindow(rawValue: Int(number) - 1) ?? .first
    let label = cells[.label].map { CSV.reading($0.text) }
    let lock = try lock()
    let conditions = try conditions(window, context)
    if let value {
      if window != .first { throw misplaced(.window) }
      if cells[.totals] != nil { throw misplaced(.totals) }
      return .fine(FineRule(value: value, conditions: conditions, label: label, coarse: coarse, lock: lock))
    }
    guard let coarse else {
      throw defect(
        "no-value", .value,
        Sentence("the row has neither a conversion value nor a coarse value; write one of them"))
    }
    let rule = CoarseRule(value: coarse, conditions: conditions, label: label, lock: lock)
    return .coarse(window, try word(.totals), rule)
  }

  private func conditions(
    _ window: ConversionWindow, _ context: ImportContext
  ) throws(FormatDefect) -> Conditions {
    let revenue = try revenue(context.currency)
    let count = try count()
    let hours = try hours(window, context.device)
    guard let event = cells[.event].map({ CSV.reading($0.text) }) else {
      for column in [MappingTable.Column.countFrom, .countTo] where cells[column] != nil {
        throw lacking(.event, for: column)
      }
      return Conditions(revenue: revenue, activeHours: hours)
    }
    return Conditions(
      events: [EventCondition(name: event, count: count ?? .atLeastOnce, revenue: revenue)],
      activeHours: hours)
  }

  private func count() throws(FormatDefect) -> CountRange? {
    let least = try integer(.countFrom, in: 0...1_000_000_000)
    let most = try integer(.countTo, in: 0...1_000_000_000)
    guard least != nil || most != nil else { return nil }
    guard let range = CountRange(min: Int(least ?? min(1, most ?? 1)), max: most.map { Int($0) }) else {
      throw empty(.countTo)
    }
    return range
  }

  private func hours(_ window: ConversionWindow, _ device: Mapping.Device) throws(FormatDefect) -> HourRange?
  {
    let from = try integer(.hoursFrom, in: 0...Int64(HourRange.longest))
    let to = try integer(.hoursTo, in: 0...Int64(HourRange.longest))
    guard from != nil || to != nil else { return nil }
    let end = device.hasWindows ? window.endHour : HourRange.longest
    guard let range = HourRange(from: Int(from ?? 0), to: to.map { Int($0) } ?? end) else {
      throw empty(.hoursTo)
    }
    return range
  }

  private func revenue(_ home: CurrencyCode) throws(FormatDefect) -> RevenueCondition? {
    let from = try amount(.revenueFrom)
    let to = try amount(.revenueTo)
    let worth = try amount(.worth)
    let ends: MappingTable.Ends = try word(.ends) ?? .lower
    let currency = try currency() ?? home
    guard from != nil || to != nil else {
      for column in [MappingTable.Column.worth, .ends] where cells[column] != nil {
        throw lacking(.revenueFrom, for: column)
      }
      return nil
    }
    let lower = from.map { ends == .lower || ends == .both ? AmountRange.Bound.closed($0) : .open($0) }
    let upper = to.map { ends == .upper || ends == .both ? AmountRange.Bound.closed($0) : .open($0) }
    guard let range = AmountRange(lower: lower ?? .unbounded, upper: upper ?? .unbounded) else {
      throw empty(.revenueTo)
    }
    guard let condition = RevenueCondition(range, currency, representative: worth) else {
      throw defect(
        "worth-outside-range", .worth,
        Sentence("\(name: quoted(cells[.worth]?.text ?? "")) lies outside of the range"))
    }
    return condition
  }

  private func currency() throws(FormatDefect) -> CurrencyCode? {
    guard let text = cells[.currency]?.text else { return nil }
    guard let currency = CurrencyCode(anyCase: text) else {
      throw defect("currency-not-listed", .currency, Sentence("\(name: quoted(text)) is not a currency"))
    }
    return currency
  }

  /// An amount with a point or a comma before its decimals.
  private func amount(_ column: MappingTable.Column) throws(FormatDefect) -> Amount? {
    guard let text = cells[column]?.text else { return nil }
    let hasOnlyDigits = text.allSatisfy { $0.isASCII && ($0.isNumber || ".,-".contains($0)) }
    let isCertain = !hasDecimalCommas || !text.contains(".") || text.contains(",")
    let decimal = text.contains(",") && hasOnlyDigits ? Amount.meant(by: text) : text
    guard isCertain, let decimal, let amount = try? Amount(decimal: decimal) else {
      throw defect(
        "invalid-amount", column,
        Sentence(
          "\(name: quoted(text)) is not an amount; write it like 1250.50, without a currency and without "
            + "separators of thousands"))
    }
    return amount
  }

  private func integer(
    _ column: MappingTable.Column, in range: ClosedRange<Int64>
  ) throws(FormatDefect) -> Int64? {
    guard let cell = cells[column] else { return nil }
    let allowed = range.lowerBound...range.upperBound / cell.scale
    guard let integer = Int64(cell.text), allowed.contains(integer) else {
      throw defect(
        "out-of-range", column,
        Sentence(
          "\(name: quoted(cell.text)) is not a whole number from \(allowed.lowerBound) to \(allowed.upperBound)"
        ))
    }
    return integer * cell.scale
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ column: MappingTable.Column
  ) throws(FormatDefect) -> Word? {
    guard let text = cells[column]?.text else { return nil }
    guard let word = Word(rawValue: text.lowercased()) else {
      throw unknown(text, column, Word.allCases.map(\.rawValue))
    }
    return word
  }

  private func lock() throws(FormatDefect) -> Bool {
    guard let text = cells[.lock]?.text else { return false }
    switch text.lowercased() {
    case "yes", "true", "1", "x": return true
    case "no", "false", "0": return false
    default: throw unknown(text, .lock, ["yes", "no"])
    }
  }

  func defect(_ code: String, _ column: MappingTable.Column, _ sentence: Sentence) -> FormatDefect {
    FormatDefect(code, line: line, column: column, sentence)
  }

  private func unknown(_ text: String, _ column: MappingTable.Column, _ words: [String]) -> FormatDefect {
    let known = words.joined(separator: ", ")
    return defect(
      "unknown-word", column, Sentence("\(name: quoted(text)) is not one of \(code: known)"))
  }

  private func empty(_ column: MappingTable.Column) -> FormatDefect {
    defect(
      "empty-range", column, Sentence("the range is empty: its end has to lie above its start"))
  }

  private func misplaced(_ column: MappingTable.Column) -> FormatDefect {
    defect(
      "cell-without-effect", column, Sentence("the cell does not go with a conversion value; empty it"))
  }

  private func lacking(_ needed: MappingTable.Column, for column: MappingTable.Column) -> FormatDefect {
    defect(
      "missing-cell", column,
      Sentence("the row lacks \(code: quoted(needed.rawValue)), which this cell needs"))
  }
}
