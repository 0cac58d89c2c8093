import Simulation
import Values

/// A count with its thousands set apart, and one decimal where it is a mean that is not whole.
func grouped(_ value: Double) -> String {
  let text = fixed(value, value == value.rounded() ? 0 : 1)
  return withThousands(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
}

/// An amount with two decimals and its thousands set apart.
func grouped(_ sum: MoneySum) -> String {
  let cents = sum.divided(by: 10_000).micros
  let (units, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
  return withThousands("\(cents < 0 ? "-" : "")\(units).\(rest < 10 ? "0" : "")\(rest)")
}

/// An error as people read it, always with its sign: `-12.3 %`.
func signedPercent(_ error: Double) -> String {
  let text = percent(error)
  return text.hasPrefix("-") || text == "0.0 %" ? text : "+" + text
}

/// A time as people read it: hours up to three days, then days.
func duration(hours: Int) -> String {
  hours < 72 ? "\(hours) h" : trimmed(Double(hours) / 24, 1) + " d"
}
