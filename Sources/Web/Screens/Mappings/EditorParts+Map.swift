import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Simulation
import Values

extension EditorParts {
  /// Shares from which on a cell is darker, in per cent of users.
  private static let steps = [0, 0.001, 0.003, 0.01, 0.03, 0.06, 0.12]

  var map: HTML {
    let cells = answer.cells
    guard !cells.isEmpty else { return "<p class=\"s\">\(texts.editorNotShown)</p>" }
    let letters = EventLetters(answer.root)
    let days = Days(cells)
    let grid = ValueGrid.markup(
      "\(texts.editorMap). \(texts.editorMapHelp)", attributes: " data-map id=\"draftmap\""
    ) { cell(cells[$0], $0, letters, days) }
    return """
      \(grid)\(legend(letters, days))<p class="s" id="celltext" aria-live="polite"></p>\
      \(Panel.asTable(table(cells), texts))
      """
  }

  /// The days that the values of an event are for, where there are several.
  private struct Days {
    private var starts: [String: [Int]] = [:]

    init(_ cells: [DraftCell]) {
      for cell in cells {
        guard let kind = cell.kind, let from = kind.hours?.from else { continue }
        starts[kind.event, default: []].append(from)
      }
      starts = starts.mapValues { Set($0).sorted() }
    }

    /// The number of a value's day, from 1; `nil` where its event has one day only.
    subscript(kind: DraftCell.Kind) -> Int? {
      guard let all = starts[kind.event], all.count > 1, let from = kind.hours?.from else { return nil }
      return all.firstIndex(of: from).map { $0 + 1 }
    }

    func count(of event: String) -> Int { starts[event]?.count ?? 0 }
  }

  private func mark(_ cell: DraftCell, _ letters: EventLetters, _ days: Days) -> HTML {
    guard let kind = cell.kind, let mark = letters[kind.event] else { return "" }
    return "<span class=\"ev e\(mark.style)\">\(mark.letter)\(days[kind].map { "\($0)" } ?? "")</span>"
  }

  private func legend(_ letters: EventLetters, _ days: Days) -> HTML {
    let items = letters.names.map { name -> HTML in
      let mark = letters[name]
      let word: HTML = name.isEmpty ? texts.editorAllRevenue : "<bdi>\(name)</bdi>"
      let count = days.count(of: name)
      let more: HTML = count > 1 ? ", \(texts.editorDaysOf(count: "\(count)"))" : ""
      return "<li><span class=\"ev e\(mark?.style ?? 0)\">\(mark?.letter ?? "")</span>\(word)\(more)</li>"
    }
    return "<ul class=\"legend\">\(items.joined())</ul>"
  }

  private func severity(of key: String) -> MappingFinding.Severity? {
    let own = answer.findings.filter { $0.slot?.key == key }.map(\.finding.severity)
    return own.contains(.error) ? .error : own.first
  }

  private func cell(_ cell: DraftCell, _ value: Int, _ letters: EventLetters, _ days: Days) -> HTML {
    let row = cell.meanings.first
    let meaning = texts.say(
      phrase: .joined(
        [row?.label, row?.condition, row?.hours.map { Sentence("\($0) h") }].compactMap { $0 }, by: ", "))
    let range = row.map { revenueRange($0) } ?? ""
    let share = cell.users?.share
    let isUsed = cell.isUsed
    var style = isUsed ? "h\(share.map { share in Self.steps.firstIndex { share <= $0 } ?? 7 } ?? 1)" : "un"
    var sign: HTML = ""
    switch severity(of: cell.slot.key) {
    case .error:
      style += " err"
      sign = "✕"
    case .warning:
      style += " wrn"
      sign = "!"
    case nil: break
    }
    let name: HTML =
      if !isUsed {
        texts.editorCellUnused(value: "\(value)")
      } else if let share {
        texts.editorCellUsers(
          value: "\(value)", meaning: meaning, share: "\(Marks.shareText(share))")
      } else {
        texts.editorCellUsed(value: "\(value)", meaning: meaning)
      }
    let number: HTML =
      isUsed ? share.map { "\(Marks.local(fixed($0 * 100, 1)))<small>\u{A0}%</small>" } ?? "" : ""
    let isPinned = context.address["value"].first == "\(value)"
    return """
      <button type="button" class="cell \(style)" data-v="\(value)" tabindex="\(value == 0 ? 0 : -1)" \
      aria-pressed="\(isPinned ? "true" : "false")" aria-label="\(name)"><span class="v">\(value)</span>\
      <span class="m"><span class="w">\(sign)</span>\(mark(cell, letters, days))</span><span class="n">\(number)</span>\
      <span class="t">\(range)</span></button>
      """
  }

  /// The revenue of the users of a rule; its label where it asks for none.
  private func revenueRange(_ row: MeaningText) -> HTML {
    guard let low = row.low, let high = row.high else { return row.label.map { texts.say(phrase: $0) } ?? "" }
    let isOpen = row.revenue.count == 1 && row.revenue[0].high == nil
    return texts.say(phrase: isOpen ? Sentence("≥ \(low)") : Sentence("\(low)–\(high)"))
  }

  private func table(_ cells: [DraftCell]) -> HTML {
    let meanings = cells.map { cell -> HTML in
      let rows = cell.meanings.compactMap { row -> Sentence? in
        let parts = [row.label, row.condition, row.mid, row.hours].compactMap { $0 }
        return parts.isEmpty ? nil : .joined(parts, by: ", ")
      }
      return rows.isEmpty
        ? "<span class=\"soft\">\(texts.mappingsNoMeaning)</span>"
        : "<bdi>\(texts.say(phrase: .joined(rows, by: "; ")))</bdi>"
    }
    func users(_ title: HTML, _ shown: (DraftCell.Users) -> HTML?) -> DataTable.Column {
      .init(title, cells.map { $0.users.flatMap(shown) ?? Marks.none(texts) })
    }
    return Panel.table(
      texts.editorMap,
      [
        .init(texts.mappingsValue, isNumber: false, cells.map { "\($0.slot.key)" }),
        .init(texts.editorMeaning, isNumber: false, meanings),
        users(texts.editorUsers) { Marks.count(Int64($0.count)) },
        users(texts.editorShare) { $0.share.map { Marks.share($0) } },
        users("\(texts.editorRevenue), \(currency)") { Marks.money($0.revenue.amount) },
      ], texts)
  }
}
