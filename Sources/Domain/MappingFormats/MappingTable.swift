import CSVText
import JSONText
import Mappings
import Postbacks
import Values

/// Our own table of a mapping, as people keep one in a spreadsheet: one row for each rule.
///
/// A row with a conversion value is the rule of that value; any other row is the rule of a coarse value of its window. A
/// range includes its lower end and not its upper end, unless `ends` states otherwise. What a cell means is certain, or
/// the whole table is rejected with the cell's place.
struct MappingTable: Sendable {
  /// The columns in the order in which they are written; the raw value is the heading.
  enum Column: String, CaseIterable, Sendable {
    case value, coarse, window, totals, event
    case countFrom = "count from"
    case countTo = "count to"
    case revenueFrom = "revenue from"
    case revenueTo = "revenue to"
    case ends, worth, currency
    case hoursFrom = "hours from"
    case hoursTo = "hours to"
    case lock, label
    /// For people; never read.
    case comment
  }

  /// Which ends belong to a range.
  enum Ends: String, CaseIterable {
    case lower, upper, both, neither
  }

  fileprivate struct Heading {
    let column: Column
    /// What numbers below it are multiplied by: 24 for days.
    let scale: Int64
  }

  private let rows: [TableRow]

  /// Takes a table apart.
  ///
  /// - Throws: ``FormatDefect`` for what is no table, a column that is unknown or there twice, and cells beside the
  ///   columns.
  init(_ bytes: [UInt8]) throws(FormatDefect) {
    let records: [CSVReader.Record]
    do throws(CSVReader.Defect) { records = try CSVTable.records(bytes).filter(\.hasText) } catch {
      throw FormatDefect(
        error.reason.rawValue, line: error.line, Sentence("the file is not CSV: \(error.reason.sentence)"))
    }
    let header = try Self.headings(records.first)
    let hasDecimalCommas = records.dropFirst().contains { record in
      zip(header, record.cells).contains { heading, cell in
        heading?.column.isAmount == true && cell.contains(",")
      }
    }
    var rows: [TableRow] = []
    for record in records.dropFirst() {
      var cells: [Column: TableRow.Cell] = [:]
      for (index, text) in record.cells.enumerated() {
        let text = text.trimmed
        guard !text.isEmpty else { continue }
        guard index < header.count, let heading = header[index] else {
          throw FormatDefect(
            "cell-without-column", line: record.line,
            Sentence("the row has more cells than the header; quote a cell that has the separator in it"))
        }
        cells[heading.column] = TableRow.Cell(text: text, scale: heading.scale)
      }
      rows.append(TableRow(line: record.line, cells: cells, hasDecimalCommas: hasDecimalCommas))
    }
    self.rows = rows
  }

  /// The headings in their order; `nil` for an empty one.
  fileprivate static func headings(_ record: CSVReader.Record?) throws(FormatDefect) -> [Heading?] {
    let line = record?.line ?? 1
    var headings: [Heading?] = []
    for text in record?.cells ?? [] {
      guard !text.trimmed.isEmpty else {
        headings.append(nil)
        continue
      }
      guard let heading = Heading(text) else {
        let known = Column.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")
        throw FormatDefect(
          "unknown-column", line: line,
          Sentence(
            "the column \(name: quoted(text)) is unknown; delete it, or name it one of \(code: known)"))
      }
      guard !headings.contains(where: { $0?.column == heading.column }) else {
        throw FormatDefect(
          "repeated-column", line: line,
          Sentence("the column \(code: quoted(heading.column.rawValue)) is there twice"))
      }
      headings.append(heading)
    }
    guard headings.contains(where: { $0?.column == .value }) else {
      let lacking = quoted(Column.value.rawValue)
      throw FormatDefect(
        ImportDefect.notThisFormat.rawValue, line: line, Sentence("the header lacks \(code: lacking)"))
    }
    return headings
  }

  /// The listed currency that the table has first.
  var currency: CurrencyCode? {
    rows.lazy.compactMap { $0.cells[.currency].flatMap { CurrencyCode(anyCase: $0.text) } }.first
  }

