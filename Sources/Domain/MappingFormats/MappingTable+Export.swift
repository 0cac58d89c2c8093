import CSVText
import Mappings
import Postbacks
import Values

extension MappingTable {
  /// The columns that every table has; others only where a rule needs them.
  private static let usual: [Column] = [
    .value, .coarse, .window, .event, .revenueFrom, .revenueTo, .worth, .currency, .hoursFrom, .hoursTo,
    .label,
  ]

  /// Writes a mapping as a CSV file, which reads back as the same mapping.
  ///
  /// - Throws: ``ExportDefect`` with the rules that have what a table has no place for.
  static func export(_ mapping: Mapping) throws(ExportDefect) -> ExportedMapping {
    try requirePlainHead(mapping)
    var obstacles: [(sentence: Sentence, place: ExportPlace)] = []
    var rows: [[Column: CSV.Cell]] = []
    for rule in mapping.fine {
      let sentence = rule.priority == 0 ? obstacle(rule.conditions) : Self.noColumn("priority")
      if let sentence { obstacles.append((sentence, .rule(.fine(rule.value)))) }
      rows.append(cells(rule))
    }
    for (window, rules) in mapping.coarse.sorted(by: { $0.key < $1.key }) {
      if rules.rules.isEmpty { obstacles.append((Sentence("the window has no rule"), .window(window))) }
      for rule in rules.rules {
        if let sentence = obstacle(rule.conditions) {
          obstacles.append((sentence, .rule(.coarse(window, rule.value))))
        }
        rows.append(cells(rule, window, rules.totals))
      }
    }
    try reject(obstacles)
    guard !rows.isEmpty else {
      throw ExportDefect(code: .nothingLeft, sentence: Sentence("the mapping has no rule"), places: [])
    }
    let bytes = bytes(rows)
    try requireSame(mapping, bytes)
    return ExportedMapping(bytes: bytes, mapping: mapping, remarks: remarks(mapping, rows))
  }

  private static func noColumn(_ names: String) -> Sentence {
    Sentence("a table has no column for \(code: names)")
  }

  /// Rejects what is not about single rules.
  private static func requirePlainHead(_ mapping: Mapping) throws(ExportDefect) {
    var names: [String] = []
    if mapping.precedence != .highestValue { names.append("precedence") }
    if mapping.isRaiseOnly, mapping.device.hasWindows { names.append("raise-only") }
    if mapping.measurementWindowHours != nil { names.append("measurement-window-hours") }
    if !mapping.partners.isEmpty { names.append("partners") }
    if !mapping.declaredEvents.isEmpty { names.append("declared-events") }
    guard !names.isEmpty else { return }
    throw ExportDefect(code: .notInTable, sentence: noColumn(names.joined(separator: ", ")), places: [])
  }

  /// Rejects rules, all at once that have the first of the reasons.
  private static func reject(
    _ obstacles: [(sentence: Sentence, place: ExportPlace)]
  ) throws(ExportDefect) {
    guard let first = obstacles.first?.sentence else { return }
    throw ExportDefect(
      code: .notInTable, sentence: first, places: obstacles.filter { $0.sentence == first }.map(\.place))
  }

  /// What a row has no cell for; `nil` for nothing.
  private static func obstacle(_ conditions: Conditions) -> Sentence? {
    if conditions.events.count > 1 {
      return Sentence("a row of a table has one event, and the rule has \(conditions.events.count)")
    }
    if conditions.conversionTypes != .all { return noColumn("conversion-types") }
    if conditions.revenue != nil, !conditions.events.isEmpty {
      return Sentence(
        "a row of a table has the revenue of its event, and the rule has a range of the revenue of all events"
      )
    }
    for revenue in conditions.revenues {
      if revenue.range.lower == .unbounded, revenue.range.upper == .unbounded {
        return Sentence("the range of revenue has no end")
      }
      let stated = RevenueCondition(
        revenue.range, revenue.currency, representative: revenue.representative)
      if stated != revenue { return noColumn("low, high") }
    }
    return nil
  }

  private static func cells(_ rule: FineRule) -> [Column: CSV.Cell] {
    var cells = cells(rule.conditions, rule.label, rule.lock)
    cells[.value] = .integer(Int64(rule.value.number))
    cells[.coarse] = rule.coarse.map { .verbatim($0.rawValue) }
    cells[.window] = .integer(1)
    return cells
  }

