import Values

/// Random numbers that depend on what they are for and on nothing else: not on order, parts or threads.
struct RandomStream: Sendable {
  /// What a number is for; with a conversion and a window it is one draw of a user.
  enum Purpose: UInt64 {
    case delay = 1
    case value
    case source
    case nonWinner
    case nonWinnerDelay
    case lostUpdate
  }

  private let base: UInt64

  /// Starts one run of a simulation.
  init(seed: UInt64, run: Int) {
    var first = SplitMix64(seed: seed)
    var second = SplitMix64(seed: first.next() ^ UInt64(bitPattern: Int64(run)))
    base = second.next()
  }

  /// Returns 64 random bits.
  ///
  /// - Parameters:
  ///   - user: The user's key.
  ///   - conversion: The number of the user's conversion, from 0.
  ///   - window: The window, from 0.
  /// - Returns: The same bits for the same parameters.
  func bits(user: UInt64, _ purpose: Purpose, conversion: Int = 0, window: Int = 0) -> UInt64 {
    var ofUser = SplitMix64(seed: base ^ user)
    let detail = purpose.rawValue | UInt64(window) << 8 | UInt64(conversion) << 16
    var ofDraw = SplitMix64(seed: ofUser.next() ^ detail)
    return ofDraw.next()
  }

  /// Returns a number from 0 up to, but not including, 1.
  func fraction(user: UInt64, _ purpose: Purpose, conversion: Int = 0, window: Int = 0) -> Double {
    Double(bits(user: user, purpose, conversion: conversion, window: window) >> 11) * 0x1p-53
  }
}
