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

  @Test func `What was accepted behind one that failed is not sent again, and nothing is left out`() throws {
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
    #expect(got.sorted() == (0..<100).map { "\($0)" }.sorted())
    #expect(try fixture.state.delivered == 100)
    #expect(try fixture.state.failingSince == nil)
  }

  @Test func `Postbacks of one app arrive in order although some fail at first`() throws {
    let fixture = try RelayFixture {
      $0.parallel = 8
      $0.isOrdered = true
    }
    let numbers = Array(0..<120)
    try fixture.store(numbers.map { receipt("\($0)", app: Int64(1 + $0 % 3), body: "\($0 % 3) \($0)") })
    let failures = Guarded<[String: Int]>([:])
    fixture.answer { body in
      let count = failures.withLock { failures in
        failures[body, default: 0] += 1
        return failures[body, default: 0]
      }
      return PostAnswer(status: body.hasSuffix("5") && count < 3 ? 503 : 200)
    }
    for _ in 0..<60 {
      fixture.run()
      fixture.pass(seconds: 900)
    }
    let got = fixture.got.withLock { $0 }
    #expect(got.count == numbers.count)
    for app in 0..<3 {
      let own = got.filter { $0.hasPrefix("\(app) ") }
      #expect(own == numbers.filter { $0 % 3 == app }.map { "\(app) \($0)" })
    }
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

  @Test func `A slow answer holds no round up, and a changed address gets the next postbacks`() throws {
    let fixture = try RelayFixture { $0.parallel = 2 }
    try fixture.store((0..<40).map { "\($0)" })
    let isHanging = Guarded(true)
    fixture.answer { body in
      // The first address never answers the first one.
      while body == "0", isHanging.withLock({ $0 }) { rest(microseconds: 1000) }
      return PostAnswer(status: 200)
    }
    fixture.time.withLock { $0 = noon }
    let began = ContinuousClock.now
    let ticking = try Worker { [time = fixture.time, isHanging] in
      // The clock of the relay goes on meanwhile.
      while isHanging.withLock({ $0 }) {
        rest(microseconds: 10_000)
        time.withLock { $0 = $0 + 10 }
      }
    }
    #expect(fixture.relayWorker.round())
    #expect(ContinuousClock.now - began < .seconds(5))
    #expect(fixture.got.withLock { $0 } == (1..<33).map { "\($0)" })
    #expect(try fixture.state.cursor.postback == 0)
    // Another address, of the same relay: what is under way at the old one is given half a second.
    fixture.relay.address = Webhook(url: "http://127.0.0.1:9/elsewhere")
    fixture.relay.token = "new"
    fixture.relayWorker.use(fixture.relay)
    let other = fixture.sent.withLock { $0.count }
    let hanging = isHanging
    fixture.answer { _ in
      hanging.withLock { $0 = false }
      return PostAnswer(status: 200)
    }
    fixture.run()
    ticking.join()
    #expect(
      fixture.sent.withLock { sent in
        sent[other...].allSatisfy {
          $0.url.hasSuffix("/elsewhere") && $0.headers["Authorization"] == "Bearer new"
        }
      })
    #expect(Set(fixture.got.withLock { $0 }) == Set((0..<40).map { "\($0)" }))
    #expect(try fixture.state.cursor.postback == 40)
    #expect(try fixture.state.delivered == 40)
  }

  @Test func `Dead letters do not wait for a backlog`() throws {
    let fixture = try RelayFixture()
    try fixture.store(["bad"])
    fixture.answer { _ in PostAnswer(status: 422) }
    fixture.run()
    fixture.answer { _ in PostAnswer(status: 200) }
    try fixture.store((0..<60).map { "\($0)" })
    fixture.pass(seconds: 61)
    fixture.run()
    let got = fixture.got.withLock { $0 }
    #expect(got.count == 61)
    #expect(got.firstIndex(of: "bad").map { $0 < 3 } == true, "\(got)")
    #expect(try fixture.reader.deadLetters().isEmpty)
  }
}

struct `What a relay has read and not dealt with` {
  /// What a schedule of random answers, failures and ends did.
  private struct Schedule {
    var flight = RelayFlight<Int, Bool>()
    let lanes: [Int64?]
    var read = 0
    /// Everything before it is dealt with.
    var low = 0
    var sent: [Int] = []
    var accepted: Set<Int> = []
    var underWay: [(number: Int, element: Int)] = []
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `It gives everything out, in order within a lane, and the low-water place has nothing open before it`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let count = random.number(below: 700)
    let kinds = 1 + random.number(below: 8)
    let hasLanes = random.number(below: 2) == 0
    var schedule = Schedule(
      lanes: (0..<count).map { _ in hasLanes ? Int64(random.number(below: kinds)) : nil })
    let (parallel, window) = (1 + random.number(below: 12), 12 + random.number(below: 30))
    var left = 200_000
    while schedule.low < count, left > 0 {
      left -= 1
      switch random.number(below: 8) {
      case 0 where schedule.read < count && schedule.flight.count < window:
        for _ in 0..<min(count - schedule.read, 1 + random.number(below: 60)) {
          schedule.flight.append(schedule.read, lane: schedule.lanes[schedule.read])
          schedule.read += 1
        }
      case 1...3 where schedule.underWay.count < parallel:
        guard let (number, element) = schedule.flight.take(window: window) else { break }
        #expect(element < schedule.low + window)
        #expect(!schedule.accepted.contains(element), "what was accepted is not sent again")
        if let lane = schedule.lanes[element] {
          #expect(!schedule.underWay.contains { schedule.lanes[$0.element] == lane })
          let open = (schedule.low..<element).filter {
            schedule.lanes[$0] == lane && !schedule.accepted.contains($0)
          }
          #expect(open.isEmpty, "\(open) of lane \(lane) are before \(element)")
        }
        schedule.sent.append(element)
        schedule.underWay.append((number, element))
      case 4...6 where !schedule.underWay.isEmpty:
        let (number, element) = schedule.underWay.remove(
          at: random.number(below: schedule.underWay.count))
        // In a lane, what fails would let the next one go first; there everything is accepted.
        let isAccepted = hasLanes || random.number(below: 12) > 0
        if isAccepted { schedule.accepted.insert(element) }
        schedule.flight.note(isAccepted, of: number)
      case 7 where random.number(below: 20) == 0:
        schedule.flight.recall()
        for (number, _) in schedule.underWay { schedule.flight.note(true, of: number) }
        schedule.underWay = []
      default: break
      }
      while let (element, isAccepted) = schedule.flight.first, isAccepted {
        #expect(element == schedule.low, "outcomes come in the order of the queue")
        schedule.low += 1
        schedule.flight.removeFirst()
      }
      if schedule.flight.first?.outcome == false { schedule.flight.sendAgain { !$0 } }
      #expect((0..<schedule.low).allSatisfy { schedule.low == 0 || schedule.accepted.contains($0) })
      #expect(schedule.flight.underWay == schedule.underWay.count)
      #expect(schedule.flight.span <= window)
      #expect(schedule.flight.count == schedule.read - schedule.low)
    }
    #expect(schedule.low == count)
    #expect(schedule.flight.isEmpty && schedule.flight.waiting == 0)
  }
}
