/// Work that a thread of its own repeats, with a pause after each time, until it is stopped.
public final class Periodic: Sendable {
  private struct State: Sendable {
    var isDue = false
    var isStopping = false
    var worker: Worker?
  }

  private let pause: UInt64
  private let priority: Worker.Priority
  private let state = Guarded(State())

  public init(everyMicroseconds pause: UInt64, _ priority: Worker.Priority = .normal) {
    self.pause = pause
    self.priority = priority
  }

  /// Starts the thread, once; the work is done for the first time after a pause.
  ///
  /// - Throws: ``ThreadError`` where the system starts none.
  public func start(_ work: @escaping @Sendable () -> Void) throws(ThreadError) {
    let worker = try Worker(priority) { [pause, state] in
      while Self.waitForTurn(state, pause) { work() }
    }
    state.withLock { $0.worker = worker }
  }

  /// Has the work done now, on its thread; where it is under way, once more after that.
  public func tick() {
    state.withLock { $0.isDue = true }
    state.wakeAll()
  }

  /// Whether the end was asked for, which work that takes long should check.
  public var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Asks for the end without waiting for it.
  public func askToStop() {
    state.withLock { $0.isStopping = true }
    state.wakeAll()
  }

  /// Ends the thread and waits until work that is under way is done; not to be called by the work itself.
  ///
  /// - Parameter seconds: How long to wait; a thread that takes longer ends by itself.
  /// - Returns: Whether the thread has ended.
  @discardableResult public func stop(withinSeconds seconds: Double = .infinity) -> Bool {
    askToStop()
    guard let worker = state.withLock({ $0.worker.take() }) else { return true }
    return worker.join(withinSeconds: seconds)
  }

  /// Returns whether the work is to be done, as opposed to the end.
  private static func waitForTurn(_ state: Guarded<State>, _ pause: UInt64) -> Bool {
    state.wait(atMostMicroseconds: pause) { state in
      if state.isStopping { return false }
      defer { state.isDue = false }
      return state.isDue ? true : nil
    } ?? true
  }
}