  /// Makes a mapping of the rows.
  ///
  /// - Throws: ``FormatDefect`` for the first cell whose meaning is not certain, and for what no mapping can have.
  func mapping(_ context: ImportContext) throws(FormatDefect) -> ImportedMapping {
    var fine: [FineRule] = []
    var coarse: [ConversionWindow: [CoarseRule]] = [:]
    var totals: [ConversionWindow: CoarseRules.Totals] = [:]
    var lines: [WindowValue: Int] = [:]
    for row in rows {
      switch try row.rule(context) {
      case .fine(let rule):
        fine.append(rule)
        lines[.fine(rule.value)] = row.line
      case .coarse(let window, let stated, let rule):
        if let stated, totals.updateValue(stated, forKey: window) ?? stated != stated {
          throw row.defect(
            "totals-differ", .totals,
            Sentence("window \(window.rawValue + 1) has other totals in an earlier row"))
        }
        coarse[window, default: []].append(rule)
        lines[.coarse(window, rule.value)] = row.line
      }
    }
    guard !rows.isEmpty else {
      throw FormatDefect(
        ImportDefect.noRule.rawValue, line: 1, Sentence("the file has no rule that can be imported"))
    }
    let mapping = Mapping(
      name: context.name, app: context.app, currency: context.currency, effectiveFrom: context.effectiveFrom,
      device: context.device, fine: fine,
      coarse: coarse.reduce(into: [:]) {
        $0[$1.key] = CoarseRules(totals: totals[$1.key] ?? .sinceInstall, rules: $1.value)
      })
    // Rows that are sound can still break the rules of a mapping together.
    let findings = MappingDocument.read(mapping.json.bytes()).findings
    if let finding = findings.first(where: { $0.severity == .error }) {
      throw FormatDefect(
        finding.code.text, line: finding.slot.flatMap { lines[$0] } ?? rows[0].line, finding.sentence)
    }
    return ImportedMapping(mapping: mapping, remarks: [])
  }
}

extension MappingTable.Column {
  /// What else people call the column, in lower case and without separators.
  fileprivate var synonyms: [String] {
    switch self {
    case .value: ["conversionvalue", "finevalue", "fine", "cv"]
    case .coarse: ["coarsevalue", "coarseconversionvalue"]
    case .event: ["eventname"]
    case .countFrom: ["timesfrom", "mincount", "countmin"]
    case .countTo: ["timesto", "maxcount", "countmax"]
    case .revenueFrom: ["fromrevenue", "minrevenue", "revenuemin"]
    case .revenueTo: ["torevenue", "maxrevenue", "revenuemax"]
    case .worth: ["representative"]
    case .currency: ["currencycode"]
    case .hoursFrom: ["fromhours", "fromhour"]
    case .hoursTo: ["tohours", "tohour"]
    case .label: ["meaning"]
    case .comment: ["comments", "note", "notes"]
    case .window, .totals, .ends, .lock: []
    }
  }

  fileprivate var isAmount: Bool { [.revenueFrom, .revenueTo, .worth].contains(self) }
}

extension MappingTable.Heading {
  /// Reads a heading; upper case, spaces, hyphens and underscores make no difference.
  fileprivate init?(_ text: String) {
    let plain = text.lowercased().filter { !" -_.\u{A0}".contains($0) }
    switch plain {
    case "daysfrom": self.init(column: .hoursFrom, scale: 24)
    case "daysto": self.init(column: .hoursTo, scale: 24)
    default:
      let column = MappingTable.Column.allCases.first {
        $0.rawValue.filter { $0 != " " } == plain || $0.synonyms.contains(plain)
      }
      guard let column else { return nil }
      self.init(column: column, scale: 1)
    }
  }
}

extension CSVReader.Record {
  /// Whether any cell has more than blanks: spreadsheets write rows of separators alone.
  fileprivate var hasText: Bool { cells.contains { !$0.trimmed.isEmpty } }
}

extension String {
  fileprivate var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension FormatDefect {
  init(_ code: String, line: Int, column: MappingTable.Column? = nil, _ sentence: Sentence) {
    let cell = column.map { ", column \(quoted($0.rawValue))" } ?? ""
    self.init(code: code, place: "line \(line)\(cell)", line: line, sentence: sentence)
  }
}
