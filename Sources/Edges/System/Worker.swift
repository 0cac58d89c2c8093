public import Values
import Glibc

/// The system's rejection to start another thread, for a limit of threads or for want of memory.
public struct ThreadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The system's own words.
  public let reason: String

  init(_ number: Int32) { reason = unsafe String(cString: strerror(number)) }

  public var description: String { "the system cannot start another thread: \(reason)" }

  public var remedy: String? {
    "raise the limit of threads (`ulimit -u`, or TasksMax of the service), or free some memory"
  }
}

extension ThreadError: UserFacingError {
  /// What it means to the program that started this one.
  public var exitCode: ExitCode { .unavailable }
}

/// A thread of its own for work that blocks, such as waiting for a disk.
///
/// Swift's cooperative pool has as many threads as the machine has cores; a blocking call there would stop a
/// part of the program.
@safe public final class Worker: Sendable {
  /// Which threads go first where more have work than there are processors.
  public enum Priority: Sendable {
    case normal
    /// For long work that should not slow other work: a tenth of what a normal thread gets beside it.
    case background

    fileprivate func take() {
      guard self == .background else { return }
      // On Linux the value is the calling thread's alone, unlike POSIX: nice(2).
      _ = nice(10)
    }
  }

  private final class Job: Sendable {
    let priority: Priority
    let body: @Sendable () -> Void
    let hasEnded = Guarded(false)

    init(_ priority: Priority, _ body: @escaping @Sendable () -> Void) {
      self.priority = priority
      self.body = body
    }

    func run() {
      priority.take()
      body()
      hasEnded.withLock { $0 = true }
      hasEnded.wakeAll()
    }
  }

  private let thread: Guarded<pthread_t?>
  private let hasEnded: Guarded<Bool>

  /// Starts a thread that ends when `body` returns.
  ///
  /// - Throws: ``ThreadError`` where the system starts none; then `body` is never called.
  public init(
    _ priority: Priority = .normal, _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    var started = pthread_t()
    let work = Job(priority, body)
    let job = unsafe Unmanaged.passRetained(work)
    let code = unsafe pthread_create(
      &started, nil,
      { job in
        guard let job = unsafe job else { return nil }
        unsafe Unmanaged<Job>.fromOpaque(job).takeRetainedValue().run()
        return nil
      }, job.toOpaque())
    guard code == 0 else {
      unsafe job.release()
      throw ThreadError(code)
    }
    thread = Guarded(started)
    hasEnded = work.hasEnded
  }

  deinit {
    // A thread without a waiting caller gives its memory back by itself.
    let left = thread.withLock { thread in thread.take() }
    if let left { _ = pthread_detach(left) }
  }

  /// Starts several threads with the same work, all of them or none.
  ///
  /// - Parameters:
  ///   - count: How many; fewer than one counts as one.
  ///   - stop: Lets those that have started end, where another one can't start; they are then waited for.
  public static func team(
    of count: Int, _ priority: Priority = .normal, orElse stop: () -> Void,
    _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) -> [Worker] {
    var workers: [Worker] = []
    for _ in 0..<max(1, count) {
      do throws(ThreadError) {
        workers.append(try Worker(priority, body))
      } catch {
        stop()
        for worker in workers { worker.join() }
        throw error
      }
    }
    return workers
  }

  /// Waits until the thread has ended; a second call returns at once.
  public func join() {
    let waiting = thread.withLock { thread in thread.take() }
    if let waiting { _ = pthread_join(waiting, nil) }
  }
}

extension Worker {
  /// Waits for a while until the thread has ended.
  ///
  /// - Returns: Whether it has; otherwise it ends by itself later.
  @discardableResult public func join(withinSeconds seconds: Double) -> Bool {
    let microseconds = UInt64(max(0, min(seconds, 1e9)) * 1e6)
    guard hasEnded.wait(atMostMicroseconds: microseconds, { $0 ? true : nil }) == true else { return false }
    join()
    return true
  }
}

/// Lets the calling thread rest for a while; a signal may end it early.
public func rest(microseconds: UInt32) { usleep(microseconds) }
