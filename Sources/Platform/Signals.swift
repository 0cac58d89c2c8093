import Glibc

/// The signals that a program answers in its own time.
public enum Signal: Hashable, Sendable {
  /// SIGINT, from Ctrl-C.
  case interrupt
  /// SIGTERM, from a service manager.
  case terminate
  /// SIGHUP, which asks for a reload.
  case hangUp

  fileprivate init?(number: Int32) {
    switch number {
    case SIGINT: self = .interrupt
    case SIGTERM: self = .terminate
    case SIGHUP: self = .hangUp
    default: return nil
    }
  }
}

/// The right to wait for SIGINT, SIGTERM and SIGHUP, which no longer end the process by themselves.
///
/// Threads inherit the mask, so it has to be made on the main thread before any other thread starts.
public struct Signals: Sendable {
  /// Blocks the signals in this thread and in those that it starts later.
  public init() {
    var set = Self.set
    // With a valid set the call cannot fail; see pthread_sigmask(3).
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next signal.
  public func next() -> Signal {
    var set = Self.set
    while true {
      var number: Int32 = 0
      if unsafe sigwait(&set, &number) == 0, let signal = Signal(number: number) { return signal }
    }
  }

  private static var set: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
    return set
  }
}
