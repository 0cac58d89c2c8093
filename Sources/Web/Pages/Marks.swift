package import Markup
package import Tables
package import Values

/// Numbers, money, shares, dates and intervals as markup that carries the exact value, so that a browser can show it in the
/// reader's region; without a script the neutral form stays.
package enum Marks {
  /// A whole number of things.
  package static func count(_ number: Int64) -> HTML {
    "<data value=\"\("\(number)" as String)\">\(NumberStyle.ofPage.grouped(number))</data>"
  }

  /// A cell as its column's kind has it; a dash with words for readers of the screen where there is no value.
  package static func cell(_ cell: Cell, _ kind: ColumnKind, _ texts: Texts) -> HTML {
    switch cell {
    case .none: return none(texts)
    case .words(let words) where words.isEmpty: return none(texts)
    case .text(let text): return kind == .day ? day(text) : "<bdi>\(text)</bdi>"
    case .sentence(let sentence): return texts.say(phrase: sentence)
    case .integer(let number): return count(number)
    case .decimal(let micros) where kind == .share: return share(Double(micros) / 1e6)
    case .decimal(let micros) where kind == .expectedCount: return expected(Double(micros) / 1e6)
    case .decimal(let micros): return "<data value=\"\(plain(micros))\">\(local(kind.text(cell)))</data>"
    case .range: return range(cell, kind)
    default: return "<bdi>\(kind.text(cell))</bdi>"
    }
  }

  /// A number of things of which parts are expected: whole, and the exact one in the markup.
  package static func expected(_ number: Double) -> HTML {
    "<data value=\"\(trimmed(number, 6))\">\(local(grouped(Int64(nearest: number))))</data>"
  }

  /// What is written where there is no value, which is not zero: a dash, and words for readers of the screen.
  package static func none(_ texts: Texts) -> HTML {
    "<i class=\"none\">\(texts.markNone)</i>"
  }

  /// A number with some decimals; `exact` are those of the value that it carries.
  package static func number(_ value: Double, _ decimals: Int, exact: Int = 4) -> HTML {
    "<data value=\"\(trimmed(value, exact))\">\(local(fixed(value, decimals)))</data>"
  }

  /// The units from which on an amount has no decimals.
  private static let wholeFrom: UInt64 = 100

  /// An amount without its currency, whole where it is large.
  ///
  /// - Parameter currency: The code of the currency, which has its own number of decimals.
  package static func money(_ amount: Amount, in currency: String? = nil) -> HTML {
    let decimals = currency.map { CurrencyCode.decimals(of: $0) } ?? 2
    let isLarge = amount.micros.magnitude >= wholeFrom * 1_000_000
    let text =
      isLarge
      ? grouped(Int64(nearest: amount.units))
      : decimals == 2 ? ColumnKind.money(nil).text(amount.cell) : withThousands(fixed(amount.units, decimals))
    return "<data value=\"\(plain(amount.micros))\">\(local(text))</data>"
  }

  /// Two bounds, always from left to right; a dash would be taken for a minus sign beside one.
  ///
  /// - Parameter isBelow: Whether they are small, below or beside the figure that they are of.
  package static func range(_ low: HTML, _ high: HTML, isBelow: Bool = false) -> HTML {
    let hasMinus = [low, high].contains { bound in
      let words = bound.words.text
      return words.hasPrefix("-") || words.hasPrefix("−")
    }
    let style: HTML = isBelow ? " class=\"sub\"" : ""
    return "<bdi\(style) dir=\"ltr\">\(low)\(hasMinus ? " … " : "–")\(high)</bdi>"
  }

  private static func range(_ cell: Cell, _ kind: ColumnKind) -> HTML {
    if kind == .interval(.expectedCount), case .range(let low?, let high?) = cell {
      return range(expected(Double(low) / 1e6), expected(Double(high) / 1e6))
    }
    let bounds = kind.text(cell).split(separator: " – ", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return "<bdi dir=\"ltr\">\(kind.text(cell))</bdi>" }
    return range("\(local(String(bounds[0])))", "\(local(String(bounds[1])))")
  }

  /// A share of 0 to 1 in per cent: zero is `0 %`, and what one decimal cannot show is `<0.1 %`.
  package static func share(_ share: Double) -> HTML {
    "<data value=\"\(trimmed(share, 6))\">\(shareText(share))</data>"
  }

  /// The same without an element, for labels.
  package static func shareText(_ share: Double) -> String {
    let text =
      share == 0
      ? "0 %" : share.magnitude < 0.0005 ? (share < 0 ? ">\u{2212}0.1 %" : "<0.1 %") : percent(share)
    return local(text.replacing("-", with: "\u{2212}"))
  }

  /// Bounds of a share in per cent, with one sign for both.
  package static func shares(_ low: Double, _ high: Double, isBelow: Bool = false) -> HTML {
    range(
      "<data value=\"\(trimmed(low, 6))\">\(low.magnitude < 0.0005 ? "0" : local(fixed(low * 100, 1)))</data>",
      high == 0 ? share(0) : "<data value=\"\(trimmed(high, 6))\">\(local(percent(high)))</data>",
      isBelow: isBelow)
  }

  /// A day such as `12 Nov`; with the year where `hasYear`.
  package static func day(_ day: Day, hasYear: Bool = false) -> HTML {
    "<time datetime=\"\(day.description)\">\(shortDay(day, hasYear: hasYear))</time>"
  }

  private static func day(_ text: String) -> HTML { Day(text).map { day($0, hasYear: true) } ?? "\(text)" }

  /// A day such as `12 Nov` as plain text, for labels of charts.
  package static func shortDay(_ day: Day, hasYear: Bool = false) -> String {
    NumberStyle.ofPage.day(day, hasYear: hasYear)
  }

  /// A moment such as `12 Nov 2026, 14:05 UTC`.
  package static func moment(_ moment: Instant) -> HTML {
    "<time datetime=\"\(moment.description)\">\(NumberStyle.ofPage.moment(moment))</time>"
  }

  /// A number as the language of the page writes it.
  package static func local(_ neutral: String) -> String { NumberStyle.ofPage.local(neutral) }

  private static func plain(_ micros: Int64) -> String { trimmed(Double(micros) / 1e6, 6) }
}

extension Marks {
  /// The whisker of an interval on a scale of 0 to `most`, with a mark at the middle.
  package static func whisker(
    low: Double, mid: Double, high: Double, most: Double, isEstimate: Bool = false, one: Double? = nil
  ) -> HTML {
    func place(_ value: Double) -> String { trimmed(most > 0 ? min(100, max(0, value / most * 100)) : 0, 1) }
    let mark: HTML = one.map { "<path class=\"one\" d=\"M\(place($0)) 0V8\"/>" } ?? ""
    return """
      <svg class="ivb\(isEstimate ? " est" : "")" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">\
      \(mark)<path class="w" d="M\(place(low)) 4H\(place(high))"/>\
      <path class="m" d="M\(place(mid)) 0V8"/></svg>
      """
  }

  /// The bar of a share that is withheld, hatched, with its interval.
  package static func withheldBar(_ share: Double, low: Double, high: Double) -> HTML {
    func place(_ value: Double) -> String { trimmed(value * 100, 1) }
    return """
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="hf" width="\(place(share))" height="8"/>\
      <path class="ci" d="M\(place(low)) 1V7M\(place(high)) 1V7M\(place(low)) 4H\(place(high))"/></svg>
      """
  }
}
