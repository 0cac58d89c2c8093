import Estimates
import JSONText
import Postbacks
import Values

extension ExperimentMeasure {
  /// What is compared, in words.
  func sentence(currency: CurrencyCode?) -> String {
    switch self {
    case .revenue: "revenue per install with a shown value\(currency.map { ", in \($0)" } ?? "")"
    case .event(let name): "share of installs with a shown value that did '\(printable(name))'"
    case .nullRate: "share of installs without any value"
    }
  }
}

/// A number with so many decimals; a dash where it does not fit.
func decimals(_ number: Double?, _ places: Int) -> String {
  guard let number, number.isFinite, number.magnitude < 1e12 else { return "-" }
  let unit = (0..<places).reduce(Int64(1)) { power, _ in power * 10 }
  let scaled = Int64((number * Double(unit)).rounded())
  let fraction = String(scaled.magnitude % UInt64(unit))
  let padding = String(repeating: "0", count: max(0, places - fraction.count))
  return (scaled < 0 ? "-" : "") + "\(scaled.magnitude / UInt64(unit))"
    + (places > 0 ? "." + padding + fraction : "")
}

/// A number with up to six decimals; `null` where there is none or it does not fit.
func sixDecimals(_ number: Double?) -> JSONOutput {
  guard let number, number.isFinite, number.magnitude < 9e11 else { return .null }
  return JSONNumber("\(Amount(micros: Int64((number * 1e6).rounded())))").map { .number($0) } ?? .null
}
