import JSONText
import Postbacks
import Values

// Edges of ranges that can be read, and are probably not what was meant.

extension FindingLog {
  mutating func checkEdge(_ at: JSONPlace?, _ amount: Amount?, _ currency: CurrencyCode) {
    guard let at, let amount else { return }
    if amount < .zero {
      report(
        .negativeEdge, at.place,
        Sentence("the edge \(amount) \(currency) is below zero, which only refunds can reach"),
        hint: Sentence("Start at 0, unless the range is for users with more refunds than purchases."))
    }
    // Ad revenue comes in parts of a cent, so that only fractions of a currency without cents are a slip.
    guard currency.hasNoFractions, amount.micros % 1_000_000 != 0 else { return }
    report(
      .unpayableEdge, at.place,
      Sentence("no user can pay \(amount) \(currency): the currency has no fractions"),
      hint: Sentence("Write a whole number."))
  }

  /// Reports neighbours in an array that look like one amount with a decimal comma: `[0, 4,99, 150]`.
  mutating func checkCommas(_ elements: [JSONPlace]) {
    let pairs = elements.decimalCommas
    let gaps = zip(elements, elements.dropFirst()).count {
      $0.node.range.upperBound + 1 < $1.node.range.lowerBound
    }
    // Where no comma has a space behind it, nothing distinguishes one comma from another.
    guard let pair = pairs.first, gaps > 0, pairs.count + gaps == elements.count - 1 else { return }
    let (units, decimals) = (pair.0.text, pair.1.text)
    let pointed = "\(units).\(decimals)"
    report(
      .decimalComma, pair.place,
      Sentence("\(code: units),\(code: decimals) is read as two edges, \(code: units) and \(code: decimals)"),
      hint: Sentence("Did you mean \(code: pointed)? Amounts have a decimal point."),
      repair: MappingRepair(joining: pair.place.path, with: pointed))
  }
}

extension [JSONPlace] {
  /// Neighbours that are written like one number with two decimals behind a comma.
  var decimalCommas: [(JSONNumber, JSONNumber, place: Place)] {
    zip(self, dropFirst()).compactMap { a, b in
      guard let whole = a.node.value.number, let decimals = b.node.value.number, whole.isPlainInteger,
        decimals.isPlainInteger, decimals.text.utf8.count == 2, decimals.text.utf8.first != UInt8(ascii: "-"),
        a.node.range.upperBound + 1 == b.node.range.lowerBound
      else { return nil }
      return (whole, decimals, a.place)
    }
  }
}
