import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// What becomes of the 64 values from one mapping to the next, as a picture: sign and word as well as colour.
struct DifferenceMap {
  /// What becomes of a value.
  enum Kind: String, CaseIterable {
    /// It means what it meant.
    case same
    /// The same sort of users, with another amount.
    case money = "chg"
    /// Something else.
    case meaning = "evc"
    case gained = "neu"
    case lost = "gone"
    /// No rule of either has it.
    case unused = "un"
  }

  private let old: MeaningMap
  private let new: MeaningMap
  private let changes: [MeaningChange]
  private let texts: Texts

  init(from old: Mapping, to new: Mapping, _ texts: Texts) {
    (self.old, self.new, self.texts) = (MeaningMap(old, texts), MeaningMap(new, texts), texts)
    changes = new.changes(from: old)
  }

  /// The map with its key, and each value before and after behind a button.
  ///
  /// - Parameters:
  ///   - below: What the list of values begins with.
  ///   - hasLegend: Whether the letters have to be explained.
  func markup(below: HTML, hasLegend: Bool) -> HTML {
    let kinds = (0..<64).map { kind(of: $0) }
    let key = Kind.allCases.filter { $0 != .unused }.compactMap { kind -> HTML? in
      let count = kinds.count { $0 == kind }
      guard count > 0 else { return nil }
      return """
        <li><span class="cell \(kind.rawValue)" aria-hidden="true">\(sign(kind))</span>\(word(kind)) <b>\(count)</b></li>
        """
    }
    return """
      <div class="in stack">\(ValueGrid.markup(texts.mappingsCompareVersions) { cell($0, kinds[$0]) })\
      <ul class="dkey">\(key.joined())</ul>\(hasLegend ? new.marks.legend(texts) : "")\(coarse)</div>\
      <details class="more in"><summary>\(texts.publishEachValue)</summary>\(below)\(MappingMarks.changes(changes, texts))</details>
      """
  }

  private func kind(of number: Int) -> Kind {
    // A value can change for one type of conversion alone.
    let own = changes.filter { $0.slot == FineValue(Int64(number)).map { .fine($0) } }.map(\.kind)
    if own.isEmpty { return .unused }
    let (before, after) = (old.values[number], new.values[number])
    let isOtherMoney =
      before.money.map { [$0.low, $0.mid, $0.high] } != after.money.map { [$0.low, $0.mid, $0.high] }
    if own.allSatisfy({ $0 == .kept }) { return isOtherMoney ? .money : .same }
    if own.allSatisfy({ $0 == .gained }) { return .gained }
    if own.allSatisfy({ $0 == .lost }) { return .lost }
    return before.kind == after.kind && isOtherMoney ? .money : .meaning
  }

  private func cell(_ number: Int, _ kind: Kind) -> HTML {
    let (before, after) = (old.values[number], new.values[number])
    func shown(_ value: MeaningMap.Value, _ mapping: Mapping) -> HTML? {
      value.money.map { MeaningMap.money($0.mid, mapping.currency.text) }
    }
    let (was, now) = (shown(before, old.mapping), shown(after, new.mapping))
    guard kind != .unused else {
      return MeaningMap.cell("un", number, title: texts.editorCellUnused(value: "\(number)"))
    }
    let mark: HTML =
      switch kind {
      case .money: rise(before, after)
      case .meaning: letters(number)
      case .gained: "+\(new.marks.word(after.kind) ?? "")"
      default: sign(kind)
      }
    let small: HTML =
      switch kind {
      case .money, .meaning: was.map { "<s>\($0)</s>" } ?? ""
      default: ""
      }
    let words = kind == .same ? after.meaning.words : before.meaning.words
    let then: HTML = kind == .same || kind == .lost ? "" : " → \(texts.say(phrase: after.meaning.words))"
    return MeaningMap.cell(
      "\(kind.rawValue)", number, mark: mark, (kind == .lost ? was : now) ?? "", small: small,
      title: "\(texts.mappingsValue) \(number), \(word(kind)): \(texts.say(phrase: words))\(then)")
  }

  private func rise(_ before: MeaningMap.Value, _ after: MeaningMap.Value) -> HTML {
    guard let was = before.money?.mid, let now = after.money?.mid, was != now,
      old.mapping.currency == new.mapping.currency
    else { return sign(.money) }
    return was < now ? "↑" : "↓"
  }

  /// The letters that come, where they are others than before.
  private func letters(_ number: Int) -> HTML {
    let (before, after) = (old.marks.word(old.values[number].kind), new.marks.word(new.values[number].kind))
    guard let after, before != after else { return sign(.meaning) }
    return "<bdi dir=\"ltr\">→\(after)</bdi>"
  }

  private func sign(_ kind: Kind) -> HTML {
    switch kind {
    case .same: "="
    case .money: "↕"
    case .meaning: "≠"
    case .gained: "+"
    case .lost: "−"
    case .unused: ""
    }
  }

  private func word(_ kind: Kind) -> HTML {
    switch kind {
    case .same: texts.mappingsSame
    case .money: texts.mappingsOtherMoney
    case .meaning: texts.mappingsOtherMeaning
    case .gained: texts.mappingsNewValue
    case .lost: texts.mappingsNoLonger
    case .unused: ""
    }
  }

  /// Which coarse values change.
  private var coarse: HTML {
    let changed = changes.filter { change in
      if case .coarse = change.slot { change.kind != .kept } else { false }
    }.map(\.slot)
    return
      changed.isEmpty
      ? "" : "<p class=\"s\">\(texts.mappingsCoarseChange(values: MappingMarks.values(changed)))</p>"
  }
}
