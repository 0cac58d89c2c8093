@testable import Delivery
@testable import Ledger
import HTTPClient
import PostbackFixtures
import System
import Testing
import Values

struct `A relay that sends several at a time` {
  @Test func `It sends as many at once as it may, and is behind none that was not accepted`() throws {
    let fixture = try RelayFixture { $0.parallel = 12 }
    try fixture.store((0..<300).map { "\($0)" })
    let (now, most) = (Guarded(0), Guarded(0))
    fixture.answer { _ in
      let count = now.withLock {
        $0 += 1
        return $0
      }
      most.withLock { $0 = max($0, count) }
      rest(microseconds: 500)
      now.withLock { $0 -= 1 }
      return PostAnswer(status: 200)
    }
    fixture.run()
    let got = fixture.got.withLock { $0 }
    #expect(got.count == 300 && Set(got).count == 300)
    let together = most.withLock { $0 }
    #expect(together > 4 && together <= 12, "\(together)")
    #expect(try fixture.state.cursor.postback == 300)
    #expect(try fixture.state.delivered == 300)
  }

  @Test func `What was accepted behind one that failed is sent again, and nothing is left out`() throws {
    let fixture = try RelayFixture { $0.parallel = 8 }
    try fixture.store((0..<100).map { "\($0)" })
    let failures = Guarded(0)
    fixture.answer { body in
      // Each tenth fails the first two times.
      guard body.hasSuffix("7"), failures.withLock({ $0 < 12 }) else { return PostAnswer(status: 200) }
      failures.withLock { $0 += 1 }
      return PostAnswer(status: 503)
    }
    for _ in 0..<30 {
      fixture.run()
      fixture.pass(seconds: 900)
    }
    let got = fixture.got.withLock { $0 }
    #expect(Set(got) == Set((0..<100).map { "\($0)" }))
    #expect(got.count <= 100 + 12 * (8 + 32), "\(got.count)")
    #expect(try fixture.state.delivered == 100)
    #expect(try fixture.state.failingSince == nil)
  }

  @Test func `Postbacks of one app arrive in order where that is asked for, and those of others beside them`()
    throws
  {
    let fixture = try RelayFixture {
      $0.parallel = 16
      $0.isOrdered = true
    }
    var random = SplitMix64(seed: 4)
    var receipts: [Receipt] = []
    for number in 0..<200 {
      let app = Int64(1 + random.number(below: 5))
      receipts.append(receipt("\(number)", app: app, body: "\(app) \(number)"))
    }
    try fixture.store(receipts)
    let (now, most) = (Guarded<[String: Int]>([:]), Guarded(0))
    fixture.answer { body in
      let app = String(body.prefix(1))
      let together = now.withLock { now in
        now[app, default: 0] += 1
        return now.values.reduce(0, +)
      }
      most.withLock { $0 = max($0, together) }
      rest(microseconds: 300)
      let beside = now.withLock { now in
        defer { now[app, default: 0] -= 1 }
        return now[app, default: 0]
      }
      return PostAnswer(status: beside == 1 ? 200 : 503)
    }
    fixture.run()
    let got = fixture.got.withLock { $0 }
    #expect(got.count == 200)
    for app in 1...5 {
      let numbers = got.filter { $0.hasPrefix("\(app) ") }.compactMap { Int($0.dropFirst(2)) }
      #expect(numbers == numbers.sorted(), "app \(app)")
    }
    #expect(most.withLock { $0 } > 1)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Turns give everything out once, in order within a lane, and back in the order of the batch`(
    seed: UInt64
  )
    throws
  {
    var random = SplitMix64(seed: seed)
    let count = random.number(below: 60)
    let lanes = (0..<count).map { _ in Int64(random.number(below: 1 + random.number(below: 8))) }
    let window = 1 + random.number(below: 20)
    let turns = RelayTurns(lanes: lanes, window: window)
    let taken = Guarded<[Int]>([])
    let workers = try (0..<1 + random.number(below: 6)).map { _ in
      try Worker {
        while let index = turns.take() {
          taken.withLock { $0.append(index) }
          turns.note(index % 11 == 3 ? nil : .accepted, of: index)
        }
      }
    }
    var back: [Int] = []
    while let (index, outcome) = turns.next() {
      back.append(index)
      #expect((outcome == nil) == (index % 11 == 3))
      let ahead = taken.withLock { $0.max() ?? 0 } - index
      #expect(ahead <= window, "\(ahead)")
    }
    for worker in workers { worker.join() }
    #expect(back == Array(0..<count))
    let order = taken.withLock { $0 }
    #expect(order.sorted() == Array(0..<count))
    for lane in Set(lanes) {
      let own = order.filter { lanes[$0] == lane }
      #expect(own == own.sorted())
    }
  }
}
