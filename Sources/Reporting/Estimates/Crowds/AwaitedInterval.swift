internal import System

/// An interval whose draws are made when it is first asked for: a page shows a hundred of thousands.
final class AwaitedInterval: Sendable {
  private let known: Guarded<Interval??>
  private let make: @Sendable () -> Interval?

  /// - Parameters:
  ///   - isCheap: Whether it is made at once.
  init(isCheap: Bool, _ make: @escaping @Sendable () -> Interval?) {
    known = Guarded(isCheap ? .some(make()) : nil)
    self.make = make
  }

  var isMade: Bool { known.withLock { $0 != nil } }

  /// The interval; `nil` where there is none.
  var value: Interval? {
    known.withLock { known in
      if let known { return known }
      let made = make()
      known = .some(made)
      return made
    }
  }
}
