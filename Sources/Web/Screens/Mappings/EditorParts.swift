import JSONText
import MappingLibrary
import Mappings
import Markup
import Pages
import Postbacks
import Simulation
import Values

/// The parts of the editor that follow from an answer: a script asks for them anew after each edit.
struct EditorParts {
  let answer: EditorAnswer
  let context: ScreenContext
  let currency: String

  private var texts: Texts { context.texts }

  /// The form view.
  var fields: HTML {
    let errors = answer.findings.filter { $0.finding.severity == .error }
    return EditorFields(
      fields: DraftField.all(of: answer.root), texts: texts, isLocked: !context.mayEdit,
      wrong: Set(errors.map(\.finding.path.description))
    ).markup
  }

  // MARK: Map

  /// Shares from which on a cell is darker, in per cent of users.
  private static let steps = [0, 0.001, 0.003, 0.01, 0.03, 0.06, 0.12]

  var map: HTML {
    let cells = answer.cells
    guard !cells.isEmpty else { return "<p class=\"s\">\(texts.editorNotShown)</p>" }
    let head = (0..<8).map { column -> HTML in "<th scope=\"col\">+\(column)</th>" }
    let rows = (0..<8).map { row -> HTML in
      let cells = (0..<8).map { column -> HTML in
        "<td>\(cell(cells[8 * row + column], 8 * row + column))</td>"
      }
      return "<tr><th scope=\"row\">\(8 * row)</th>\(cells.joined())</tr>"
    }
    return """
      <table class="vmap" data-map id="draftmap"><caption class="sr">\(texts.editorMap). \(texts.editorMapHelp)</caption>\
      <thead><tr><td></td>\(head.joined())</tr></thead><tbody>\(rows.joined())</tbody></table>\
      <p class="s" id="celltext" aria-live="polite"></p>\
      <details class="as-table"><summary>\(texts.chartAsTable)</summary>\(table(cells))</details>
      """
  }

  private func severity(of key: String) -> MappingFinding.Severity? {
    let own = answer.findings.filter { $0.slot?.key == key }.map(\.finding.severity)
    return own.contains(.error) ? .error : own.first
  }

  private func cell(_ cell: DraftCell, _ value: Int) -> HTML {
    let meaning = cell.meanings.first.map { $0.label.isEmpty ? $0.condition : $0.label } ?? ""
    let range =
      cell.meanings.first.map { row in
        row.low.isEmpty ? row.label : row.high == "no limit" ? "≥ \(row.low)" : "\(row.low)–\(row.high)"
      } ?? ""
    let share = cell.users?.share
    let isUsed = cell.isUsed
    var style = isUsed ? "h\(share.map { share in Self.steps.firstIndex { share <= $0 } ?? 7 } ?? 1)" : "un"
    var mark: HTML = ""
    switch severity(of: cell.slot.key) {
    case .error:
      style += " err"
      mark = "✕"
    case .warning:
      style += " wrn"
      mark = "!"
    case nil: break
    }
    let name: HTML =
      if !isUsed {
        texts.editorCellUnused(value: "\(value)")
      } else if let share {
        texts.editorCellUsers(value: "\(value)", meaning: "\(meaning)", share: "\(percent(share))")
      } else {
        texts.editorCellUsed(value: "\(value)", meaning: "\(meaning)")
      }
    let number: HTML =
      isUsed ? share.map { "\(fixed($0 * 100, 1))<small>\u{A0}%</small>" } ?? "" : ""
    let isPinned = context.address["value"].first == "\(value)"
    return """
      <button type="button" class="cell \(style)" data-v="\(value)" tabindex="\(value == 0 ? 0 : -1)" \
      aria-pressed="\(isPinned ? "true" : "false")" aria-label="\(name)"><span class="v">\(value)</span>\
      <span class="m">\(mark)</span><span class="n">\(number)</span><span class="t">\(range)</span></button>
      """
  }

