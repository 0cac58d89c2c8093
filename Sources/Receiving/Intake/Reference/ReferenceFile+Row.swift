import Postbacks
import Values

extension ReferenceFile {
  /// One row: its line and the texts of its columns; empty ones are left out.
  package struct Row {
    let line: Int
    let texts: [String: String]
    /// Whether a comma can be the decimal mark, because another letter separates cells.
    var hasDecimalCommas = false
    /// How the file writes amounts and days, and what it calls columns.
    var form = ImportForm()

    func error(_ code: String, _ sentence: Sentence, cure: String? = nil) -> ReferenceFileError {
      ReferenceFileError(code: code, line: line, sentence: sentence, cure: cure)
    }

    func required(_ name: String) throws(ReferenceFileError) -> String {
      guard let text = texts[name] else {
        throw error("missing-\(name)", Sentence("the row has no \(form.words(for: name))"))
      }
      return text
    }

    func day(_ name: String) throws(ReferenceFileError) -> Day? {
      guard let text = texts[name] else { return nil }
      do throws(DayForm.Defect) { return try form.days.day(text) } catch {
        let words = form.words(for: name)
        switch error {
        case .unreadable:
          throw self.error(
            "invalid-\(name)",
            form.days.format == nil
              ? Sentence("the \(words) '\(name: text)' is not a date such as 2026-11-21")
              : Sentence("the \(words) '\(name: text)' is not a date of the chosen form"),
            cure: form.days.cure(for: text))
        case .notMidnight:
          throw self.error(
            "no-midnight-\(name)",
            Sentence(
              "the \(words) '\(name: text)' is no midnight, so that its day depends on the clock of its source"
            ),
            cure: form.days.cureForNoMidnight)
        }
      }
    }

    func requiredDay(_ name: String) throws(ReferenceFileError) -> Day {
      _ = try required(name)
      guard let day = try day(name) else {
        throw error("missing-\(name)", Sentence("the row has no \(form.title(of: name))"))
      }
      return day
    }

    func app(_ name: String) throws(ReferenceFileError) -> Int64? {
      guard let text = texts[name] else { return nil }
      let digits = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
      guard let number = Int64(digits), number > 0 else {
        throw error("invalid-app", Sentence("the app '\(name: text)' is not an App Store number"))
      }
      return number
    }

    func network() throws(ReferenceFileError) -> String {
      guard let network = AdNetworkID(try required("network")) else {
        throw error("invalid-network", Sentence("the network is empty"))
      }
      return network.canonical
    }

    func currency(_ name: String) throws(ReferenceFileError) -> String {
      let text = try required(name)
      guard let currency = CurrencyCode(anyCase: text) else {
        throw error(
          "currency-not-listed",
          Sentence("the \(form.title(of: name)) '\(name: text)' is not one of ISO 4217"))
      }
      return currency.text
    }

    func rate(_ name: String) throws(ReferenceFileError) -> Int64 {
      let text = try decimal(name)
      // A rate is read as a millionfold amount, which has twelve decimals then.
      guard !text.lowercased().contains("e"), let rate = try? Amount(decimal: text + "e6"), rate > .zero
      else {
        throw error(
          "invalid-rate",
          Sentence(
            "the \(form.title(of: name)) '\(name: text)' is not a number above zero and below 9223372 with at most twelve decimals, such as 1.0837"
          ))
      }
      return rate.micros
    }

    func amount(_ name: String) throws(ReferenceFileError) -> Int64 {
      let text = try decimal(name)
      do throws(Amount.Defect) {
        return try Amount(
          decimal: text, shiftedBy: form.amounts.unit.power, isRounded: form.amounts.isRounded
        ).micros
      } catch {
        throw self.error(
          error.rawValue,
          Sentence(
            "the \(form.words(for: name)) '\(name: texts[name] ?? text)': \(error.sentence)"),
          cure: error == .tooPrecise ? "a profile with \"rounds-amounts\": true rounds to a millionth" : nil)
      }
    }

    /// A count of the column; `nil` where the cell is empty.
    func whole(_ name: String) throws(ReferenceFileError) -> Int64? {
      guard let text = texts[name] else { return nil }
      return try whole(name, text)
    }

    func whole(_ name: String, _ text: String) throws(ReferenceFileError) -> Int64 {
      var text = text
      // Programs that compute with floating-point numbers write 1200.0.
      if text.hasSuffix(".0") { text.removeLast(2) }
      guard let count = Int64(text), count <= Self.mostCounted else {
        if let plain = Self.withoutThousands(text) {
          throw error(
            "thousands-separator",
            Sentence(
              "the \(form.title(of: name)) '\(name: text)' has a thousands separator; write \(code: plain)"))
        }
        throw error(
          "invalid-\(name)",
          Sentence("the \(form.title(of: name)) '\(name: text)' is not a whole number such as 1200"))
      }
      guard count >= 0 else {
        throw error("negative-\(name)", Sentence("the \(form.title(of: name)) '\(name: text)' is below zero"))
      }
      return count
    }

    /// No network counts more than there are people, and sums of such counts fit.
    static let mostCounted: Int64 = 1_000_000_000_000

    /// The sum of a number with that of an earlier row of the same key.
    func sum(
      _ name: String, _ earlier: Int64, _ own: Int64, most: Int64 = mostCounted
    ) throws(ReferenceFileError) -> Int64 {
      let (sum, overflow) = earlier.addingReportingOverflow(own)
      guard !overflow, sum <= most else {
        throw error("\(name)-too-large", Sentence("the sum of the day does not fit"))
      }
      return sum
    }

    /// The same where rows can lack it: both have it or neither.
    func sum(
      _ name: String, _ earlier: Int64?, _ own: Int64?, line: Int, most: Int64 = mostCounted
    ) throws(ReferenceFileError) -> Int64? {
      switch (earlier, own) {
      case (nil, nil): return nil
      case (let earlier?, let own?): return try sum(name, earlier, own, most: most)
      default:
        throw error(
          "missing-\(name)",
          Sentence(
            "this row and line \(line) are added up, and only one has \(form.title(of: name)); give both or neither"
          ))
      }
    }
  }
}

