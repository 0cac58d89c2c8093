import Glibc

/// A value that only one thread at a time can reach.
///
/// A pthread mutex rather than the standard library's `Mutex`: ThreadSanitizer on Linux does not see that type's
/// futex calls and reports a race on every use, so it could not serve as a gate.
///
/// What is generic here is inlinable, because a postback on its way takes several locks, and code that is generic at run
/// time looks its types up each time.
@safe public final class Guarded<Value: ~Copyable>: @unchecked Sendable {
  // Heap cells, because pthread objects must not move. Sendable holds because `value` is only touched
  // between lock and unlock.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  @usableFromInline var value: Value

  public init(_ value: consuming sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    self.value = value
    // A wait for a time uses the clock that never jumps.
    var attributes = pthread_condattr_t()
    // With such attributes none of these calls can fail on Linux; see pthread_mutex_init(3).
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` while no other thread can reach the value.
  @inlinable public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock()
    defer { unlock() }
    return try body(&value)
  }

  /// Sleeps until `body` gives a result: it is tried at once and after each ``wake()`` or ``wakeAll()``.
  @inlinable public func wait<Result>(_ body: (inout sending Value) -> sending Result?) -> sending Result {
    lock()
    defer { unlock() }
    while true {
      if let result = body(&value) { return result }
      waitForChange()
    }
  }

  /// The same, for at most a time.
  ///
  /// - Returns: What the last try of `body` gave: `nil` where the time passed without a result.
  public func wait<Result>(
    atMostMicroseconds most: UInt64, _ body: (inout sending Value) -> sending Result?
  ) -> sending Result? {
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = UInt64(end.tv_nsec) + most % 1_000_000 * 1000
    end.tv_sec += Int(most / 1_000_000 + nanoseconds / 1_000_000_000)
    end.tv_nsec = Int(nanoseconds % 1_000_000_000)
    lock()
    defer { unlock() }
    while true {
      if let result = body(&value) { return result }
      if unsafe pthread_cond_timedwait(changed, mutex, &end) == ETIMEDOUT { return body(&value) }
    }
  }

  /// Lets one sleeper of ``wait(_:)`` try again.
  public func wake() { unsafe pthread_cond_signal(changed) }

  /// Lets every sleeper of ``wait(_:)`` try again.
  public func wakeAll() { unsafe pthread_cond_broadcast(changed) }

  @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }

  @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }

  @usableFromInline func waitForChange() { unsafe pthread_cond_wait(changed, mutex) }
}
