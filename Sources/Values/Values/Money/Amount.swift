/// An amount of money without its currency, exact to a millionth of the currency's unit.
public struct Amount: Hashable, Comparable, Sendable {
  /// Millionths of the currency's unit; negative for refunds.
  public let micros: Int64

  public static let zero = Amount(micros: 0)

  /// Wraps millionths of the currency's unit.
  public init(micros: Int64) { self.micros = micros }

  /// Why a text is not an amount; the raw value is the stable code.
  public enum Defect: String, Error, Hashable, Sendable, CaseIterable {
    case notANumber = "invalid-amount"
    case tooPrecise = "amount-too-precise"
    case tooLarge = "amount-too-large"

    package var sentence: Sentence {
      switch self {
      case .notANumber: Sentence("an amount is written like 12.50, as a number or as a text")
      case .tooPrecise: Sentence("an amount has at most six decimals")
      case .tooLarge: Sentence("an amount lies between -9223372036854.775808 and 9223372036854.775807")
      }
    }
  }

  /// Reads a decimal number as JSON writes it, digit by digit, so that no binary fraction comes in between.
  ///
  /// Exponents are understood: `5e-1` is half a unit. Time is linear in the length of the text.
  ///
  /// - Parameters:
  ///   - text: The number.
  ///   - shift: The power of ten that it is multiplied with: -6 for a number of millionths.
  ///   - isRounded: Whether more decimals are rounded to the nearest millionth, halves away from zero.
  /// - Throws: ``Defect`` when the text is not a number, needs more than six decimals, or does not fit.
  public init(decimal text: String, shiftedBy shift: Int = 0, isRounded: Bool = false) throws(Defect) {
    var scanner = DecimalScanner(text)
    guard scanner.scan() else { throw .notANumber }
    // Zeros at the end carry nothing; without them the power of ten shows how many decimals are needed.
    var digits = scanner.digits[...]
    var power = scanner.power + 6 + shift
    if isRounded, power < 0 {
      let kept = digits.count + power
      let isUp = kept >= 0 && kept < digits.count && digits[digits.startIndex + kept] >= 5
      digits = [0] + digits.prefix(max(0, kept))
      power = 0
      if isUp { Self.addOne(to: &digits) }
    }
    while digits.last == 0 {
      digits.removeLast()
      power += 1
    }
    digits = digits.drop { $0 == 0 }
    guard !digits.isEmpty else {
      micros = 0
      return
    }
    guard power >= 0 else { throw .tooPrecise }
    guard digits.count + power <= 19 else { throw .tooLarge }
    var value: Int64 = 0
    for digit in digits + Array(repeating: 0, count: power) {
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) =
        scanner.isNegative
        ? shifted.subtractingReportingOverflow(Int64(digit)) : shifted.addingReportingOverflow(Int64(digit))
      guard !overflow, !carried else { throw .tooLarge }
      value = sum
    }
    micros = value
  }

  /// Adds one to a number that has a zero in front.
  private static func addOne(to digits: inout ArraySlice<UInt8>) {
    var at = digits.endIndex - 1
    while at > digits.startIndex, digits[at] == 9 {
      digits[at] = 0
      at -= 1
    }
    digits[at] += 1
  }

  /// Takes another amount off, held at the end of the range.
  public func subtracting(_ other: Amount) -> Amount { Amount(micros: micros.subtractingHeld(other.micros)) }

  /// In units of the currency, for charts and statistics; money is never computed with it.
  @inlinable public var units: Double { Double(micros) / 1e6 }

  /// Without its sign, held at the end of the range.
  public var magnitude: Amount { Amount(micros: Int64(clamping: micros.magnitude)) }

  public static func < (a: Self, b: Self) -> Bool { a.micros < b.micros }

  /// Adds another amount; `didSaturate` shows that the sum did not fit and was held at the end of the range.
  public func adding(_ other: Amount) -> (sum: Amount, didSaturate: Bool) {
    let (sum, overflow) = micros.addingReportingOverflow(other.micros)
    guard overflow else { return (Amount(micros: sum), false) }
    return (Amount(micros: other.micros < 0 ? .min : .max), true)
  }
}