  private func table(_ cells: [DraftCell]) -> HTML {
    let rows = cells.map { cell -> [HTML] in
      let meaning =
        cell.meanings.map { row in
          [row.label, row.condition, row.mid, row.activeHours].filter { !$0.isEmpty }.joined(separator: ", ")
        }.joined(separator: "; ")
      return [
        "\(cell.slot.key)",
        meaning.isEmpty ? "<span class=\"soft\">\(texts.mappingsNoMeaning)</span>" : "<bdi>\(meaning)</bdi>",
        cell.users.map { Marks.count(Int64($0.count)) } ?? Marks.none(texts),
        cell.users?.share.map { Marks.share($0) } ?? Marks.none(texts),
        cell.users.map { Marks.money($0.revenue.amount.micros) } ?? Marks.none(texts),
      ]
    }
    return MappingMarks.table(
      texts.editorMap,
      heads: [
        (texts.mappingsValue, false), (texts.editorMeaning, false), (texts.editorUsers, true),
        (texts.editorShare, true), ("\(texts.editorRevenue), \(currency)", true),
      ], rows)
  }

  // MARK: Findings

  var findings: HTML {
    let items = answer.findings.enumerated().map { index, found -> HTML in
      let finding = found.finding
      let badge: HTML =
        finding.severity == .error
        ? "<span class=\"badge bad\">✕ \(texts.editorError)</span>"
        : "<span class=\"badge warn\">! \(texts.editorWarning)</span>"
      let value: HTML =
        found.slot.map { slot -> HTML in
          "<a href=\"#draftmap\" data-goto=\"\(slot.key)\">\(texts.mappingsValue) \(slot.key)</a>"
        } ?? ""
      let repair: HTML =
        if let repair = found.repair, context.mayEdit {
          """
          <button class="btn small" form="draft" name="do" value="repair:\(index)" \
          data-repair="\(index)">\(repair.title)</button>
          """
        } else {
          ""
        }
      let cure: HTML = finding.hint.map { "<p class=\"cure\">\($0)</p>" } ?? ""
      return """
        <li><div class="row between"><span class="row">\(badge)\(value)\
        <span class="s soft">\(texts.editorLine(line: "\(finding.position.line)")), <bdi>\(finding.path.description)</bdi></span>\
        </span>\(repair)</div><p>\(finding.sentence)</p>\(cure)</li>
        """
    }
    let list: HTML =
      items.isEmpty ? "<li>\(texts.editorNoFindings)</li>" : items.joined()
    return """
      <p class="in s">\(texts.editorCount(errors: answer.errors, warnings: answer.warnings))</p><ul class="list">\(list)</ul>
      """
  }

  // MARK: Schedule

  var schedule: HTML {
    let windows = answer.schedule
    guard !windows.isEmpty else { return "<p class=\"s\">\(texts.editorNotShown)</p>" }
    let rows = windows.map { window -> [HTML] in
      [
        "\(window.window.rawValue + 1)",
        window.isUsed ? days(window.hours.lowerBound, window.hours.upperBound) : Marks.none(texts),
        window.locks.isEmpty
          ? texts.editorNever : "\(window.locks.joined(separator: ", "))",
        window.gap.map { days($0.lowerBound, $0.upperBound) } ?? Marks.none(texts),
        window.arrives.map { days($0.lowerBound, $0.upperBound) } ?? Marks.none(texts),
      ]
    }
    return """
      <figure><ul class="legend"><li><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="h5" x="3" width="16" \
      height="12"/></svg>\(texts.editorMeasures)</li><li><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="hf" x="3" \
      width="16" height="12"/></svg>\(texts.editorGap)</li><li><svg viewBox="0 0 22 12" aria-hidden="true">\
      <path class="k2" d="M0 6H22"/></svg>\(texts.editorArrives)</li></ul>\
      <div class="plot">\(chart(windows, "wide", 640))\(chart(windows, "narrow", 340))</div>\
      <details class="as-table"><summary>\(texts.chartAsTable)</summary>\
      \(MappingMarks.table(
        texts.editorSchedule,
        heads: [
          (texts.mappingsWindow, false), (texts.editorMeasuresDays, true), (texts.editorLockAt, false),
          (texts.editorGapDays, true), (texts.editorArrivesDays, true),
        ], rows))</details></figure>
      """
  }

