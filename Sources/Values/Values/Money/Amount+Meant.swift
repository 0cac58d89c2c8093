extension Amount {
  /// The amount that a text which is no amount was probably meant to be: of `4,99`, `$4.99` and `1.000,50 EUR`.
  ///
  /// - Returns: The amount as ``init(decimal:)`` reads it; `nil` where it could be more than one.
  public static func meant(by text: String) -> String? {
    guard text.utf8.count <= 40 else { return nil }
    let kept = text.filter { character in
      character.isASCII && character.isNumber || ".,-".contains(character)
    }
    let separators = kept.filter { ".,".contains($0) }
    var digits = kept
    if let last = kept.lastIndex(where: { ".,".contains($0) }) {
      let decimals = kept[kept.index(after: last)...]
      if Set(separators).count == 2 || (separators == "," && decimals.count != 3 && !decimals.isEmpty) {
        digits = kept[..<last].filter { !".,".contains($0) } + "." + decimals
      } else if separators.count > 1, Set(separators).count == 1 {
        digits = kept.filter { !".,".contains($0) }
      }
    }
    let isNegative = digits.hasPrefix("-")
    var plain = digits.drop { $0 == "-" || $0 == "0" }
    if plain.first.map({ $0 == "." }) ?? true { plain = "0" + plain }
    digits = (isNegative ? "-" : "") + plain
    guard digits != text, kept.contains(where: \.isNumber), (try? Amount(decimal: digits)) != nil else {
      return nil
    }
    return digits
  }
}
