import Glibc

/// A value that only one thread at a time can reach.
///
/// A pthread mutex rather than the standard library's `Mutex`: ThreadSanitizer on Linux does not see that type's
/// futex calls and reports a race on every use, so it could not serve as a gate.
@safe public final class Guarded<Value: ~Copyable>: @unchecked Sendable {
  // Heap cells, because pthread objects must not move. Sendable holds because `value` is only touched
  // between lock and unlock.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  /// Puts a value under a new lock.
  public init(_ value: consuming sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    self.value = value
    // With default attributes neither call can fail on Linux; see pthread_mutex_init(3).
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` while no other thread can reach the value.
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Sleeps until `body` gives a result: it is tried at once and after each ``wake()`` or ``wakeAll()``.
  public func wait<Result>(_ body: (inout sending Value) -> sending Result?) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }

  /// Lets one sleeper of ``wait(_:)`` try again.
  public func wake() { unsafe pthread_cond_signal(changed) }

  /// Lets every sleeper of ``wait(_:)`` try again.
  public func wakeAll() { unsafe pthread_cond_broadcast(changed) }
}
