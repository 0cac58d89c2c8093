import Values

extension CurrencyCode {
  /// How many decimals amounts of a currency have.
  ///
  /// Source: ISO 4217, list one, column "minor unit".
  static func decimals(of code: String) -> Int {
    withoutDecimals.contains(code) ? 0 : withThree.contains(code) ? 3 : 2
  }

  private static let withoutDecimals: Set = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF",
    "XPF",
  ]
  private static let withThree: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}
