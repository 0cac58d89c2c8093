/// A generator of pseudo-random numbers that gives the same numbers for the same seed, on every machine.
///
/// For simulations, demonstrations and tests; never for keys. Source: Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a whole number from 0 up to, but not including, `bound`, which must be positive.
  public mutating func number(below bound: Int) -> Int {
    precondition(bound > 0, "There is no number below \(bound).")
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Returns a number from 0 up to, but not including, 1.
  public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns whether an event of the given probability happens.
  public mutating func happens(_ probability: Double) -> Bool { fraction() < probability }
}
