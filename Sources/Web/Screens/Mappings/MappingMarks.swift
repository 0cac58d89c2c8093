import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// Pieces that several screens of mappings share.
enum MappingMarks {
  /// A text that cannot be changed, such as one of two that collide.
  static func readOnlyText(_ id: String, _ label: HTML, _ text: [UInt8]) -> HTML {
    """
    <div class="field"><label for="\(id)">\(label)</label>\
    <textarea id="\(id)" rows="16" readonly spellcheck="false">\n\(.value(String(decoding: text, as: UTF8.self)))</textarea></div>
    """
  }

  /// How many of the values that mean something users have.
  static func reached(_ figures: TrialFigures, _ texts: Texts) -> HTML {
    texts.editorOf(part: "\(figures.valuesReached)", whole: "\(figures.valuesMapped)")
  }

  static func days(_ hours: Int?, _ texts: Texts) -> HTML {
    hours.map { texts.editorDays(days: "\(Marks.local(trimmed(Double($0) / 24, 1)))") } ?? Marks.none(texts)
  }

  /// The mixed zones of a change of versions.
  static func mixedZones(
    _ rows: [(name: HTML, zone: PublicationReview.MixedZone)], _ texts: Texts
  ) -> HTML {
    Panel.table(
      texts.mappingsMixed,
      [
        .init(texts.mappingsChange, isNumber: false, rows.map(\.name)),
        .init(texts.mappingsWindow, rows.map { "\($0.zone.window.rawValue + 1)" }),
        .init(
          texts.mappingsFrom, isNumber: false, rows.map { Marks.day($0.zone.from.day, hasYear: true) }),
        .init(texts.mappingsUntil, isNumber: false, rows.map { Marks.day($0.zone.to.day, hasYear: true) }),
      ], texts)
  }

  /// A value in words: `12`, or `Window 2: high`.
  static func name(_ slot: WindowValue, _ texts: Texts) -> HTML {
    switch slot {
    case .fine(let value): "\(Int(value.number))"
    case .coarse(let window, let value):
      texts.mappingsCoarseValue(
        window: texts.editorScheduleWindow(number: "\(window.rawValue + 1)"), value: word(of: value, texts))
    }
  }

  /// The days of a window, for people who do not count windows.
  static func days(of window: ConversionWindow, _ texts: Texts) -> HTML {
    switch window {
    case .first: texts.windowFirst
    case .second: texts.windowSecond
    case .third: texts.windowThird
    }
  }

  static func word(of value: CoarseValue, _ texts: Texts) -> HTML {
    switch value {
    case .low: texts.valuesLow
    case .medium: texts.valuesMedium
    case .high: texts.valuesHigh
    }
  }

  /// Values as a list in which neighbours are a range: `1–15, 31, Window 2: high`.
  static func values(_ slots: [WindowValue]) -> HTML {
    var numbers: Set<Int64> = []
    var others: [HTML] = []
    for slot in slots {
      if case .fine(let value) = slot {
        numbers.insert(Int64(value.number))
      } else {
        others.append(name(slot, Texts(Language.ofPage)))
      }
    }
    let runs = numbers.sorted().filter { !numbers.contains($0 - 1) }.map { first in
      (first: first, last: (first...).first { !numbers.contains($0 + 1) } ?? first)
    }
    let fine = runs.map { run -> HTML in
      run.first == run.last
        ? "\(String(run.first))" : Marks.range("\(String(run.first))", "\(String(run.last))")
    }
    return Texts(Language.ofPage).list(fine + others)
  }

  /// What a value means, or that it means nothing.
  static func meaning(_ meaning: Meaning, _ texts: Texts) -> HTML {
    meaning == .unmapped
      ? "<span class=\"soft\">\(texts.mappingsNoMeaning)</span>"
      : "<bdi>\(texts.say(phrase: meaning.words))</bdi>"
  }

  /// The badge for what becomes of a value.
  static func badge(_ kind: MeaningChange.Kind, _ texts: Texts) -> HTML {
    let (style, word): (String, Sentence) =
      switch kind {
      case .kept: ("", Sentence("kept"))
      case .changed: (" warn", Sentence("changed"))
      case .gained: (" good", Sentence("gained"))
      case .lost: (" bad", Sentence("lost"))
      }
    return "<span class=\"badge\(style)\">\(texts.say(phrase: word))</span>"
  }

  /// Differences of two mappings, a row for each value.
  static func changes(_ changes: [MeaningChange], _ texts: Texts) -> HTML {
    Panel.table(
      texts.mappingsCompareVersions,
      [
        .init(texts.mappingsValue, isNumber: false, changes.map { name($0.slot, texts) }),
        .init(texts.mappingsKind, isNumber: false, changes.map { badge($0.kind, texts) }),
        .init(texts.mappingsOldMeaning, isNumber: false, changes.map { meaning($0.old, texts) }),
        .init(texts.mappingsNewMeaning, isNumber: false, changes.map { meaning($0.new, texts) }),
      ], texts)
  }
}

extension FilterForm {
  /// Adds the choice of an app where several have mappings.
  mutating func app(_ app: Int64, of mappings: AppMappings, _ context: ScreenContext) {
    guard mappings.apps.count > 1 else { return }
    choice(
      "app", context.texts.filterApp, "\(app)",
      mappings.apps.map { ("\($0)", context.called.appLabel("\($0)")) })
  }
}

extension Texts {
  func version(_ number: Int) -> HTML { mappingsVersionNumber(number: "\(number)") }
}
