import System

/// Threads that work on jobs side by side and deliver the products in the order the jobs came.
final class OrderedWorkQueue<Job: Sendable, Product: Sendable>: Sendable {
  private struct State: Sendable {
    var jobs: [(number: Int, job: Job)] = []
    var products: [Int: Product] = [:]
    var added = 0
    var delivered = 0
    var isOver = false
  }

  private let state = Guarded(State())
  private let capacity: Int
  private let threads = Guarded<[Worker]>([])

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - count: How many threads work, at least 1; another one delivers.
  ///   - work: Turns a job into a product.
  ///   - deliver: Takes a product, and whether no other is ready by now.
  /// - Throws: `ThreadError` where not all of them can start.
  init(
    threads count: Int = processorCount, work: @escaping @Sendable (Job) -> Product,
    deliver: @escaping @Sendable (Product, _ isLastForNow: Bool) -> Void
  ) throws(ThreadError) {
    capacity = 4 * max(1, count)
    let state = state
    let end: @Sendable () -> Void = {
      state.withLock { $0.isOver = true }
      state.wakeAll()
    }
    let workers = try Worker.team(of: count, orElse: end) {
      while let (number, job) = Self.take(state) {
        let product = work(job)
        state.withLock { $0.products[number] = product }
        state.wakeAll()
      }
    }
    let deliverers = try Worker.team(of: 1, orElse: end) {
      while let (product, isLastForNow) = Self.next(state) {
        deliver(product, isLastForNow)
        state.wakeAll()
      }
    }
    threads.withLock { $0 = workers + deliverers }
  }

  /// Adds a job, once there is room for it.
  func add(_ job: Job) {
    let capacity = capacity
    state.wait { state -> Void? in
      guard state.added - state.delivered < capacity else { return nil }
      state.jobs.append((state.added, job))
      state.added += 1
      return ()
    }
    state.wakeAll()
  }

  /// Waits until every job's product is delivered; no job may come after.
  func finish() {
    state.withLock { $0.isOver = true }
    state.wakeAll()
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  private static func take(_ state: Guarded<State>) -> (number: Int, job: Job)? {
    state.wait { state in
      if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
      return state.isOver ? .some(nil) : nil
    }
  }

  private static func next(_ state: Guarded<State>) -> (product: Product, isLastForNow: Bool)? {
    state.wait { state in
      if let product = state.products.removeValue(forKey: state.delivered) {
        state.delivered += 1
        return .some((product, state.products[state.delivered] == nil))
      }
      return state.isOver && state.delivered == state.added ? .some(nil) : nil
    }
  }
}
