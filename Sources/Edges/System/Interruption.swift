import Values
import Glibc
import Synchronization

/// The request of a user that a long command ends soon.
///
/// The first SIGINT, SIGTERM or SIGHUP is a request: the command keeps what it has and prints how to go on. The second
/// SIGINT or SIGTERM ends the process at once with exit code 130. SIGHUP counts as SIGTERM, because the terminal is
/// gone; a second one does not end the process, because a closing terminal may send several.
public final class Interruption: Sendable {
  private let request = Atomic(false)

  /// A request that never comes, where the signals belong to other code.
  public init() {}

  /// Listens to the process's signals, on a thread that lasts as long as the process.
  ///
  /// - Throws: ``ThreadError``; then the signals end the process as before.
  public convenience init(_ signals: Signals) throws(ThreadError) {
    do throws(ThreadError) {
      try self.init(next: { signals.next() }, exit: { code in exitAtOnce(code) })
    } catch {
      signals.restore()
      throw error
    }
  }

  /// Listens to any source of signals, which may end with nil.
  init(next: @escaping @Sendable () -> Signal?, exit: @escaping @Sendable (ExitCode) -> Void)
    throws(ThreadError)
  {
    _ = try Worker { [weak self] in
      var hasWish = false
      while let signal = next() {
        if hasWish, signal != .hangUp { exit(.interrupted) }
        hasWish = true
        self?.request.store(true, ordering: .relaxed)
      }
    }
  }

  /// Whether the work should end after the present step.
  public var isRequested: Bool { request.load(ordering: .relaxed) }

  /// Has the first signal remove the process's temporary files and then end it as the system would.
  ///
  /// Where no thread can start, the signals end the process as before, and temporary files stay.
  public static func endProcess(at signals: Signals) {
    do throws(ThreadError) {
      _ = try Worker {
        let signal = signals.next()
        TemporaryFiles.removeAll()
        signals.end(by: signal)
      }
    } catch {
      signals.restore()
    }
  }
}
