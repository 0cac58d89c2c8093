import Values

/// Updates of values that never reach the system, such as those of apps that are closed too soon.
///
/// The same updates are lost in every run of a simulation, so that the groups which share a value are those of all
/// runs.
struct UpdateLosses: Sendable {
  private let share: Double
  private let random: RandomStream

  /// Makes the losses of a simulation; `nil` where nothing is lost.
  ///
  /// - Parameters:
  ///   - share: The probability that an update is lost, 0 through 1.
  ///   - seed: The simulation's seed.
  init?(share: Double, seed: UInt64) {
    guard share > 0 else { return nil }
    self.share = share
    random = RandomStream(seed: seed, run: 0)
  }

  /// The draws for the updates of one conversion, one after the other.
  func draws(user: UInt64, conversion: Int) -> Draws {
    Draws(
      share: share,
      random: SplitMix64(seed: random.bits(user: user, .lostUpdate, conversion: conversion)))
  }

  /// What becomes of the updates of one conversion.
  struct Draws {
    fileprivate let share: Double
    fileprivate var random: SplitMix64

    mutating func isNextLost() -> Bool { Double(random.next() >> 11) * 0x1p-53 < share }
  }
}