extension ReferenceFile.Row {
  /// The text of a decimal number with a point; a comma that can only be the decimal mark becomes one.
  fileprivate func decimal(_ name: String) throws(ReferenceFileError) -> String {
    let text = try required(name)
    let commas = text.utf8.count { $0 == UInt8(ascii: ",") }
    // One comma alone is judged below.
    let isOneComma = commas == 1 && text.allSatisfy { $0 == "," || $0.isASCII && $0.isNumber }
    if !isOneComma, let plain = Self.withoutThousands(text) {
      throw error(
        "thousands-separator",
        Sentence(
          "the \(form.title(of: name)) '\(name: text)' has a thousands separator; write \(code: plain)"))
    }
    guard commas == 1 else { return text }
    let pointed = String(text.map { $0 == "," ? "." : $0 })
    let decimals = text.drop { $0 != "," }.dropFirst()
    if decimals.count == 3 {
      throw error(
        "ambiguous-comma",
        Sentence(
          "the \(form.title(of: name)) '\(name: text)' can be \(code: text.filter { $0 != "," }) or \(code: pointed); write it without a comma"
        ))
    }
    guard hasDecimalCommas else {
      throw error(
        "decimal-comma",
        Sentence("the \(form.title(of: name)) '\(name: text)' has a decimal comma; write \(code: pointed)"))
    }
    return pointed
  }

  /// The number without separators of its thousands, with a point for its decimal mark; `nil` for a text without such
  /// separators.
  fileprivate static func withoutThousands(_ text: String) -> String? {
    let marks: Set<Character> = [",", ".", "'", "\u{2019}", "_", " ", "\u{A0}", "\u{202F}"]
    let parts = text.split(omittingEmptySubsequences: false) { marks.contains($0) }
    let used = text.filter { marks.contains($0) }
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }),
      parts.joined().allSatisfy({ $0.isASCII && $0.isNumber }), (1...3).contains(parts[0].count)
    else { return nil }
    // The last mark is the decimal one where it differs from those before it.
    let hasDecimals = used.count > 1 && used.last != used.first && (used.last == "," || used.last == ".")
    let groups = hasDecimals ? parts.dropLast() : parts[...]
    guard groups.count > 1, groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
    // One point in front of three digits is a decimal number.
    guard hasDecimals || used != "." else { return nil }
    return groups.joined() + (hasDecimals ? "." + (parts.last ?? "") : "")
  }
}
