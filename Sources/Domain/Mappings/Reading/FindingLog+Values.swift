import JSONText
import Values

// Each of these reports what is wrong and then returns nil, as it does where there is nothing to read.

extension FindingLog {
  mutating func text(_ at: Located?) -> String? {
    guard let at else { return nil }
    guard case .string(let text) = at.node.value else {
      wrongType(at, "a text", .text)
      return nil
    }
    guard !text.isEmpty else {
      report(.emptyText, at.place, "this text must not be empty")
      return nil
    }
    return text
  }

  mutating func truth(_ at: Located?) -> Bool? {
    guard let at else { return nil }
    guard case .bool(let truth) = at.node.value else {
      wrongType(at, "true or false", .truth)
      return nil
    }
    return truth
  }

  mutating func integer(_ at: Located?, in range: ClosedRange<Int64>, hint: String? = nil) -> Int64? {
    guard let at else { return nil }
    guard case .number(let number) = at.node.value, number.isPlainInteger else {
      wrongType(at, "a whole number", .integer)
      return nil
    }
    guard let integer = number.integer, range.contains(integer) else {
      let found = number.text.utf8.count <= 24 ? number.text : "a number of \(number.text.utf8.count) digits"
      report(
        .outOfRange, at.place, "this must be \(range.lowerBound) through \(range.upperBound), found \(found)",
        hint: hint)
      return nil
    }
    return integer
  }

  mutating func amount(_ at: Located?) -> Amount? {
    guard let at else { return nil }
    let text: String
    switch at.node.value {
    case .number(let number): text = number.text
    case .string(let string): text = string
    default:
      wrongType(at, "an amount", .amount)
      return nil
    }
    do {
      return try Amount(decimal: text)
    } catch {
      report(
        .amount(error), at.place, error.sentence, hint: Amount.meant(by: text).map { "Did you mean \($0)?" })
      return nil
    }
  }

  mutating func currency(_ at: Located?) -> CurrencyCode? {
    guard let at, let text = text(at) else { return nil }
    if let code = CurrencyCode(text) { return code }
    let all = CurrencyCode.names.keys.sorted()
    let meant =
      CurrencyCode(anyCase: text)?.text
      ?? (text.utf8.count <= 40
        ? all.first { CurrencyCode.names[$0]?.lowercased() == text.lowercased() }
          ?? nearest(to: text.uppercased(), among: all) : nil)
    report(
      .currencyNotListed, at.place, "ISO 4217 lists no currency \(quoted(text))",
      hint: meant.flatMap { CurrencyCode($0) }.map { "Did you mean \(quoted($0.text)), \($0.name)?" })
    return nil
  }

  mutating func instant(_ at: Located?) -> Instant? {
    guard let at, let text = text(at) else { return nil }
    if let instant = Instant(text) { return instant }
    report(
      .invalidDate, at.place, "\(quoted(text)) is not a date",
      hint: Instant.mistake(in: text).map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
        ?? "Write it like \"2026-11-01\" or \"2026-11-01T08:00:00Z\".")
    return nil
  }

  /// Reads one of a few words.
  mutating func word<Word: RawRepresentable & CaseIterable>(_ at: Located?) -> Word?
  where Word.RawValue == String {
    guard let at, let text = text(at) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    let meant = text.utf8.count <= 40 ? Synonyms.word(for: text, among: words) : nil
    report(
      .unknownWord, at.place,
      "\(quoted(text)) is not one of \(words.map { quoted($0) }.joined(separator: ", "))",
      hint: meant.map { "Did you mean \(quoted($0))?" })
    return nil
  }

  /// Reads an array element by element; elements that are wrong are left out.
  mutating func list<Element>(
    _ at: Located?, atMost most: Int = 512, _ read: (inout FindingLog, Located) -> Element?
  ) -> [Element] {
    guard let at else { return [] }
    guard let elements = at.elements else {
      wrongType(at, "an array", .array)
      return []
    }
    guard elements.count <= most else {
      report(.tooManyRules, at.place, "this array has \(elements.count) elements; the maximum is \(most)")
      return []
    }
    return elements.compactMap { read(&self, $0) }
  }
}