  private static func cells(
    _ rule: CoarseRule, _ window: ConversionWindow, _ totals: CoarseRules.Totals
  ) -> [Column: CSV.Cell] {
    var cells = cells(rule.conditions, rule.label, rule.lock)
    cells[.coarse] = .verbatim(rule.value.rawValue)
    cells[.window] = .integer(Int64(window.rawValue) + 1)
    if totals != .sinceInstall { cells[.totals] = .verbatim(totals.rawValue) }
    return cells
  }

  private static func cells(
    _ conditions: Conditions, _ label: String?, _ lock: Bool
  ) -> [Column: CSV.Cell] {
    var cells: [Column: CSV.Cell] = [:]
    if let event = conditions.events.first {
      cells[.event] = .string(event.name)
      if event.count != .atLeastOnce {
        cells[.countFrom] = .integer(Int64(event.count.min))
        cells[.countTo] = event.count.max.map { .integer(Int64($0)) }
      }
    }
    if let revenue = conditions.revenues.first {
      cells[.revenueFrom] = revenue.range.lower.amount.map { .number($0.description) }
      cells[.revenueTo] = revenue.range.upper.amount.map { .number($0.description) }
      if let ends = ends(revenue.range) { cells[.ends] = .verbatim(ends.rawValue) }
      // The middle of the range follows from its ends, also after someone changed them.
      if revenue.representative != RevenueCondition(revenue.range, revenue.currency)?.representative {
        cells[.worth] = revenue.representative.map { .number($0.description) }
      }
      cells[.currency] = .verbatim(revenue.currency.text)
    }
    if let hours = conditions.activeHours {
      cells[.hoursFrom] = .integer(Int64(hours.from))
      cells[.hoursTo] = .integer(Int64(hours.to))
    }
    cells[.label] = label.map { .string($0) }
    if lock { cells[.lock] = .verbatim("yes") }
    return cells
  }

  /// Which ends belong to a range; `nil` where it is the lower one, or there is only one end and it does what is usual.
  private static func ends(_ range: AmountRange) -> Ends? {
    let hasLower = if case .open = range.lower { false } else { true }
    let hasUpper = if case .closed = range.upper { true } else { false }
    return switch (hasLower, hasUpper) {
    case (true, false): nil
    case (true, true): .both
    case (false, true): .upper
    case (false, false): .neither
    }
  }

  private static func bytes(_ rows: [[Column: CSV.Cell]]) -> [UInt8] {
    let columns = Column.allCases.filter { column in
      usual.contains(column) || rows.contains { $0[column] != nil }
    }
    var text = CSV.line(columns.map { .verbatim($0.rawValue) })
    for row in rows { text += CSV.line(columns.map { row[$0] ?? .none }) }
    return Array(text.utf8)
  }

  /// Rejects texts that do not survive, such as those that begin with a blank or have control characters.
  private static func requireSame(_ mapping: Mapping, _ bytes: [UInt8]) throws(ExportDefect) {
    let context = ImportContext(
      name: mapping.name, app: mapping.app, currency: mapping.currency, effectiveFrom: mapping.effectiveFrom,
      device: mapping.device)
    let read: Mapping?
    do throws(FormatDefect) { read = try MappingTable(bytes).mapping(context).mapping } catch { read = nil }
    guard read != mapping else { return }
    var places: [ExportPlace] = zip(mapping.fine, read?.fine ?? []).filter { $0 != $1 }.map {
      .rule(.fine($0.0.value))
    }
    for (window, rules) in mapping.coarse.sorted(by: { $0.key < $1.key }) {
      places += zip(rules.rules, read?.coarse[window]?.rules ?? []).filter { $0 != $1 }.map {
        .rule(.coarse(window, $0.0.value))
      }
    }
    throw ExportDefect(
      code: .notInTable, sentence: Sentence("a text does not come back from a table as it is"),
      places: places)
  }

  /// What a reader has to know besides the table.
  private static func remarks(_ mapping: Mapping, _ rows: [[Column: CSV.Cell]]) -> [ExportRemark] {
    let format = Sentence("spreadsheet")
    let first = rows.lazy.compactMap { $0[.currency] }.first
    var remarks: [(ExportRemark.Code, Sentence)] = [
      (.name, Sentence("\(format) files have no mapping name; give it when importing")),
      (.app, Sentence("\(format) files have no app; give it when importing")),
    ]
    if first != .verbatim(mapping.currency.text) {
      remarks.append(
        (.currency, Sentence("\(format) files have no mapping currency; give it when importing")))
    }
    remarks += [
      (.date, Sentence("\(format) files have no start date; give it when importing")),
      (.device, Sentence("\(format) files have no protocol; give it when importing")),
    ]
    return remarks.map { ExportRemark(code: $0, sentence: $1, places: []) }
  }
}
