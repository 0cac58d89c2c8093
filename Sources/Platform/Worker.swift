import Glibc

/// A thread of its own for work that blocks, such as waiting for a disk.
///
/// Swift's cooperative pool has as many threads as the machine has cores; a blocking call there would stop a
/// part of the program.
@safe public final class Worker: Sendable {
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let thread: Guarded<pthread_t?>

  /// Starts a thread that ends when `body` returns.
  public init(_ body: @escaping @Sendable () -> Void) {
    var started = pthread_t()
    let job = unsafe Unmanaged.passRetained(Job(body))
    let code = unsafe pthread_create(
      &started, nil,
      { job in
        guard let job = unsafe job else { return nil }
        unsafe Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body()
        return nil
      }, job.toOpaque())
    precondition(code == 0, "the system refused a thread")
    thread = Guarded(started)
  }

  deinit {
    // A thread that nobody waits for gives its memory back by itself.
    let left = thread.withLock { thread in thread.take() }
    if let left { _ = pthread_detach(left) }
  }

  /// Waits until the thread has ended; a second call returns at once.
  public func join() {
    let waiting = thread.withLock { thread in thread.take() }
    if let waiting { _ = pthread_join(waiting, nil) }
  }
}

/// Lets the calling thread rest for a while; a signal may end it early.
public func rest(microseconds: UInt32) { usleep(microseconds) }
