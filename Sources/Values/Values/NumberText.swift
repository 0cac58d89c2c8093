/// A number with so many decimals, halves rounded away from zero; `-0` is `0`, and what is no number is empty.
public func fixed(_ value: Double, _ decimals: Int) -> String {
  let factor = (0..<decimals).reduce(1.0) { scaled, _ in scaled * 10 }
  let scaled = (value * factor).rounded(.toNearestOrAwayFromZero)
  // Beyond it a binary fraction has no decimals anyway.
  guard scaled.magnitude < 9e15 else { return value.isNaN ? "" : "\(value)" }
  let whole = Int64(scaled)
  let (units, rest) = whole.magnitude.quotientAndRemainder(dividingBy: UInt64(factor))
  let sign = whole < 0 ? "-" : ""
  guard decimals > 0 else { return "\(sign)\(units)" }
  let digits = String(rest)
  return "\(sign)\(units).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
}

/// A number with so many decimals, or another text where there is none.
public func fixed(_ value: Double?, _ decimals: Int, none: String) -> String {
  guard let value, value.isFinite else { return none }
  return fixed(value, decimals)
}

/// A share as people read it: `12.3 %`; a dash for what is no number.
public func percent(_ share: Double, _ decimals: Int = 1) -> String {
  fixed(share * 100, decimals, none: "-") + (share.isFinite ? " %" : "")
}

/// A count with its noun, which takes an s where it is not one: `1 row`, `2,000 rows`.
public func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// A number with at most so many decimals and no zeros at the end.
public func trimmed(_ value: Double, _ decimals: Int) -> String {
  var text = fixed(value, decimals)
  guard text.contains("."), !text.contains("e") else { return text }
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text == "-0" ? "0" : text
}

/// A whole number with its thousands set apart.
public func grouped(_ value: some BinaryInteger) -> String { withThousands(String(value)) }

/// A number in digits with its thousands set apart.
public func withThousands(_ number: String) -> String {
  let isNegative = number.hasPrefix("-")
  let magnitude = isNegative ? number.dropFirst() : number[...]
  let whole = Array(magnitude.prefix { $0 != "." })
  var text = isNegative ? "-" : ""
  for (index, digit) in whole.enumerated() {
    if index > 0, (whole.count - index) % 3 == 0 { text += "," }
    text.append(digit)
  }
  return text + magnitude.dropFirst(whole.count)
}