  private func days(_ low: Double, _ high: Double) -> HTML {
    Marks.range("\(trimmed(low / 24, 1))", "\(trimmed(high / 24, 1))")
  }

  private func chart(_ windows: [WindowSchedule], _ style: HTML, _ width: Double) -> HTML {
    let left = 70.0
    let last = max(42, (windows.compactMap { $0.arrives?.upperBound }.max() ?? 0) / 24)
    func x(_ hour: Double) -> String { trimmed(left + (width - left - 12) * min(hour / 24, last) / last, 1) }
    let height = 40 * windows.count + 8
    let ticks = [0.0, 2, 7, 14, 21, 28, 35, 42].map { day -> HTML in
      """
      <path class="g" d="M\(x(day * 24)) 8V\(height)"/><text class="ax" x="\(x(day * 24))" y="\(height + 14)" \
      text-anchor="middle">\(Int(day))</text>
      """
    }
    let bars = windows.enumerated().map { index, window -> HTML in
      let top = 40 * index + 16
      func bar(_ style: String, _ from: Double, _ to: Double) -> HTML {
        let width = (Double(x(to)) ?? 0) - (Double(x(from)) ?? 0)
        return
          "<rect class=\"\(style)\" x=\"\(x(from))\" y=\"\(top)\" width=\"\(trimmed(max(0, width), 1))\" height=\"14\"/>"
      }
      let end = window.gap?.lowerBound ?? window.hours.upperBound
      let measured: HTML = window.isUsed ? bar("h5", window.hours.lowerBound, end) : ""
      let gap: HTML = window.gap.map { bar("hf", $0.lowerBound, $0.upperBound) } ?? ""
      let arrives: HTML =
        window.arrives.map { range -> HTML in
          let (low, high) = (x(range.lowerBound), x(range.upperBound))
          return
            "<path class=\"k2\" d=\"M\(low) \(top + 20)H\(high)M\(low) \(top + 17)v6M\(high) \(top + 17)v6\"/>"
        } ?? ""
      return """
        <text class="b" x="0" y="\(top + 12)">\(texts.editorScheduleWindow(number: "\(window.window.rawValue + 1)"))</text>\
        \(measured)\(gap)\(arrives)
        """
    }
    return """
      <svg class="\(style)" viewBox="0 0 \(Int(width)) \(height + 22)" role="img" aria-label="\(texts.editorScheduleLabel)">\
      \(ticks.joined())\(bars.joined())</svg>
      """
  }

  // MARK: Result

  var result: HTML {
    guard let result = answer.result else {
      return answer.errors > 0
        ? "<p class=\"s\">\(texts.editorNotShown)</p>" : "<p class=\"s\">\(texts.editorNoSample)</p>"
    }
    return """
      <p class="s soft">\(texts.editorResultNote(users: Marks.count(Int64(result.users)), events: Marks.count(Int64(result.events)), seed: "\("\(result.seed)" as String)"))</p>\
      <p id="verdict" aria-live="polite"><b>\(verdict(result))</b></p>\
      \(bars(result))\(figures(result))\(sizes(result))
      """
  }

  private func verdict(_ result: TrialResult) -> HTML {
    guard let comparison = result.comparison, let interval = comparison.interval else {
      return texts.editorNotCompared
    }
    func points(_ value: Double) -> String { fixed(value * 100, 1).replacing("-", with: "−") }
    let gain = Marks.range("\(points(interval.lowerBound))", "\(points(interval.upperBound))")
    let loss = Marks.range("\(points(-interval.upperBound))", "\(points(-interval.lowerBound))")
    return switch comparison.verdict {
    case .bIsBetter: texts.editorBetter(points: "\(points(comparison.gain))", interval: gain)
    case .aIsBetter: texts.editorWorse(points: "\(points(-comparison.gain))", interval: loss)
    case .noDifference: texts.editorNoDifference
    case .undecided: texts.editorUndecided(points: "\(points(-comparison.gain))", interval: loss)
    }
  }

