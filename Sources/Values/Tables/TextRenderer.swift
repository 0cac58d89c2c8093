import Values

/// Aligned columns for people; a long table is aligned in pages, because widths need all rows of a page.
struct TextRenderer: Renderer {
  private static let page = 1000

  private let headers: [Header]
  /// The letters that a line may have; `nil` cuts nothing.
  private let width: Int?
  private let paint: Paint?
  private var rows: [[Cell]] = []
  private var isFirst = true
  /// The columns and widths of the page that the next one goes on below, without a heading of its own.
  private var layout: (shown: [Int], widths: [Int])?

  init(_ headers: [Header], width: Int? = nil, paint: Paint? = nil) {
    self.headers = headers
    self.width = width
    self.paint = paint
  }

  func begin() -> String { "" }

  mutating func rows(_ vectors: [Vector], count: Int) -> String {
    var text = ""
    for row in 0..<count {
      // Only once there is a further row, so that the last page has the total.
      if rows.count == Self.page { text += takePage(total: nil) }
      rows.append(vectors.map { $0[row] })
    }
    return text
  }

  mutating func flush() -> String {
    guard !rows.isEmpty else { return "" }
    return takePage(total: nil, isContinued: true)
  }

  mutating func end(_ ending: Ending) -> String {
    let shown = ending.details.map { $0.shown(in: .table) }.filter { !$0.rows.isEmpty && !$0.headers.isEmpty }
    let details = shown.map { "\n\($0.name)\n" + $0.forPeople }
    let notes = (ending.linesForPeople + ending.notes).map { $0 + "\n" }.joined()
    let rows = takePage(total: ending.total)
    // Without rows the notes give the reason, which comes first.
    return isFirst ? notes + details.joined() : rows + details.joined() + notes
  }

  private mutating func takePage(total: [Cell]?, isContinued: Bool = false) -> String {
    guard !rows.isEmpty else { return "" }
    defer {
      self.rows = []
      isFirst = false
    }
    // The total of one row would repeat it.
    let total = rows.count == 1 && isFirst ? nil : total
    let rows = self.rows + (total.map { [$0] } ?? [])
    let needed = headers.indices.filter { index in
      headers[index].presence == .always || rows.contains { !$0[index].isVoid }
    }
    let above = layout.flatMap { Set($0.shown).isSuperset(of: needed) ? $0 : nil }
    let shown = above?.shown ?? needed
    let titles = shown.map { printable(headers[$0].title.english) }
    var lines = rows.map { row in
      shown.map { printable(row[$0] == .none ? headers[$0].none : headers[$0].kind.text(row[$0])) }
    }
    if total != nil, lines[lines.count - 1].first == "" { lines[lines.count - 1][0] = "total" }
    let isNumeric = shown.map { headers[$0].kind.isNumeric }
    var widths = titles.indices.map { index in
      lines.reduce(above?.widths[index] ?? titles[index].count) { max($0, $1[index].count) }
    }
    if let width {
      narrow(&widths, to: width, least: zip(titles, isNumeric).map { $1 ? .max : max(8, $0.count) })
    }
    func line(_ texts: [String], paint: Paint? = nil) -> String {
      var line = zip(texts, widths).enumerated().map { index, cell in
        let (whole, width) = cell
        let text = whole.count > width ? String(whole.prefix(width - 1)) + "…" : whole
        let padding = String(repeating: " ", count: width - text.count)
        let shownText = paint?(headers[shown[index]].name, text) ?? text
        return isNumeric[index] ? padding + shownText : shownText + padding
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    layout = isContinued ? (shown, widths) : nil
    var text = (above == nil ? [line(titles), rule] : []) + lines.map { line($0, paint: paint) }
    if total != nil { text.insert(rule, at: text.count - 1) }
    return text.joined(separator: "\n") + "\n"
  }
}

/// Takes letters from the widest columns that are wider than their least width.
private func narrow(_ widths: inout [Int], to width: Int, least: [Int]) {
  var excess = widths.reduce(2 * (widths.count - 1), +) - width
  while excess > 0 {
    let candidates = widths.indices.filter { widths[$0] > least[$0] }
    guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
    widths[widest] -= 1
    excess -= 1
  }
}

extension ColumnKind {
  package func text(_ cell: Cell) -> String {
    switch cell {
    case .none, .records: ""
    case .integer(let number): grouped(number)
    case .decimal(let micros): text(micros: micros)
    case .range(let low, let high):
      "\(low.map(bound) ?? "…") – \(high.map(bound) ?? "…")"
    case .text(let text): text
    case .sentence(let sentence): sentence.english
    case .words(let words): words.joined(separator: ", ")
    case .flag(let isOn): isOn ? "yes" : "no"
    }
  }

  private func bound(_ micros: Int64) -> String {
    if case .interval(let kind) = self { kind.text(micros: micros) } else { text(micros: micros) }
  }

  private func text(micros: Int64) -> String {
    switch self {
    case .share, .change:
      withThousands(rounded(micros.multipliedHeld(by: 100), decimals: 1)) + " %"
    case .expectedCount:
      withThousands(rounded(micros, decimals: micros.isMultiple(of: 1_000_000) ? 0 : 1))
    case .ratio: withThousands(rounded(micros, decimals: 4))
    default: withThousands(rounded(micros, decimals: 2))
    }
  }
}

/// Millionths as a decimal number with so many decimals, halves rounded away from zero.
private func rounded(_ micros: Int64, decimals: Int) -> String {
  let step = (decimals..<6).reduce(UInt64(1)) { step, _ in step * 10 }
  let (steps, rest) = micros.magnitude.quotientAndRemainder(dividingBy: step)
  let held = steps + (rest * 2 >= step && rest > 0 ? 1 : 0)
  let unit = (0..<decimals).reduce(UInt64(1)) { unit, _ in unit * 10 }
  let (whole, part) = held.quotientAndRemainder(dividingBy: unit)
  let digits = String(part)
  let fraction = decimals == 0 ? "" : "." + String(repeating: "0", count: decimals - digits.count) + digits
  return (micros < 0 && held > 0 ? "-" : "") + "\(whole)" + fraction
}
