/// Threads that do jobs side by side, first come, first served.
public final class WorkQueue<Job: Sendable>: Sendable {
  private struct State: Sendable {
    private var arriving: [Job] = []
    /// The jobs whose turn it is, the first one last, so that each job is moved once whatever their number.
    private var leaving: [Job] = []
    var isClosed = false

    var count: Int { arriving.count + leaving.count }

    mutating func append(_ job: Job) { arriving.append(job) }

    mutating func popFirst() -> Job? {
      if leaving.isEmpty {
        leaving = arriving.reversed()
        arriving.removeAll(keepingCapacity: true)
      }
      return leaving.popLast()
    }

    mutating func removeAll() -> [Job] {
      defer { (arriving, leaving) = ([], []) }
      return leaving.reversed() + arriving
    }
  }

  private let capacity: Int
  private let state = Guarded(State())
  private let threads: [Worker]

  /// Starts the threads, all of them or none.
  ///
  /// - Parameters:
  ///   - count: Threads; fewer than one count as one.
  ///   - capacity: Jobs that wait at most, apart from those that the threads do.
  public init(
    threads count: Int, _ priority: Worker.Priority = .normal, capacity: Int = .max,
    _ work: @escaping @Sendable (Job) -> Void
  ) throws(ThreadError) {
    self.capacity = capacity
    let state = state
    threads = try Worker.team(of: count, priority) {
      Self.close(state)
    } _: {
      while let job = Self.next(state) { work(job) }
    }
  }

  /// Adds a job; false where too many wait, or where the queue is closed.
  public func add(_ job: Job) -> Bool {
    let isAdded = state.withLock { state in
      guard !state.isClosed, state.count < capacity else { return false }
      state.append(job)
      return true
    }
    if isAdded { state.wake() }
    return isAdded
  }

  /// Lets the threads end once they have done what waits.
  public func close() { Self.close(state) }

  /// Lets the threads end once they have done what they do now.
  ///
  /// - Returns: The jobs that waited, which will not run.
  public func cancel() -> [Job] {
    let left = state.withLock { state in
      state.isClosed = true
      return state.removeAll()
    }
    state.wakeAll()
    return left
  }

  /// Waits for the threads, after ``close()`` or ``cancel()``.
  public func join() {
    for thread in threads { thread.join() }
  }

  /// The same, for a while for each thread; one whose job takes longer ends by itself.
  public func join(withinSeconds seconds: Double) {
    for thread in threads { thread.join(withinSeconds: seconds) }
  }

  private static func next(_ state: Guarded<State>) -> Job? {
    state.wait { state in
      if let job = state.popFirst() { return .some(job) }
      return state.isClosed ? .some(nil) : nil
    }
  }

  private static func close(_ state: Guarded<State>) {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }

  deinit { close() }
}
