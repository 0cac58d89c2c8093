import Values
import Foundation
import Glibc
@testable import System
import TestSupport
import Testing

@Suite struct `A signal` {
  @Test(arguments: [(SIGINT, Signal.interrupt), (SIGTERM, .terminate), (SIGHUP, .hangUp)])
  func `A signal is received by the thread that waits for it`(number: Int32, signal: Signal) throws {
    let seen = Guarded<Signal?>(nil)
    // On a thread of its own, because the mask stays with the thread.
    try Worker {
      let signals = Signals()
      // To this thread only; the other threads of the test would die of it.
      raise(number)
      seen.withLock { $0 = signals.next() }
    }.join()
    #expect(seen.withLock { $0 } == signal)
  }

  @Test(
    arguments: [
      ([], false, 0), ([.interrupt], true, 0), ([.terminate], true, 0), ([.hangUp], true, 0),
      ([.interrupt, .terminate], true, 1), ([.interrupt, .interrupt], true, 1),
      ([.terminate, .interrupt], true, 1), ([.terminate, .terminate], true, 1),
      ([.hangUp, .terminate], true, 1), ([.terminate, .hangUp], true, 0), ([.hangUp, .hangUp], true, 0),
    ] as [([Signal], Bool, Int)])
  func `A signal is a request the first time and an end the second`(
    given: [Signal], isInterrupted: Bool, exits: Int
  ) throws {
    let left = Guarded(given)
    let isDone = Guarded(false)
    let codes = Guarded<[ExitCode]>([])
    let interruption = try Interruption(
      next: {
        left.withLock { left in
          if left.isEmpty {
            isDone.withLock { $0 = true }
            isDone.wakeAll()
            return nil
          }
          return left.removeFirst()
        }
      }, exit: { code in codes.withLock { $0.append(code) } })
    let _: Void = isDone.wait { $0 ? () : nil }
    #expect(interruption.isRequested == isInterrupted)
    #expect(codes.withLock { $0 } == [ExitCode](repeating: .interrupted, count: exits))
  }
}
