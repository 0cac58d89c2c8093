import Values

/// A range of numbers, even or logarithmic, laid out over a length from 0 through 1, with round marks.
struct Scale: Sendable {
  struct Mark: Sendable {
    let value: Double
    let label: String
  }

  let low: Double
  let high: Double
  private let isLogarithmic: Bool
  let marks: [Mark]

  /// An even scale, from the lowest number down to a round one through the highest up to a round one.
  ///
  /// - Parameters:
  ///   - range: The numbers that have to lie on it.
  ///   - count: About how many marks there should be.
  ///   - least: The least distance of marks, such as 1 for what is counted.
  ///   - label: What is written at a mark.
  init(
    _ range: ClosedRange<Double>, count: Int, step least: Double = 0,
    label: (Double) -> String = Scale.short
  ) {
    let step = max(least, Self.step(over: range.upperBound - range.lowerBound, count: count))
    let first = (range.lowerBound / step).rounded(.down)
    let last = max(first + 1, (range.upperBound / step).rounded(.up))
    low = first * step
    high = last * step
    isLogarithmic = false
    marks = (0...Int(last - first)).map { index in
      let value = (first + Double(index)) * step
      return Mark(value: value, label: label(value))
    }
  }

  /// A logarithmic scale over whole decades; the lowest number has to lie above 0.
  init(decadesOf range: ClosedRange<Double>, label: (Double) -> String = Scale.short) {
    var low = 1.0
    while low > range.lowerBound, low > 1e-12 { low /= 10 }
    while low * 10 <= range.lowerBound { low *= 10 }
    var high = low * 10
    while high < range.upperBound { high *= 10 }
    self.low = low
    self.high = high
    isLogarithmic = true
    var values: [Double] = []
    var value = low
    while value <= high * 1.5 {
      values.append(value)
      value *= 10
    }
    // A decade or two alone would have hardly a mark.
    let isShort = values.count <= 3
    marks = values.flatMap { decade in
      (isShort ? [1.0, 2, 5] : [1]).map { $0 * decade }.filter { $0 <= high * 1.001 }
    }.map { Mark(value: $0, label: label($0)) }
  }

  /// Where a number lies, 0 at the low and 1 at the high end; numbers outside are held at the ends.
  func place(_ value: Double) -> Double {
    let share =
      isLogarithmic
      ? naturalLogarithm(max(value, low) / low) / naturalLogarithm(high / low)
      : (value - low) / (high - low)
    return min(max(share, 0), 1)
  }

  /// Returns 1, 2 or 5 times a power of ten that divides a length into about so many parts.
  static func step(over length: Double, count: Int) -> Double {
    guard length > 0, length.isFinite else { return 1 }
    let rough = length / Double(max(1, count))
    var power = 1.0
    while power > rough { power /= 10 }
    while power * 10 <= rough { power *= 10 }
    return [1, 2, 5].map { $0 * power }.first { $0 >= rough * 0.999 } ?? 10 * power
  }

  /// A number as short as an axis needs it: `1.5k`, `20`, `0.25`.
  static func short(_ value: Double) -> String {
    let size = value.magnitude
    for (limit, letter) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] where size >= limit * 0.9999 {
      return trimmed(value / limit, 2) + letter
    }
    return trimmed(value, size < 0.01 ? 6 : 3)
  }
}

/// The natural logarithm of a positive number, without a C library.
private func naturalLogarithm(_ value: Double) -> Double {
  // ln m = 2 artanh((m - 1) / (m + 1)); a significand of 1 to 2 needs few terms.
  let ratio = (value.significand - 1) / (value.significand + 1)
  let (square, terms) = (ratio * ratio, 18)
  let series = (0..<terms).reversed().reduce(0.0) { sum, index in sum * square + 1 / Double(2 * index + 1) }
  return Double(value.exponent) * 0.693_147_180_559_945_3 + 2 * ratio * series
}

/// Returns about how wide a text is, rather more than less, because the reader's font is not known.
func estimatedWidth(_ text: String, size: Double) -> Double {
  text.unicodeScalars.reduce(0) { width, scalar in
    switch scalar {
    case "i", "j", "l", "t", "f", "r", "I", ".", ",", " ", "-", "(", ")", "'": width + 0.45 * size
    case "m", "w", "M", "W", "%", "@", "&": width + size
    case "A"..."Z": width + 0.8 * size
    default: width + (scalar.isASCII ? 0.66 : 1.1) * size
    }
  }
}

/// Returns a text that is cut with an ellipsis where it would be wider.
package func fitted(_ text: String, width: Double, size: Double) -> String {
  guard estimatedWidth(text, size: size) > width else { return text }
  var short = text
  while !short.isEmpty, estimatedWidth(short + "…", size: size) > width { short.removeLast() }
  return short + "…"
}

/// A place in a drawing.
func at(_ value: Double) -> String { trimmed(value.isFinite ? value : 0, 1) }
