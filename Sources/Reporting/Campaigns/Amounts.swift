package import Values

/// Money with its thousands set apart and rounded to so many decimals.
package func money(_ amount: Amount, decimals: Int = 2) -> String {
  let unit = (0..<max(0, 6 - decimals)).reduce(Int64(1)) { product, _ in product * 10 }
  let (quotient, rest) = amount.micros.quotientAndRemainder(dividingBy: unit)
  let rounded = quotient + (rest.magnitude * 2 >= unit.magnitude ? rest.signum() : 0)
  let scale = (0..<decimals).reduce(Int64(1)) { product, _ in product * 10 }
  let (units, fraction) = rounded.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
  let decimalsText = String(fraction + scale.magnitude).dropFirst()
  return (rounded < 0 ? "-" : "") + grouped(Int64(units)) + (decimals > 0 ? "." : "") + decimalsText
}

/// A share in per cent with one decimal; empty where there is nothing to have a share of.
package func percent(_ part: Int64, of whole: Int64) -> String {
  guard whole > 0 else { return "" }
  let tenths = (part * 1000 + whole / 2) / whole
  return "\(tenths / 10).\(tenths % 10)"
}
