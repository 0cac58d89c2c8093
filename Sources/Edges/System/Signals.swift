import Glibc

/// The signals that a program answers in its own time.
public enum Signal: Hashable, Sendable, CaseIterable {
  case interrupt
  case terminate
  case hangUp

  fileprivate var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    }
  }
}

/// The right to wait for SIGINT, SIGTERM and SIGHUP, which no longer end the process by themselves.
///
/// Threads inherit the mask, so it has to be made on the main thread before any other thread starts.
public struct Signals: Sendable {
  private let signals: [Signal]

  /// Blocks the signals in this thread and in those that it starts later.
  ///
  /// - Parameter leavesIgnored: Whether signals that the process was started to ignore, as `nohup` does with SIGHUP,
  ///   stay ignored.
  public init(leavesIgnored: Bool = false) {
    signals = Signal.allCases.filter { !leavesIgnored || !Self.isIgnored($0) }
    var set = self.set
    // With a valid set the call cannot fail; see pthread_sigmask(3).
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  public func next() -> Signal {
    var set = self.set
    while true {
      var number: Int32 = 0
      if unsafe sigwait(&set, &number) == 0, let signal = signals.first(where: { $0.number == number }) {
        return signal
      }
    }
  }

  /// Lets the signals do in this thread what they do in a process that answers none.
  public func restore() {
    var set = self.set
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Ends the process by a signal, so that a shell sees the same as without a handler.
  func end(by signal: Signal) -> Never {
    Glibc.signal(signal.number, SIG_DFL)
    restore()
    kill(getpid(), signal.number)
    // The signal has no handler any more, so it comes before this is reached.
    _exit(128 + signal.number)
  }

  private static func isIgnored(_ signal: Signal) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal.number, nil, &action) == 0 else { return false }
    let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private var set: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal.number) }
    return set
  }
}
