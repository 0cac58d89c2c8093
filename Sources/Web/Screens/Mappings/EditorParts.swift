import Estimates
import JSONText
import MappingEditing
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
  /// What the simulation rests on; `nil` where there is no mapping.
  let basis: TrialChoice.Basis?
  /// The app of the chosen users, where that is another one and has to be confirmed.
  let otherApp: Int64?
  /// The search for a mapping; `nil` where an edit has not changed it.
  let proposal: ProposalView?

  var texts: Texts { context.texts }

  /// All parts, by the names that a script has for them.
  var all: [(name: String, markup: HTML)] {
    [
      ("strip", strip), ("fields", fields), ("map", map), ("findings", findings), ("schedule", schedule),
      ("result", result),
    ] + (proposal.map { [("proposal", $0.markup)] } ?? [])
  }

  /// The form view.
  var fields: HTML {
    let errors = answer.findings.filter { $0.finding.severity == .error }
    var form = EditorFields(
      fields: DraftField.all(of: answer.root), texts: texts, isLocked: !context.mayEdit,
      wrong: Set(errors.map(\.finding.path.description)), letters: EventLetters(answer.root))
    for (index, window) in (answer.root?["coarse"]?.value.array ?? []).prefix(3).enumerated() {
      form.windowNumbers[index] = window["window"]?.plainText
    }
    return form.markup
  }

  // MARK: Schedule

  var schedule: HTML {
    let windows = answer.schedule
    guard !windows.isEmpty else { return "<p class=\"s\">\(texts.editorNotShown)</p>" }
    let table = Panel.table(
      texts.editorSchedule,
      [
        .init(texts.mappingsWindow, isNumber: false, windows.map { "\($0.window.rawValue + 1)" }),
        .init(
          texts.editorMeasuresDays,
          windows.map { $0.isUsed ? days($0.hours.lowerBound, $0.hours.upperBound) : Marks.none(texts) }),
        .init(
          texts.editorLockAt, isNumber: false,
          windows.map { $0.locks.isEmpty ? texts.editorNever : "\($0.locks.joined(separator: ", "))" }),
        .init(texts.editorGapDays, windows.map { days($0.gap?.lowerBound, $0.gap?.upperBound) }),
        .init(texts.editorArrivesDays, windows.map { days($0.arrives?.lowerBound, $0.arrives?.upperBound) }),
      ], texts)
    let legend = Panel.legend([
      (.bar("h5"), texts.editorMeasures), (.bar("hf"), texts.editorGap), (.line("k2"), texts.editorArrives),
    ])
    return """
      <figure>\(legend)\(chart(windows))\
      \(Panel.asTable(table, texts))</figure>
      """
  }

  private func days(_ low: Double?, _ high: Double?) -> HTML {
    guard let low, let high else { return Marks.none(texts) }
    return Marks.range("\(Marks.local(trimmed(low / 24, 1)))", "\(Marks.local(trimmed(high / 24, 1)))")
  }

  /// The windows over the days since install; texts keep their size at every width.
  private func chart(_ windows: [WindowSchedule]) -> HTML {
    let last = max(42, (windows.compactMap { $0.arrives?.upperBound }.max() ?? 0) / 24)
    func share(_ hour: Double) -> Double { min(hour / 24, last) / last * 100 }
    func x(_ hour: Double) -> String { trimmed(share(hour), 2) + "%" }
    let height = 40 * windows.count + 8
    let names = windows.enumerated().map { index, window -> HTML in
      """
      <text class="b" x="0" y="\(40 * index + 28)">\(texts.editorScheduleWindow(number: "\(window.window.rawValue + 1)"))</text>
      """
    }
    let ticks = [0.0, 2, 7, 14, 21, 28, 35, 42].map { day -> HTML in
      // At the left end of a phone there is room for one of the first two.
      """
      <line class="g" x1="\(x(day * 24))" x2="\(x(day * 24))" y1="8" y2="\(height)"/>\
      <text class="ax\(day == 2 ? " from-middle" : "")" x="\(x(day * 24))" y="\(height + 14)" text-anchor="middle">\(Int(day))</text>
      """
    }
    let bars = windows.enumerated().map { index, window -> HTML in
      let top = 40 * index + 16
      func bar(_ style: String, _ from: Double, _ to: Double) -> HTML {
        """
        <rect class="\(style)" x="\(x(from))" y="\(top)" width="\(trimmed(max(0, share(to) - share(from)), 2))%" height="14"/>
        """
      }
      let end = window.gap?.lowerBound ?? window.hours.upperBound
      let measured: HTML = window.isUsed ? bar("h5", window.hours.lowerBound, end) : ""
      let gap: HTML = window.gap.map { bar("hf", $0.lowerBound, $0.upperBound) } ?? ""
      let arrives: HTML =
        window.arrives.map { range -> HTML in
          let ends = [range.lowerBound, range.upperBound].map { hour -> HTML in
            "<line class=\"k2\" x1=\"\(x(hour))\" x2=\"\(x(hour))\" y1=\"\(top + 17)\" y2=\"\(top + 23)\"/>"
          }
          return """
            <line class="k2" x1="\(x(range.lowerBound))" x2="\(x(range.upperBound))" y1="\(top + 20)" y2="\(top + 20)"/>\(ends.joined())
            """
        } ?? ""
      return "\(measured)\(gap)\(arrives)"
    }
    return """
      <div class="plot"><svg width="76" height="\(height + 22)" aria-hidden="true">\(names.joined())</svg>\
      <svg class="canvas" height="\(height + 22)" role="img" aria-label="\(texts.editorScheduleLabel)">\
      \(ticks.joined())\(bars.joined())</svg></div>
      """
  }

  // MARK: Result

  var result: HTML {
    guard let result = answer.result else {
      return answer.errors > 0
        ? "<p class=\"s\">\(texts.editorNotShown)</p>" : "<p class=\"s\">\(texts.editorNoSample)</p>"
    }
    return """
      <p class="s soft">\(texts.editorResultNote(users: Marks.count(Int64(result.users)), events: Marks.count(Int64(result.events)), seed: "\("\(result.seed)" as String)"))\(result.isOneCampaign ? " \(texts.editorResultOneCampaign)" as HTML : "")</p>\(grounds)\
      <p id="verdict"><b>\(Self.verdict(result, texts))</b></p>\
      \(bars(result))\(figures(result))\(sizes(result))
      """
  }

  /// How many of the app's users these are, and where the threshold comes from.
  private var grounds: HTML {
    guard let basis else { return "" }
    let share =
      basis.settings.share < 1 ? texts.editorResultShare(share: Marks.share(basis.settings.share)) : ""
    let threshold: HTML =
      if basis.isOwn, let own = basis.own {
        texts.editorResultThreshold(
          installs: Marks.number(own.installs, 0),
          range: Marks.range(Marks.number(own.interval.low, 0), Marks.number(own.interval.high, 0)))
      } else {
        basis.own == nil ? texts.editorResultAssumed : ""
      }
    let lines = [share, threshold].filter { !$0.text.isEmpty }
    return lines.isEmpty ? "" : "<p class=\"s soft\">\(lines.joined(separator: " "))</p>"
  }

  private func bars(_ result: TrialResult) -> HTML {
    let rows =
      (result.inForce.map { [(texts.editorInForce, $0)] } ?? []) + [(texts.editorDraft, result.draft)]
    let names = rows.enumerated().map { index, row -> HTML in
      "<text class=\"b\" x=\"0\" y=\"\(44 * index + 26)\">\(row.0)</text>"
    }
    let drawn = rows.enumerated().map { index, row -> HTML in
      let top = 44 * index + 8
      func width(_ share: Double?) -> String { trimmed(80 * min(1, max(0, share ?? 0)), 2) + "%" }
      return """
        <rect class="hb2" y="\(top)" width="80%" height="28"/>\
        <rect class="hf" y="\(top)" width="\(width(row.1.capturedShare))" height="28"/>\
        <rect class="f1" y="\(top)" width="\(width(row.1.visibleShare))" height="28"/>\
        <text class="b" x="82%" y="\(top + 18)">\(row.1.visibleShare.map { Marks.local(percent($0, 0)) } ?? "–")</text>
        """
    }
    let label = texts.editorSharesLabel(
      before: "\(result.inForce?.visibleShare.map { Marks.local(percent($0, 0)) } ?? "–")",
      after: "\(result.draft.visibleShare.map { Marks.local(percent($0, 0)) } ?? "–")")
    return """
      <figure><div class="plot"><svg width="76" height="\(44 * rows.count + 4)" aria-hidden="true">\(names.joined())</svg>\
      <svg class="canvas" height="\(44 * rows.count + 4)" role="img" aria-label="\(label)">\(drawn.joined())</svg></div></figure>
      """
  }

  private func figures(_ result: TrialResult) -> HTML {
    let rows: [(title: HTML, cell: (TrialFigures) -> HTML)] = [
      ("\(texts.editorTrueRevenue), \(currency)", { Marks.money($0.revenue) }),
      ("\(texts.editorVisible), \(currency)", { Marks.money($0.visible.mid) }),
      (
        "\(texts.editorRange), \(currency)",
        { Marks.range(Marks.money($0.visible.low), Marks.money($0.visible.high)) }
      ),
      (texts.editorShownShare, { $0.visibleShare.map { Marks.share($0) } ?? Marks.none(texts) }),
      (texts.editorWithheld, { $0.withheldShare.map { Marks.share($0) } ?? Marks.none(texts) }),
      (texts.editorErrorMean, { $0.error.map { Marks.share($0) } ?? Marks.none(texts) }),
      (texts.editorReached, { MappingMarks.reached($0, texts) }),
      (texts.editorFirstNumbers, { MappingMarks.days($0.firstHours, texts) }),
      (texts.editorLastNumbers, { MappingMarks.days($0.lastHours, texts) }),
    ]
    return Panel.table(
      texts.editorResult,
      [
        .init(texts.editorFigure, isNumber: false, rows.map(\.title)),
        .init(
          texts.editorInForce, rows.map { row in result.inForce.map { row.cell($0) } ?? Marks.none(texts) }),
        .init(texts.editorDraft, rows.map { $0.cell(result.draft) }),
      ], texts)
  }

  private func sizes(_ result: TrialResult) -> HTML {
    let sizes = result.draft.sizes
    guard !sizes.isEmpty else { return "" }
    let table = Panel.table(
      texts.editorSizes,
      [
        .init(
          texts.editorSize, isNumber: false,
          sizes.map { size in size.to.map { Marks.range("\(size.from)", "\($0 - 1)") } ?? "≥ \(size.from)" }),
        .init(texts.editorCampaigns, sizes.map { "\($0.campaigns)" }),
        .init(
          "\(texts.editorMedian), \(texts.editorInForce)",
          sizes.map { size in
            let before = result.inForce?.sizes.first { $0.from == size.from }
            return before.map { Marks.share($0.median) } ?? Marks.none(texts)
          }),
        .init("\(texts.editorMedian), \(texts.editorDraft)", sizes.map { Marks.share($0.median) }),
        .init(texts.editorErrorRange, sizes.map { Marks.range(Marks.share($0.low), Marks.share($0.high)) }),
      ], texts)
    return "<h3>\(texts.editorSizes)</h3>\(table)"
  }
}
