import System
import Testing

struct `Periodic work` {
  @Test func `Periodic work is repeated until it is stopped, and never after that`() throws {
    let count = Guarded(0)
    let periodic = Periodic(everyMicroseconds: 1000)
    try periodic.start {
      count.withLock { $0 += 1 }; count.wakeAll()
    }
    _ = count.wait { $0 >= 3 ? true : nil }
    #expect(periodic.stop())
    let last = count.withLock { $0 }
    rest(microseconds: 20_000)
    #expect(count.withLock { $0 } == last)
    #expect(periodic.stop())
  }

  @Test func `Periodic work is done at once on request, and stops at once in a long pause`() throws {
    let began = wallMicroseconds()
    let count = Guarded(0)
    let periodic = Periodic(everyMicroseconds: 3_600_000_000)
    try periodic.start {
      count.withLock { $0 += 1 }; count.wakeAll()
    }
    periodic.tick()
    _ = count.wait { $0 == 1 ? true : nil }
    #expect(!periodic.isStopping)
    #expect(periodic.stop())
    #expect(periodic.isStopping)
    #expect(count.withLock { $0 } == 1)
    #expect(wallMicroseconds() - began < 60e6)
  }

  @Test func `Periodic work is not waited for beyond the time limit`() throws {
    let gate = Guarded((hasBegun: false, isOpen: false))
    let periodic = Periodic(everyMicroseconds: 1000)
    try periodic.start {
      gate.withLock { $0.hasBegun = true }
      gate.wakeAll()
      _ = gate.wait { $0.isOpen ? true : nil }
    }
    _ = gate.wait { $0.hasBegun ? true : nil }
    #expect(!periodic.stop(withinSeconds: 0.01))
    gate.withLock { $0.isOpen = true }
    gate.wakeAll()
  }
}

struct `A guarded value` {
  @Test func `A guarded value is waited for no longer than requested, and found if it comes in time`() throws
  {
    let value = Guarded(0)
    let began = wallMicroseconds()
    #expect(value.wait(atMostMicroseconds: 20_000) { $0 == 1 ? true : nil } == nil)
    #expect(wallMicroseconds() - began >= 20_000)
    let worker = try Worker {
      value.withLock { $0 = 1 }
      value.wakeAll()
    }
    #expect(value.wait(atMostMicroseconds: 60_000_000) { $0 == 1 ? true : nil } == true)
    worker.join()
  }
}
