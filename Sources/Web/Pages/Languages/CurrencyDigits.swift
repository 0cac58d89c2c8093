/// How many decimals amounts of a currency have.
enum CurrencyDigits {
  /// Source: ISO 4217, list one, column "minor unit".
  static func count(of code: String) -> Int {
    none.contains(code) ? 0 : three.contains(code) ? 3 : 2
  }

  private static let none: Set = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF",
    "XPF",
  ]
  private static let three: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}
