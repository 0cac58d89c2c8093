internal import System

/// An interval whose draws are made when it is first asked for: a page shows a hundred of thousands.
final class AwaitedInterval: Sendable {
  /// An interval with the variance of the draws that it comes from.
  struct Drawn {
    let interval: Interval
    let variance: Double
  }

  private let known: Guarded<Drawn??>
  private let make: @Sendable () -> Drawn?

  /// - Parameters:
  ///   - isCheap: Whether it is made at once.
  init(isCheap: Bool, _ make: @escaping @Sendable () -> Drawn?) {
    guard isCheap else {
      known = Guarded(nil)
      self.make = make
      return
    }
    known = Guarded(.some(make()))
    // What is made needs its draws no longer.
    self.make = { nil }
  }

  var isMade: Bool { known.withLock { $0 != nil } }

  /// The interval; `nil` where there is none.
  var value: Drawn? {
    known.withLock { known in
      if let known { return known }
      let made = make()
      known = .some(made)
      return made
    }
  }
}
