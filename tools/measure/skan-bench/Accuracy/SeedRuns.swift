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
    let next = Guarded(seeds.lowerBound)
    let results = Guarded([Int: Swift.Result<Result, any Error>]())
    let workers = try (0..<min(threads, seeds.count)).map { _ in
      try Worker {
        while true {
          let seed = next.withLock { next in
            next += 1
            return next - 1
          }
          guard seed < seeds.upperBound else { return }
          let result = Swift.Result { try body(seed) }
          results.withLock { $0[seed] = result }
        }
      }
    }
    for worker in workers { worker.join() }
    return try results.withLock { results in results }.sorted { $0.key < $1.key }.map { try $0.value.get() }
  }
}
