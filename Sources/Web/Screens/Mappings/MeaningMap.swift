import EstimateReports
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// What the 64 values of a mapping mean, as a picture: the event, the money and its range.
struct MeaningMap {
  /// A value of the map.
  struct Value {
    let number: Int
    let meaning: Meaning
    let kind: ValuePurpose?
    let money: (low: Amount?, mid: Amount, high: Amount?)?

    init(_ number: Int, _ mapping: Mapping) {
      let meaning = FineValue(Int64(number)).map { mapping.decode($0) } ?? .unmapped
      (self.number, self.meaning, kind, money) = (number, meaning, ValuePurpose(meaning), meaning.money)
    }

    var isUsed: Bool { meaning != .unmapped }
  }

  let mapping: Mapping
  let values: [Value]
  let marks: ValueMarks
  private let steps: MoneySteps
  private let texts: Texts

  init(_ mapping: Mapping, _ texts: Texts) {
    self.mapping = mapping
    self.texts = texts
    values = (0..<64).map { Value($0, mapping) }
    marks = ValueMarks(values.map(\.kind))
    steps = MoneySteps(values.compactMap(\.money?.mid))
  }

  private var currency: String { mapping.currency.text }

  /// The map with the keys to it, and the same as a table.
  var markup: HTML {
    """
    \(ValueGrid.markup(texts.mappingsMap, cell))\(steps.key(currency, texts))\(marks.legend(texts))\(coarse)\
    \(Panel.asTable(table, texts))
    """
  }

  private func cell(_ number: Int) -> HTML {
    let value = values[number]
    guard value.isUsed else {
      return Self.cell("un", number, title: "\(texts.editorCellUnused(value: "\(number)"))")
    }
    let range = value.money.map { Self.range($0.low, $0.high) } ?? ""
    return Self.cell(
      "h\(steps.step(of: value.money?.mid))", number, mark: marks.markup(value.kind),
      value.money.map { Self.money($0.mid, currency) } ?? "", small: range,
      title: texts.editorCellUsed(value: "\(number)", meaning: texts.say(phrase: value.meaning.words)))
  }

  /// A cell that is read, and nothing else.
  static func cell(
    _ style: HTML, _ number: Int, mark: HTML = "", _ figure: HTML = "", small: HTML = "", title: HTML
  ) -> HTML {
    """
    <span class="cell \(style)" title="\(title)"><span class="v">\(number)</span><span class="m">\(mark)</span>\
    <span class="n">\(figure)</span><span class="t">\(small)</span></span>
    """
  }

  /// An amount, without cents where it is large.
  static func money(_ amount: Amount, _ currency: String) -> HTML {
    Marks.money(amount, in: currency)
  }

  /// An amount with as many digits as a cell has room for.
  private static func short(_ amount: Amount) -> HTML {
    let decimals = amount.micros.magnitude < 10_000_000 ? 2 : amount.micros.magnitude < 100_000_000 ? 1 : 0
    return "\(Marks.local(trimmed(amount.units, decimals)))"
  }

  /// The range of an amount; empty where it has no end at all, or only one amount.
  private static func range(_ low: Amount?, _ high: Amount?) -> HTML {
    switch (low, high) {
    case (let low?, let high?): low == high ? "" : Marks.range(short(low), short(high))
    case (let low?, nil): "<bdi dir=\"ltr\">≥ \(short(low))</bdi>"
    case (nil, let high?): "<bdi dir=\"ltr\">≤ \(short(high))</bdi>"
    case (nil, nil): ""
    }
  }

  /// What coarse values mean, a line for each window that has any.
  private var coarse: HTML {
    let lines = ConversionWindow.allCases.compactMap { window -> (name: HTML, text: HTML)? in
      let parts = CoarseValue.allCases.compactMap { value -> HTML? in
        let meaning = mapping.meaning(of: .coarse(window, value))
        guard case .rules(let rules) = meaning else { return nil }
        let money = meaning.money.map { Self.range($0.low, $0.high) } ?? ""
        let events = rules.flatMap(\.events).map { event -> HTML in "<bdi>\(event.name)</bdi>" }
        let words =
          events.isEmpty && money.text.isEmpty ? [texts.say(phrase: meaning.words)] : events + [money]
        return """
          <span class="nw"><b>\(MappingMarks.word(of: value, texts))</b> \(words.filter { !$0.text.isEmpty }.joined(separator: ", "))</span>
          """
      }
      return parts.isEmpty ? nil : (MappingMarks.days(of: window, texts), parts.joined(separator: " · "))
    }
    return lines.isEmpty ? "" : Panel.list(lines)
  }

  private var table: HTML {
    let used = WindowValue.all.filter { mapping.meaning(of: $0) != .unmapped }
    return Panel.table(
      texts.mappingsMap,
      [
        .init(texts.mappingsValue, isNumber: false, used.map { MappingMarks.name($0, texts) }),
        .init(
          texts.editorMeaning, isNumber: false,
          used.map { MappingMarks.meaning(mapping.meaning(of: $0), texts) }),
      ], texts)
  }
}
