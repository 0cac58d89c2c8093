import MappingEditing
import Markup
import Pages
import Simulation
import Values

extension EditorParts {
  /// The answer in one line that stays in view: the draft against the mapping in force.
  var strip: HTML {
    "\(answerText)\(figures.joined())\(links)"
  }

  private var answerText: HTML {
    if answer.errors > 0 {
      return "<p><a href=\"#h-findings\">\(texts.editorCountErrors(errors: answer.errors))</a></p>"
    }
    if let otherApp {
      let address = context.address.with("any-app", "true")
      return """
        <p>\(texts.editorUsersOfOther(app: context.called.app(otherApp)))
        <a href="\(address.text)">\(texts.editorUseThem)</a></p>
        """
    }
    guard let result = answer.result else { return "<p>\(texts.editorNoUsersYet)</p>" }
    return "<p>\(Self.verdict(result, texts))\(unknown)</p>"
  }

  /// Users of another app have few of the draft's events.
  private var unknown: HTML {
    guard !answer.unknownEvents.isEmpty else { return "" }
    let names = answer.unknownEvents.prefix(3).joined(separator: ", ")
    return " <b>\(texts.editorOtherApp(events: "<bdi>\(names)</bdi>"))</b>"
  }

  private var figures: [HTML] {
    guard let result = answer.result else { return [] }
    func figure(_ name: HTML, _ value: (TrialFigures) -> HTML?) -> HTML {
      let after = value(result.draft) ?? Marks.none(texts)
      let both = result.inForce.flatMap(value).map { before -> HTML in
        texts.publishBecomes(before: "<span class=\"was\">\(before)</span>", after: after)
      }
      return "<div><span class=\"k\">\(name)</span><span class=\"d\">\(both ?? after)</span></div>"
    }
    return [
      figure(texts.editorErrorMean) { $0.error.map { Marks.share($0) } },
      figure(texts.editorShownShare) { $0.visibleShare.map { Marks.share($0) } },
      figure(texts.editorWithheld) { $0.withheldShare.map { Marks.share($0) } },
      figure(texts.editorLastDays) { $0.lastHours.map { "\(Marks.local(trimmed(Double($0) / 24, 1)))" } },
    ]
  }

  /// On a phone the parts are far from each other.
  private var links: HTML {
    """
    <nav class="jump" aria-label="\(texts.editorParts)"><a href="#h-map">\(texts.editorMapShort)</a>\
    <a href="#h-findings">\(texts.editorFindings)</a><a href="#h-source">\(texts.editorForm)</a>\
    <a href="#h-result">\(texts.editorResultShort)</a></nav>
    """
  }

  static func verdict(_ result: TrialResult, _ texts: Texts) -> HTML {
    guard let comparison = result.comparison, let interval = comparison.interval else {
      return texts.editorNotCompared
    }
    func points(_ value: Double) -> String { Marks.local(fixed(value * 100, 1).replacing("-", with: "−")) }
    let gain = Marks.range("\(points(interval.lowerBound))", "\(points(interval.upperBound))")
    let loss = Marks.range("\(points(-interval.upperBound))", "\(points(-interval.lowerBound))")
    return switch comparison.verdict {
    case .bIsBetter: texts.editorBetter(points: "\(points(comparison.gain))", interval: gain)
    case .aIsBetter: texts.editorWorse(points: "\(points(-comparison.gain))", interval: loss)
    case .noDifference: texts.editorNoDifference
    case .undecided: texts.editorUndecided(points: "\(points(-comparison.gain))", interval: loss)
    }
  }
}
