import Ledger
import Postbacks
import Values

/// Rows of a campaign report below the sums that they are parts of.
package enum CampaignOutline {
  /// Which digits the conversions of a row of the tree have.
  package enum Level: String, Sendable {
    case network
    /// All whose last digits are the row's.
    case twoDigits = "2-digits"
    case threeDigits = "3-digits"
    case fourDigits = "4-digits"
    /// Those that arrived with no more than these.
    case twoDigitsOnly = "2-digits-only"
    case threeDigitsOnly = "3-digits-only"
    case campaignID = "campaign-id"
  }

  /// Where a row is among rows and their sums.
  package struct Place: Hashable, Sendable {
    /// `nil` where rows are no tree.
    package fileprivate(set) var level: Level?
    package let key: String
    /// The key of the row that it is a part of; `nil` for none.
    package fileprivate(set) var parent: String?
    /// Whether it adds up other rows.
    package let isSum: Bool
    let depth: Int
  }

  /// Sums by network, and by the last two and three digits of source identifiers, each with its parts behind it.
  ///
  /// A source identifier arrives with two, three or four digits, the last ones of the campaign's. A row of fewer digits
  /// has conversions of several campaigns, so what arrived with no more digits is a part of its own. Each conversion is
  /// in one row that is no sum.
  /// Source: Apple, "Receiving postbacks in multiple conversion windows".
  ///
  /// - Parameters:
  ///   - lines: Rows by the digits that arrived.
  ///   - dimensions: What they are grouped by; the other ones than the campaign have a tree for each of their values.
  /// - Returns: The sums with the rows.
  static func tree(
    _ lines: [CampaignTable.Line], by dimensions: [CampaignDimension], of table: CampaignTable
  ) -> [CampaignTable.Line] {
    let others = dimensions.filter { $0 != .campaign }
    let trees = grouped(lines) { line in others.map { line.row?[$0]?.text ?? CampaignDimension.none } }
    return trees.flatMap { words, lines -> [CampaignTable.Line] in
      var tree = Tree(table: table, kept: others)
      tree.add(lines, key: words.joined(separator: "/"))
      return tree.lines
    }
  }

  /// Sums by the first dimension, each with its rows behind it.
  ///
  /// - Returns: The sums with the rows.
  static func subtotals(
    _ lines: [CampaignTable.Line], by first: ReportDimension, of table: CampaignTable
  ) -> [CampaignTable.Line] {
    func word(_ line: CampaignTable.Line) -> [String?] {
      switch first {
      case .stored(.campaign): [line.row?.campaign?.text, line.row?.campaign?.kind]
      case .stored(let dimension): [line.row?[dimension]?.text]
      case .named(let dimension): [line.label[dimension]]
      }
    }
    return grouped(lines, by: word).flatMap { words, lines -> [CampaignTable.Line] in
      let key = (["subtotal"] + words.map { $0 ?? "" }).joined(separator: "\u{1F}")
      guard let row = common(of: lines) else { return lines }
      let (dimensions, names): ([CampaignDimension], [NameDimension]) =
        switch first {
        case .stored(let dimension): ([dimension], [])
        case .named(let dimension): ([], [dimension])
        }
      let sum = CampaignTable.Line(
        sumOf: lines, of: table, row.keeping(dimensions), lines[0].label.keeping(names),
        at: Place(key: key, isSum: true, depth: 0))
      return [sum]
        + lines.map { line in
          var line = line
          line.outline = Place(key: line.key, parent: key, isSum: false, depth: 1)
          return line
        }
    }
  }

  /// Lines that have something in common, in the order in which it appears first.
  private static func grouped<Key: Hashable>(
    _ lines: [CampaignTable.Line], by key: (CampaignTable.Line) -> Key
  ) -> [(key: Key, lines: [CampaignTable.Line])] {
    var places: [Key: Int] = [:]
    var groups: [(key: Key, lines: [CampaignTable.Line])] = []
    for line in lines {
      let key = key(line)
      if let place = places[key] {
        groups[place].lines.append(line)
      } else {
        places[key] = groups.count
        groups.append((key, [line]))
      }
    }
    return groups
  }

  /// A row with the dimensions of the first line and the days of all; those compared with count where they are alone.
  private static func common(of lines: [CampaignTable.Line]) -> CampaignRow? {
    let current = lines.filter(\.isCurrent)
    let rows = (current.isEmpty ? lines : current).compactMap(\.row)
    guard var row = rows.first else { return nil }
    let bounds = rows.map(\.days)
    row.days =
      bounds.reduce(row.days.lowerBound) {
        min($0, $1.lowerBound)
      }...bounds.reduce(row.days.upperBound) { max($0, $1.upperBound) }
    return row
  }

  /// The rows of one network and of one value of each further dimension.
  private struct Tree {
    let table: CampaignTable
    let kept: [CampaignDimension]
    private(set) var lines: [CampaignTable.Line] = []

    init(table: CampaignTable, kept: [CampaignDimension]) {
      self.table = table
      self.kept = kept
    }

    mutating func add(_ parts: [CampaignTable.Line], key: String) {
      guard let row = common(of: parts) else { return }
      add(sumOf: parts, row.keeping(kept), Place(level: .network, key: key, isSum: true, depth: 0))
      for part in parts {
        guard case .campaignID(let campaign)? = part.row?.campaign else { continue }
        add(part, .campaignID, "\(key)/id-\(campaign.number)", in: key, depth: 1)
      }
      let sources = parts.filter { if case .sourceIdentifier? = $0.row?.campaign { true } else { false } }
      addSums(of: sources, digits: 2, in: key, depth: 1)
    }

    /// Adds a sum for each of the last digits, with what arrived with no more of them and what arrived with more.
    private mutating func addSums(
      of parts: [CampaignTable.Line], digits: Int, in parent: String, depth: Int
    ) {
      for (word, parts) in Dictionary(grouping: parts, by: { $0.arrived.suffix(digits) }).ordered(by: {
        $0.key < $1.key
      }) {
        let key = "\(parent)/\(word)"
        guard var row = common(of: parts) else { continue }
        row[.campaign] = Campaign(digits: String(word), isSourceIdentifier: true).map { .campaign($0) }
        add(
          sumOf: parts, row.keeping(kept + [.campaign]),
          Place(
            level: digits == 2 ? .twoDigits : .threeDigits, key: key, parent: parent, isSum: true,
            depth: depth))
        for part in parts where part.arrived.utf8.count == digits {
          add(
            part, digits == 2 ? .twoDigitsOnly : .threeDigitsOnly, "\(key)/only", in: key, depth: depth + 1)
        }
        let longer = parts.filter { $0.arrived.utf8.count > digits }
        if digits == 2 {
          addSums(of: longer, digits: 3, in: key, depth: depth + 1)
        } else {
          for part in longer.ordered(by: { $0.arrived < $1.arrived }) {
            add(part, .fourDigits, "\(key)/\(part.arrived)", in: key, depth: depth + 1)
          }
        }
      }
    }

    private mutating func add(sumOf parts: [CampaignTable.Line], _ row: CampaignRow, _ place: Place) {
      lines.append(CampaignTable.Line(sumOf: parts, of: table, row, .none, at: place))
    }

    private mutating func add(
      _ part: CampaignTable.Line, _ level: Level, _ key: String, in parent: String, depth: Int
    ) {
      var line = part
      line.outline = Place(level: level, key: key, parent: parent, isSum: false, depth: depth)
      lines.append(line)
    }
  }
}

extension CampaignTable.Line {
  /// The digits that it arrived with.
  fileprivate var arrived: String { digits ?? "" }
}
