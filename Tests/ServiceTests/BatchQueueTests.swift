@testable import Service
import System
import Testing

@Suite struct `The line of batches` {
  @Test
  func `The line of batches serves the networks in turn, and rejects only the one with too much waiting`()
    throws
  {
    let line = try BatchQueue(threads: 1)
    let (order, isHeld) = (Guarded<[String]>([]), Guarded(true))
    let isHolding = line.judge(from: "loud", bytes: 1) { isHeld.wait { $0 ? nil : () } }
    #expect(isHolding)
    let taken = (0..<200).count { _ in
      line.judge(from: "loud", bytes: 1) {
        order.withLock { $0.append("loud") }
        order.wakeAll()
      }
    }
    #expect((60...70).contains(taken))
    let isTaken = line.judge(from: "quiet", bytes: 1) { order.withLock { $0.append("quiet") } }
    #expect(isTaken)
    isHeld.withLock { $0 = false }
    isHeld.wakeAll()
    let names = order.wait { $0.count { $0 == "loud" } == taken ? $0 : nil }
    let place = names.firstIndex(of: "quiet")
    #expect(place.map { $0 <= 2 } == true)
    line.close(withinSeconds: 60)
  }
}
