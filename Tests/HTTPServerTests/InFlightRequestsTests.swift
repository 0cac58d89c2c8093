@testable import HTTPServer
import System
import Testing

/// A gate that closures and expectations can share.
private final class SharedGate: Sendable {
  private let gate = InFlightRequests()
  var isEmpty: Bool { gate.isEmpty }
  func enter(_ count: Int) -> Bool { gate.enter(count) }
  func leave() { gate.leave() }
  func close() { gate.close() }
}

@Suite struct `A gate` {
  @Test func `A gate counts entries and exits, and admits no request once it is closed`() {
    let gate = SharedGate()
    #expect(gate.isEmpty)
    #expect(gate.enter(2))
    gate.leave()
    #expect(!gate.isEmpty)
    gate.close()
    #expect(!gate.enter(1))
    #expect(!gate.isEmpty)
    gate.leave()
    #expect(gate.isEmpty)
    gate.close()
    #expect(!gate.enter(1))
    #expect(gate.isEmpty)
  }

  @Test func `A gate stays empty once it is closed and empty`() throws {
    let gate = SharedGate()
    let started = Guarded(0)
    let visitors = try (0..<4).map { _ in
      try Worker {
        started.withLock { $0 += 1 }
        started.wake()
        while gate.enter(2) {
          gate.leave()
          gate.leave()
        }
      }
    }
    let _: Void = started.wait { $0 == 4 ? () : nil }
    gate.close()
    while !gate.isEmpty { rest(microseconds: 10) }
    for _ in 0..<1000 { #expect(gate.isEmpty) }
    for visitor in visitors { visitor.join() }
    #expect(gate.isEmpty)
  }
}
