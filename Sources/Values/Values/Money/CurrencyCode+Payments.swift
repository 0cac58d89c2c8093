extension CurrencyCode {
  /// Whether the currency's unit is the smallest amount that can be paid.
  ///
  /// Source: ISO 4217, list one, "minor unit" 0.
  public var hasNoFractions: Bool {
    [
      "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
      "XOF", "XPF",
    ].contains(text)
  }
}