extension Amount: CustomStringConvertible {
  /// The amount as a decimal number with as many decimals as it needs: `12.5`.
  public var description: String {
    var digits: [UInt8] = []
    append(to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends ``description``, without a text in between.
  public func append(to digits: inout [UInt8]) {
    digits.append(addingCapacity: 32) { append(to: &$0) }
  }

  /// Appends ``description``, which has 21 bytes at most.
  public func append(to digits: inout OutputSpan<UInt8>) {
    let (units, rest) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    if micros < 0 { digits.append(UInt8(ascii: "-")) }
    appendDecimalDigits(of: units, to: &digits)
    guard rest > 0 else { return }
    digits.append(UInt8(ascii: "."))
    var (decimals, width) = (rest, 6)
    while decimals % 10 == 0 { (decimals, width) = (decimals / 10, width - 1) }
    appendDecimalDigits(of: decimals, atLeast: width, to: &digits)
  }
}

/// Appends a whole number in digits, without a text in between.
public func appendDecimalDigits(of number: UInt64, to digits: inout [UInt8]) {
  digits.append(addingCapacity: 20) { appendDecimalDigits(of: number, to: &$0) }
}

/// Appends a whole number in digits, 20 at most.
@inlinable
public func appendDecimalDigits(of number: UInt64, to digits: inout OutputSpan<UInt8>) {
  // Most numbers of a report are 0 or nearly so.
  if number < 10 { return digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)) }
  appendDecimalDigits(of: number, atLeast: 2, to: &digits)
}

/// The same, with zeros in front up to a width of 16 at most.
@usableFromInline
func appendDecimalDigits(of number: UInt64, atLeast width: Int, to digits: inout OutputSpan<UInt8>) {
  let most: UInt64 = 10_000_000_000_000_000
  if number >= most {
    appendDecimalDigits(of: number / most, atLeast: 1, to: &digits)
    return appendDecimalDigits(of: number % most, atLeast: 16, to: &digits)
  }
  // Four bits for each digit, the last one first: the compiler divides by a constant without a division.
  var (left, reversed, count) = (number, UInt64(0), 0)
  while left > 0 || count < width {
    (reversed, left, count) = (reversed << 4 | (left % 10), left / 10, count + 1)
  }
  for _ in 0..<count {
    digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: reversed & 15))
    reversed >>= 4
  }
}

/// Takes the text of a number apart.
private struct DecimalScanner {
  private(set) var isNegative = false
  private(set) var digits: [UInt8] = []
  /// The power of ten that the digits, read as one whole number, are multiplied with.
  private(set) var power = 0

  private let bytes: [UInt8]
  private var at = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Reads the whole text; `false` when it is not a number.
  mutating func scan() -> Bool {
    isNegative = skip("-")
    let whole = run()
    guard !whole.isEmpty, whole.count == 1 || whole.first != 0 else { return false }
    digits = whole
    if skip(".") {
      let decimals = run()
      guard !decimals.isEmpty else { return false }
      digits += decimals
      power = -decimals.count
    }
    if skip("e") || skip("E") {
      let isDown = skip("-")
      if !isDown { _ = skip("+") }
      let exponent = run()
      guard !exponent.isEmpty else { return false }
      // Held far beyond every amount, so that a long exponent can't overflow.
      let size = exponent.reduce(0) { min($0 * 10 + Int($1), 1_000_000_000) }
      power += isDown ? -size : size
    }
    return at == bytes.count
  }

  private mutating func skip(_ letter: Unicode.Scalar) -> Bool {
    guard at < bytes.count, bytes[at] == UInt8(ascii: letter) else { return false }
    at += 1
    return true
  }

  private mutating func run() -> [UInt8] {
    let start = at
    while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
    return bytes[start..<at].map { $0 - 0x30 }
  }
}
