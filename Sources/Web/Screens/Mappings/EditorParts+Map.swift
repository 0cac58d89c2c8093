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
    let marks = ValueMarks(cells.map(\.kind), EventLetters(answer.root))
    let grid = ValueGrid.markup(
      "\(texts.editorMap). \(texts.editorMapHelp)", attributes: " data-map id=\"draftmap\""
    ) { cell(cells[$0], $0, marks) }
    return """
      \(grid)\(marks.legend(texts))<p class="s" id="celltext" aria-live="polite"></p>\
      \(Panel.asTable(table(cells), texts))
      """
  }

  private func severity(of key: String) -> MappingFinding.Severity? {
    let own = answer.findings.filter { $0.slot?.key == key }.map(\.finding.severity)
    return own.contains(.error) ? .error : own.first
  }

  private func cell(_ cell: DraftCell, _ value: Int, _ marks: ValueMarks) -> HTML {
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
      <span class="m"><span class="w">\(sign)</span>\(marks.markup(cell.kind))</span><span class="n">\(number)</span>\
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
        users("\(texts.editorRevenue), \(currency)") { Marks.money($0.revenue) },
      ], texts)
  }
}
