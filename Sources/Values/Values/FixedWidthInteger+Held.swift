/// Arithmetic on amounts and counts from outside: what does not fit is held at the end of the range, where the plain operators
/// would end the process.
extension FixedWidthInteger {
  /// The whole number nearest to one that was computed in binary, halves away from zero; 0 for what is no number.
  @inlinable
  public init(nearest number: Double) {
    let whole = number.rounded()
    if let exact = Self(exactly: whole) {
      self = exact
    } else {
      self = whole.isNaN ? 0 : whole < 0 ? .min : .max
    }
  }

  @inlinable @inline(__always)
  public func addingHeld(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  @inlinable @inline(__always)
  public func subtractingHeld(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  @inlinable
  public func multipliedHeld(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
