package import Ledger
import Values

extension CampaignTable {
  /// A row of the report: a row of the table, a sum of several, or everything.
  ///
  /// It refers to what it is about, so that lines cost little where they are sorted, cut and kept.
  package struct Line: Sendable {
    private enum Subject: Sendable {
      case row(Int, CampaignTable)
      case sum(Sum)
      /// A sum without any.
      case none
    }

    private final class Sum: Sendable {
      let row: CampaignRow
      let name: CampaignNames.Match
      let label: CampaignLabel

      init(_ row: CampaignRow, _ name: CampaignNames.Match, _ label: CampaignLabel) {
        (self.row, self.name, self.label) = (row, name, label)
      }
    }

    /// All of a line behind one reference: it is copied for each of its hundred cells.
    private final class Content: Sendable {
      let table: CampaignTable
      let subject: Subject
      let figures: CampaignFigures
      private let own: OwnDetails?

      init(_ table: CampaignTable, _ subject: Subject, _ figures: CampaignFigures, _ details: Details?) {
        (self.table, self.subject, self.figures) = (table, subject, figures)
        own = details.map { OwnDetails($0) }
      }

      var details: Details { own?.details ?? Details() }
    }

    /// What few lines have takes no memory of the others.
    private final class OwnDetails: Sendable {
      let details: Details

      init(_ details: Details) { self.details = details }
    }

    /// What few lines have.
    struct Details: Sendable {
      /// Whether anything is there in the days of the report, and not in those compared with alone.
      var isCurrent = true
      /// The figures of the days compared with; `nil` where those have no such row.
      var earlier: CampaignFigures?
      /// The table of the days compared with.
      var earlierTable: CampaignTable?
      /// How many rows it adds up; `nil` for a row of its own.
      var summed: Int?
      /// Where it is among rows and their sums; `nil` where all rows are side by side.
      var outline: CampaignOutline.Place?
      /// The only name that networks sent for its campaign; `nil` where that was not asked for.
      var sentName: String?
    }

    private var content: Content

    var table: CampaignTable { content.table }
    private var subject: Subject { content.subject }
    var figures: CampaignFigures { content.figures }
    var isCurrent: Bool { content.details.isCurrent }
    var earlier: CampaignFigures? { content.details.earlier }
    var earlierTable: CampaignTable? { content.details.earlierTable }
    var summed: Int? { content.details.summed }
    var sentName: String? { content.details.sentName }
    package internal(set) var outline: CampaignOutline.Place? {
      get { content.details.outline }
      set { change { $0.outline = newValue } }
    }

    mutating func change(_ change: (inout Details) -> Void) {
      var details = content.details
      change(&details)
      content = Content(content.table, content.subject, content.figures, details)
    }

    private init(
      _ table: CampaignTable, _ subject: Subject, _ figures: CampaignFigures, _ details: Details? = nil
    ) {
      content = Content(table, subject, figures, details)
    }

    init(_ table: CampaignTable, row: Int) {
      self.init(table, .row(row, table), table.figures[row])
    }

    init(totalOf table: CampaignTable, comparedWith earlier: CampaignTable? = nil) {
      self.init(
        table, .none, table.totalFigures,
        Details(earlier: earlier?.totalFigures, earlierTable: earlier))
    }

    /// A row that only the days compared with have.
    init(_ table: CampaignTable, onlyIn earlier: CampaignTable, row: Int) {
      self.init(
        table, .row(row, earlier), .none,
        Details(isCurrent: false, earlier: earlier.figures[row], earlierTable: earlier))
    }

    init(sumOf lines: [Self], of table: CampaignTable) {
      self.init(sumOf: lines, of: table, .none, areOfOneWindow: false)
      change { $0.summed = lines.count }
    }

    private init(sumOf lines: [Self], of table: CampaignTable, _ subject: Subject, areOfOneWindow: Bool) {
      let figures = CampaignFigures(sumOf: lines.lazy.map(\.figures), areOfOneWindow: areOfOneWindow)
      let earlier = lines.compactMap(\.earlier)
      self.init(
        table, subject, figures,
        Details(
          isCurrent: lines.contains(where: \.isCurrent),
          earlier: earlier.isEmpty
            ? nil : CampaignFigures(sumOf: earlier, areOfOneWindow: areOfOneWindow),
          earlierTable: lines.first?.earlierTable))
    }

    /// The sum of rows that have some dimensions in common: those of a row, and of what campaigns are called.
    init(
      sumOf lines: [Self], of table: CampaignTable, _ row: CampaignRow, _ label: CampaignLabel,
      at place: CampaignOutline.Place
    ) {
      self.init(
        sumOf: lines, of: table, .sum(Sum(row, table.match(row), label)), areOfOneWindow: row.window != nil)
      outline = place
    }

    /// The row with the dimensions; `nil` for a sum that has none.
    var row: CampaignRow? {
      switch subject {
      case .row(let number, let table): table.rows[number]
      case .sum(let sum): sum.row
      case .none: nil
      }
    }
    /// What is found in the row with the dimensions, which takes long to copy for each of its cells.
    package func found<Value>(_ find: (CampaignRow) -> Value?) -> Value? {
      switch content.subject {
      case .row(let number, let table):
        let rows = table.rows
        return find(rows.span[number])
      case .sum(let sum): return find(sum.row)
      case .none: return nil
      }
    }

    var name: CampaignNames.Match {
      switch subject {
      case .row(let number, let table): table.names[number]
      case .sum(let sum): sum.name
      case .none: .unknown
      }
    }
    /// What its campaigns are called, where rows are distinguished by it.
    var label: CampaignLabel {
      switch subject {
      case .row(let number, let table): table.label(number)
      case .sum(let sum): sum.label
      case .none: .none
      }
    }
    package var counts: CampaignCounts { figures.counts }
    var tally: RevenueTally { figures.tally }
    var networkName: String? {
      found { row in
        row.network.flatMap { table.networkNames.name(ofNetwork: $0, on: row.days.upperBound) }
      }
    }
    var named: CampaignNameRow? { if case .known(let row) = name { row } else { nil } }

    /// What distinguishes it from all others; no row has an empty one.
    var key: String { outline?.key ?? row.map { table.key($0, label) } ?? "others" }
  }

  private func label(_ row: Int) -> CampaignLabel { labels.isEmpty ? .none : labels[row] }

  private func key(_ row: CampaignRow, _ label: CampaignLabel) -> String {
    ([row.key] + label.key(naming.dimensions)).joined(separator: "\u{1F}")
  }

  /// The rows of a report, compared with those of other days.
  ///
  /// - Parameter earlier: The table of the other days.
  /// - Returns: The rows; those that only the other days have come last.
  func lines(comparedWith earlier: CampaignTable?) -> [Line] {
    var lines = rows.indices.map { Line(self, row: $0) }
    guard let earlier else { return lines }
    var places = Dictionary(
      earlier.rows.indices.lazy.map { (earlier.key(earlier.rows[$0], earlier.label($0)), $0) },
      uniquingKeysWith: { first, _ in first })
    for index in lines.indices {
      let figures = places.removeValue(forKey: lines[index].key).map { earlier.figures[$0] }
      lines[index].change { ($0.earlierTable, $0.earlier) = (earlier, figures) }
    }
    return lines + places.values.sorted().map { Line(self, onlyIn: earlier, row: $0) }
  }
}

extension CampaignRow {
  /// What distinguishes the row from all others; no name has a letter in it that separates names in files.
  var key: String {
    (CampaignDimension.allCases.map { self[$0]?.text } + [campaign?.kind]).map { $0 ?? "" }
      .joined(separator: "\u{1F}")
  }
}
