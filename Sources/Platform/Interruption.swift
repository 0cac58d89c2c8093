import Glibc
import Synchronization

/// The wish of a user that a bulk command ends soon.
///
/// The first SIGINT or SIGTERM is a wish: the command keeps what it has and says how to go on. The second SIGINT ends
/// the process at once with exit code 130. SIGHUP counts as SIGTERM, because the terminal is gone.
public final class Interruption: Sendable {
  private let wish = Atomic(false)

  /// Listens to the process's signals, on a thread that lasts as long as the process.
  public convenience init(_ signals: Signals) {
    self.init(next: { signals.next() }, exit: { code in _exit(code.rawValue) })
  }

  /// Listens to any source of signals, which may end with nil.
  init(next: @escaping @Sendable () -> Signal?, exit: @escaping @Sendable (ExitCode) -> Void) {
    _ = Worker { [weak self] in
      var hasWish = false
      while let signal = next() {
        if hasWish, signal == .interrupt { exit(.interrupted) }
        hasWish = true
        self?.wish.store(true, ordering: .relaxed)
      }
    }
  }

  /// Whether the work should end after the present step.
  public var isWished: Bool { wish.load(ordering: .relaxed) }
}
