internal import CGSL
import System
public import Values

/// Random variates; the same for the same seed on every machine with the same C library and GSL.
extension SplitMix64 {
  /// Draws from the gamma distribution of scale 1.
  ///
  /// - Parameter shape: More than 0.
  /// - Returns: A number above 0, or 0 where it is too small to represent.
  public mutating func gamma(shape: Double) -> Double {
    unsafe withGenerator { unsafe gsl_ran_gamma($0, shape, 1) }
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
  public mutating func binomial(_ trials: Int, _ probability: Double) -> Int {
    guard trials > 0, probability > 0 else { return 0 }
    guard probability < 1 else { return trials }
    if trials <= 8 {
      // A few coins are quicker than the general method.
      var successes = 0
      for _ in 0..<trials where fraction() < probability { successes += 1 }
      return successes
    }
    return Int(unsafe withGenerator { unsafe gsl_ran_binomial($0, probability, UInt32(clamping: trials)) })
  }

  /// Draws from the normal distribution of mean 0 and standard deviation 1.
  public mutating func normal() -> Double {
    unsafe withGenerator { unsafe gsl_ran_gaussian_ziggurat($0, 1) }
  }

  /// Draws from the Poisson distribution.
  ///
  /// - Parameter mean: 0 or more.
  /// - Returns: 0 or more.
  public mutating func poisson(_ mean: Double) -> Int {
    mean > 0 ? Int(unsafe withGenerator { unsafe gsl_ran_poisson($0, mean) }) : 0
  }

  /// Draws from the exponential distribution of mean 1.
  public mutating func exponential() -> Double {
    unsafe withGenerator { unsafe gsl_ran_exponential($0, 1) }
  }

  /// Draws how many marked things are among some that are taken without putting back.
  ///
  /// - Parameters:
  ///   - marked: How many there are that are marked.
  ///   - plain: How many there are that are not.
  ///   - taken: How many are taken; no more than there are.
  /// - Returns: 0 or more.
  public mutating func hypergeometric(marked: Int, plain: Int, taken: Int) -> Int {
    Int(
      unsafe withGenerator {
        unsafe gsl_ran_hypergeometric(
          $0, UInt32(clamping: marked), UInt32(clamping: plain), UInt32(clamping: taken))
      })
  }

  private mutating func withGenerator<Result>(_ body: (UnsafePointer<gsl_rng>) -> Result) -> Result {
    unsafe withUnsafeMutablePointer(to: &self) { state in
      var generator = unsafe gsl_rng(type: splitMixType.pointer, state: UnsafeMutableRawPointer(state))
      return unsafe body(&generator)
    }
  }
}

/// The table of functions by which GSL draws from a ``SplitMix64``; it lives as long as the program.
@safe private struct GeneratorType: @unchecked Sendable {
  let pointer: UnsafePointer<gsl_rng_type>

  init() {
    _ = silence
    let table = UnsafeMutablePointer<gsl_rng_type>.allocate(capacity: 1)
    unsafe table.initialize(
      to: gsl_rng_type(
        name: nil, max: .max, min: 0, size: MemoryLayout<SplitMix64>.size,
        set: { _, _ in },
        get: { state in
          guard let state = unsafe state else { return 0 }
          return unsafe UInt(state.assumingMemoryBound(to: SplitMix64.self).pointee.next())
        },
        get_double: { state in
          guard let state = unsafe state else { return 0 }
          return unsafe state.assumingMemoryBound(to: SplitMix64.self).pointee.fraction()
        }))
    unsafe pointer = UnsafePointer(table)
  }
}

private let splitMixType = GeneratorType()
