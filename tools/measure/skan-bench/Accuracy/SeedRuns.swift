import System

/// Runs of seeds on some threads, whose results come in the order of seeds.
struct SeedRuns {
  let threads: Int

  /// Runs seeds from 0 up.
  ///
  /// - Throws: What `body` throws, or what starting a thread throws.
  func map<Result: Sendable>(_ seeds: Range<Int>, _ body: @escaping @Sendable (Int) throws -> Result) throws
    -> [Result]
  {
    let results = Guarded([Swift.Result<Result, any Error>?](repeating: nil, count: seeds.count))
    try each(seeds) { seed in
      let result = Swift.Result { try body(seed) }
      results.withLock { $0[seed - seeds.lowerBound] = result }
    }
    return try results.withLock { results in results }.compactMap { try $0?.get() }
  }

  /// What needs no type of results is compiled once.
  private func each(_ seeds: Range<Int>, _ body: @escaping @Sendable (Int) -> Void) throws {
    let next = Guarded(seeds.lowerBound)
    let workers = try (0..<min(threads, seeds.count)).map { _ in
      try Worker {
        while true {
          let seed = next.withLock { next in
            next += 1
            return next - 1
          }
          guard seed < seeds.upperBound else { return }
          body(seed)
        }
      }
    }
    for worker in workers { worker.join() }
  }
}