  private func bars(_ result: TrialResult) -> HTML {
    let rows =
      (result.inForce.map { [(texts.editorInForce, $0)] } ?? []) + [(texts.editorDraft, result.draft)]
    let drawn = rows.enumerated().map { index, row -> HTML in
      let top = 44 * index + 8
      func width(_ share: Double?) -> String { trimmed(160 * min(1, max(0, share ?? 0)), 1) }
      return """
        <text class="b" x="0" y="\(top + 18)">\(row.0)</text><rect class="hb2" x="80" y="\(top)" width="160" height="28"/>\
        <rect class="hf" x="80" y="\(top)" width="\(width(row.1.capturedShare))" height="28"/>\
        <rect class="f1" x="80" y="\(top)" width="\(width(row.1.visibleShare))" height="28"/>\
        <text class="b" x="248" y="\(top + 18)">\(row.1.visibleShare.map { percent($0, 0) } ?? "–")</text>
        """
    }
    let label = texts.editorSharesLabel(
      before: "\(result.inForce?.visibleShare.map { percent($0, 0) } ?? "–")",
      after: "\(result.draft.visibleShare.map { percent($0, 0) } ?? "–")")
    return """
      <figure><svg viewBox="0 0 300 \(44 * rows.count + 4)" role="img" aria-label="\(label)">\(drawn.joined())</svg></figure>
      """
  }

  private func figures(_ result: TrialResult) -> HTML {
    let rows: [(HTML, (TrialFigures) -> HTML)] = [
      ("\(texts.editorTrueRevenue), \(currency)", { Marks.money($0.revenue.micros) }),
      ("\(texts.editorVisible), \(currency)", { Marks.money($0.visible.mid.micros) }),
      (
        "\(texts.editorRange), \(currency)",
        { Marks.range(Marks.money($0.visible.low.micros), Marks.money($0.visible.high.micros)) }
      ),
      (texts.editorShownShare, { $0.visibleShare.map { Marks.share($0) } ?? Marks.none(texts) }),
      (texts.editorWithheld, { $0.withheldShare.map { Marks.share($0) } ?? Marks.none(texts) }),
      (texts.editorErrorMean, { $0.error.map { Marks.share($0) } ?? Marks.none(texts) }),
      (texts.editorReached, { texts.editorOf(part: "\($0.valuesReached)", whole: "\($0.valuesMapped)") }),
      (texts.editorFirstNumbers, { time($0.firstHours) }), (texts.editorLastNumbers, { time($0.lastHours) }),
    ]
    return MappingMarks.table(
      texts.editorResult,
      heads: [(texts.editorFigure, false), (texts.editorInForce, true), (texts.editorDraft, true)],
      rows.map { title, cell in
        [title, result.inForce.map { cell($0) } ?? Marks.none(texts), cell(result.draft)]
      })
  }

  private func time(_ hours: Int?) -> HTML {
    hours.map { texts.editorDays(days: "\(trimmed(Double($0) / 24, 1))") } ?? Marks.none(texts)
  }

  private func sizes(_ result: TrialResult) -> HTML {
    guard !result.draft.sizes.isEmpty else { return "" }
    let rows = result.draft.sizes.map { row -> [HTML] in
      let before = result.inForce?.sizes.first { $0.from == row.from }
      let size: HTML = row.to.map { Marks.range("\(row.from)", "\($0 - 1)") } ?? "≥ \(row.from)"
      return [
        size, "\(row.campaigns)", before.map { Marks.share($0.median) } ?? Marks.none(texts),
        Marks.share(row.median), Marks.range(Marks.share(row.low), Marks.share(row.high)),
      ]
    }
    return """
      <h3>\(texts.editorSizes)</h3>\(MappingMarks.table(
        texts.editorSizes,
        heads: [
          (texts.editorSize, false), (texts.editorCampaigns, true),
          ("\(texts.editorMedian), \(texts.editorInForce)", true),
          ("\(texts.editorMedian), \(texts.editorDraft)", true), (texts.editorErrorRange, true),
        ], rows))
      """
  }
}
