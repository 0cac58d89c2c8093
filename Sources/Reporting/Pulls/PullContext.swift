package import HTTPClient
package import Values

/// What surrounds a run of a pull: how it asks and waits, and who hears of it.
package struct PullContext: Sendable {
  /// Asks for an address, as ``HTTPFetcher/fetch(_:posting:headers:most:take:)`` does.
  package typealias Fetch = (
    _ url: String, _ body: [UInt8]?, _ headers: [(name: String, value: String)], _ most: Int,
    _ take: ([UInt8]) -> Bool
  ) throws(PostError) -> FetchedAnswer?

  package typealias MakeFetch = @Sendable () throws(PostError) -> Fetch

  /// Makes what the requests of one run go through.
  package var makeFetch = overHTTP

  package static let overHTTP: MakeFetch = { () throws(PostError) in
    let fetcher = try HTTPFetcher()
    return { (url, body, headers, most, take) throws(PostError) in
      try fetcher.fetch(url, posting: body, headers: headers, most: most, take: take)
    }
  }

  /// Waits so many milliseconds; returns `false` where the run is to end.
  package let wait: @Sendable (Int64) -> Bool
  /// Gets sentences that a person may want to know meanwhile.
  package let note: @Sendable (String) -> Void
  /// Whether the run goes on, which is asked for several times a second.
  package let goesOn: @Sendable () -> Bool
  /// Milliseconds of a clock that never jumps, by which a run takes its time.
  package let elapsed: @Sendable () -> Int64

  /// What ``elapsed`` is outside of tests.
  package static let machineClock: @Sendable () -> Int64 = { [start = ContinuousClock.now] in
    Int64((ContinuousClock.now - start) / .milliseconds(1))
  }

  package init(
    wait: @escaping @Sendable (Int64) -> Bool, note: @escaping @Sendable (String) -> Void,
    goesOn: @escaping @Sendable () -> Bool, elapsed: @escaping @Sendable () -> Int64
  ) {
    (self.wait, self.note, self.goesOn, self.elapsed) = (wait, note, goesOn, elapsed)
  }
}

extension Pull.Days {
  /// The days of a run without wishes of its own.
  ///
  /// - Parameters:
  ///   - now: The moment of the run; the UTC day that it is of is not over, and not asked for.
  ///   - pulled: The day up to which the last runs came, so that none is left out after a pause.
  /// - Returns: `nil` where there is no day.
  package func usual(at now: Instant, pulledUpTo pulled: Day?) -> Range<Day>? {
    let today = now.day
    var first = Day(number: today.number - Int32(again))
    if let pulled { first = min(first, pulled) } else if let earliest { first = min(first, earliest) }
    if let earliest { first = max(first, earliest) }
    return first < today ? first..<today : nil
  }
}
