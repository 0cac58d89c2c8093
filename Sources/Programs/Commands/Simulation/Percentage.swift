import Values

/// A share that is written as a percentage, such as `3%` or `2.5%`.
struct Percentage {
  /// From 0 through 1.
  let share: Double

  static let allowed = "a percentage from 0% to 100%, such as 3% or 2.5%"

  /// Reads the text of a percentage; `nil` where it is none, or more than the whole.
  init?(_ text: String) {
    guard text.utf8.last == UInt8(ascii: "%"), let percent = try? Amount(decimal: String(text.dropLast())),
      (0...100_000_000).contains(percent.micros)
    else { return nil }
    share = Double(percent.micros) / 100_000_000
  }
}
