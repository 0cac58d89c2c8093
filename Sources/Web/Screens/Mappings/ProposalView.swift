import Ledger
import MappingDesign
import MappingEditing
import Markup
import Pages
import Values

/// How far the search for a mapping of the users is: progress, the best so far, why, and what it would change.
struct ProposalView {
  let draft: StoredDraft
  let state: MappingProposals.State?
  let trial: TrialChoice
  let context: ScreenContext

  private var texts: Texts { context.texts }

  var isRunning: Bool { state.map { !$0.hasEnded } ?? false }

  /// The content of the panel.
  var markup: HTML {
    guard let state else { return idle }
    let share = 100 * state.done / max(1, state.steps)
    let progress: HTML = """
      <p class="row between"><span>\(texts.proposalStep(done: "\(min(state.done, state.steps))", steps: "\(state.steps)", sample: "<bdi>\(state.sample)</bdi>"))</span>\
      <b>\(share)\u{A0}%</b></p><progress max="100" value="\(share)" aria-label="\(texts.proposalTitle)"></progress>
      """
    if let report = state.report { return done(report) }
    if state.hasEnded { return "<p>\(texts.proposalNone)</p>\(buttons([(.forget, texts.proposalForget)]))" }
    let best: HTML =
      state.best.map { best in
        "<p><b>\(texts.proposalBest)</b> \(way(best.choice))</p>"
      } ?? ""
    return """
      <div data-running></div>\(progress)\(best)<p class="hint">\(texts.proposalUnchanged)</p>\
      \(buttons([(.stop, texts.proposalTakeBest), (.forget, texts.proposalStop)]))
      """
  }

  /// Where nothing was searched: the button, or what it needs.
  private var idle: HTML {
    guard trial.sample != nil else { return "<p class=\"s\">\(texts.proposalIdle)</p>" }
    return "\(buttons([(.propose, texts.editorPropose)]))<p class=\"hint\">\(texts.editorProposeHint)</p>"
  }

  private func done(_ report: DesignReport) -> HTML {
    var reasons: [HTML] = [
      texts.proposalUsers(users: Marks.count(Int64(report.users)), payers: Marks.count(Int64(report.payers))),
      way(report.choice),
    ]
    if report.choices.count > 1 {
      // How far one misses beside another, which no one takes for the error of the draft.
      let (own, next) = (report.choices[0].error, report.choices.dropFirst().map(\.error).min() ?? 0)
      reasons.append(
        next > own && own > 0
          ? texts.proposalCompared(count: report.choices.count, more: Marks.share(next / own - 1))
          : texts.proposalSimple(count: report.choices.count))
    }
    if let top = report.values.last {
      reasons.append(
        texts.proposalTop(
          value: "\(top.value)", users: Marks.count(Int64(top.users)),
          mean: "\(Marks.local(fixed(top.mean, 2)))"))
    }
    reasons.append(texts.proposalValues(count: report.values.count, hours: "\(report.windowHours)"))
    if let sizes = state?.sizes, !sizes.isEmpty {
      let each = sizes.map { Marks.count(Int64($0)) }.joined(separator: ", ")
      reasons.append(texts.proposalSizes(sizes: each))
    }
    reasons += report.cautions.map { texts.proposalCaution(sentence: texts.say($0.sentence)) }
    let list = reasons.map { reason -> HTML in "<li>\(reason)</li>" }
    return """
      <p><b>\(texts.proposalDone)</b></p><ul class="plain">\(list.joined())</ul>\(gain)\
      \(buttons([(.take, texts.proposalTake), (.forget, texts.proposalForget)]))
      """
  }

  /// What the proposal would show of the same users beside the mapping in force.
  private var gain: HTML {
    guard let result = proposed else { return "" }
    let error = { (figures: TrialFigures) -> HTML in
      figures.error.map { Marks.share($0) } ?? Marks.none(texts)
    }
    let errors: HTML =
      result.inForce.map { texts.publishBecomes(before: error($0), after: error(result.draft)) }
      ?? error(result.draft)
    return """
      <p>\(texts.editorErrorMean): <b>\(errors)</b></p><p>\(texts.proposalGain) \(EditorParts.verdict(result, texts))</p>
      """
  }

  /// The outcome of the proposal's own simulation.
  var proposed: TrialResult?

  private func way(_ choice: DesignChoice) -> HTML {
    let split: HTML =
      switch choice.split {
      case .none: texts.proposalByRevenue
      case .days: texts.proposalByDay
      case .event(let event): texts.proposalByEvent(event: "<bdi>\(event.name)</bdi>")
      }
    return "\(split) \(texts.proposalScheme(method: "<code>\(choice.scheme.rawValue)</code>"))"
  }

  private func buttons(_ all: [(search: EditorStep.Search, text: HTML)]) -> HTML {
    guard context.mayEdit else { return "" }
    let buttons = all.map { button -> HTML in
      let attributes = EditorStep.attributes(button.search.rawValue)
      return "<button class=\"btn small\" form=\"draft\" \(attributes)>\(button.text)</button>"
    }
    return "<div class=\"row\">\(buttons.joined())</div>"
  }
}
