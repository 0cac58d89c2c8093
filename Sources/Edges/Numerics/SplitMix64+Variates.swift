internal import CBoost
public import Values

/// Random variates; the same for the same seed on every machine with the same C library and Boost.
extension SplitMix64 {
  /// Draws from the gamma distribution of scale 1.
  ///
  /// - Parameter shape: More than 0.
  /// - Returns: A number above 0, or 0 where it is too small to represent.
  public mutating func gamma(shape: Double) -> Double {
    unsafe draw { unsafe skan_draw_gamma($0, shape) }
  }

  /// Draws from the beta distribution; with the mean's probability 1 and else 0 where both parameters vanish.
  ///
  /// - Parameters:
  ///   - a: 0 or more.
  ///   - b: 0 or more.
  /// - Returns: A number from 0 through 1.
  public mutating func beta(_ a: Double, _ b: Double) -> Double {
    guard b > 0 else { return 1 }
    guard a > 0 else { return 0 }
    let first = gamma(shape: a)
    let second = gamma(shape: b)
    // Two shapes far below 1 can both underflow; the distribution then is all but a coin.
    return first + second > 0 ? first / (first + second) : happens(a / (a + b)) ? 1 : 0
  }

  /// Draws how many of some trials succeed.
  ///
  /// - Parameters:
  ///   - trials: 0 or more.
  ///   - probability: Held within 0 and 1.
  /// - Returns: A number from 0 through that of the trials.
  @inlinable public mutating func binomial(_ trials: Int, _ probability: Double) -> Int {
    guard trials > 0, probability > 0 else { return 0 }
    guard probability < 1 else { return trials }
    if trials <= 8 {
      // A few coins are quicker than the general method.
      var successes = 0
      for _ in 0..<trials { successes += fraction() < probability ? 1 : 0 }
      return successes
    }
    return binomialOfMany(trials, probability)
  }

  @usableFromInline
  mutating func binomialOfMany(_ trials: Int, _ probability: Double) -> Int {
    unsafe draw { Int(unsafe skan_draw_binomial($0, Int64(trials), probability)) }
  }

  /// Draws from the normal distribution of mean 0 and standard deviation 1.
  public mutating func normal() -> Double {
    unsafe draw { unsafe skan_draw_normal($0) }
  }

  /// Draws from the Poisson distribution.
  ///
  /// - Parameter mean: 0 or more; above 2^52, that counts.
  /// - Returns: 0 or more.
  public mutating func poisson(_ mean: Double) -> Int {
    mean > 0 ? unsafe draw { Int(unsafe skan_draw_poisson($0, min(mean, 0x1p52))) } : 0
  }

  /// Draws from the exponential distribution of mean 1.
  public mutating func exponential() -> Double {
    unsafe draw { unsafe skan_draw_exponential($0) }
  }

  /// Draws how many marked things are among some that are taken without putting back.
  ///
  /// - Parameters:
  ///   - marked: How many there are that are marked.
  ///   - plain: How many there are that are not.
  ///   - taken: How many are taken; no more than there are.
  /// - Returns: 0 or more.
  public mutating func hypergeometric(marked: Int, plain: Int, taken: Int) -> Int {
    // One by one, either those that are taken or those that stay: the fewer.
    var all = marked + plain
    let takesFewer = taken <= all / 2
    var left = takesFewer ? taken : all - taken
    var unseen = marked
    while left > 0, unseen > 0 {
      if number(below: all) < unseen { unseen -= 1 }
      all -= 1
      left -= 1
    }
    return takesFewer ? marked - unseen : unseen
  }

  private mutating func draw<Result>(_ distribution: (skan_bits) -> Result) -> Result {
    unsafe withUnsafeMutablePointer(to: &self) { state in
      unsafe distribution(
        skan_bits(
          next: { unsafe $0.assumingMemoryBound(to: SplitMix64.self).pointee.next() },
          state: UnsafeMutableRawPointer(state)))
    }
  }
}
