/// A ``WorkQueue`` whose jobs have products, which one more thread collects in the order in which the jobs came.
public final class OrderedWorkQueue<Job: Sendable, Product: Sendable>: Sendable {
  /// The product of the earliest job whose product is not collected yet, once there is one, and whether the next one's
  /// is not ready; `nil` when there will be none.
  public typealias NextProduct = () -> (product: Product, isLastForNow: Bool)?

  private struct State: Sendable {
    var products: [Int: Product] = [:]
    var added = 0
    var collected = 0
    var isClosed = false
  }

  private let capacity: Int
  private let state = Guarded(State())
  private let jobs: WorkQueue<(number: Int, job: Job)>
  private let collector: Worker

  /// Starts the threads, all of them or none.
  ///
  /// - Parameters:
  ///   - count: Threads that work; fewer than one count as one.
  ///   - capacity: Jobs at most that are added and whose products are not collected; `nil`: four for each thread.
  ///   - collect: Takes the products, on a thread of its own. Where it returns before the last one, no more jobs are
  ///     done.
  public init(
    threads count: Int = processorCount, capacity: Int? = nil,
    work: @escaping @Sendable (Job) -> Product,
    collect: @escaping @Sendable (NextProduct) -> Void
  ) throws(ThreadError) {
    self.capacity = capacity ?? 4 * max(1, count)
    let state = state
    let jobs = try WorkQueue<(number: Int, job: Job)>(threads: count) { number, job in
      let product = work(job)
      state.withLock { $0.products[number] = product }
      state.wakeAll()
    }
    self.jobs = jobs
    collector = try Worker {
      collect { Self.next(state) }
      Self.close(state)
      _ = jobs.cancel()
    }
  }

  /// Starts the threads, all of them or none.
  ///
  /// - Parameters:
  ///   - count: Threads that work; fewer than one count as one.
  ///   - deliver: Takes a product, and whether the next one is not ready yet.
  public convenience init(
    threads count: Int = processorCount, work: @escaping @Sendable (Job) -> Product,
    deliver: @escaping @Sendable (Product, _ isLastForNow: Bool) -> Void
  ) throws(ThreadError) {
    try self.init(threads: count, work: work) { next in
      while let (product, isLastForNow) = next() { deliver(product, isLastForNow) }
    }
  }

  /// Adds a job, once there is room for it; false where the queue is closed.
  @discardableResult public func add(_ job: Job) -> Bool {
    state.wait { state -> Bool? in
      if state.isClosed { return false }
      guard state.added - state.collected < capacity else { return nil }
      // Under the lock, so that a job with a number is always done.
      let isAdded = jobs.add((state.added, job))
      if isAdded { state.added += 1 }
      return isAdded
    }
  }

  /// Lets the threads end once every product is collected.
  public func close() {
    Self.close(state)
    jobs.close()
  }

  /// Waits until every product is collected; no job may come after.
  public func finish() {
    close()
    jobs.join()
    collector.join()
  }

  private static func next(_ state: Guarded<State>) -> (product: Product, isLastForNow: Bool)? {
    let next: (product: Product, isLastForNow: Bool)? = state.wait { state in
      if let product = state.products.removeValue(forKey: state.collected) {
        state.collected += 1
        return .some((product, state.products[state.collected] == nil))
      }
      return state.isClosed && state.collected == state.added ? .some(nil) : nil
    }
    state.wakeAll()
    return next
  }

  private static func close(_ state: Guarded<State>) {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }

  deinit { close() }
}
