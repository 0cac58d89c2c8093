import Journal
import JSONText
import Ledger
import System
import Values

extension SimulatedService {
  /// Lets one thing go wrong, or mends something.
  func goWrong() throws {
    let node = someNode
    let which = [JSONOutput.Member("node", .integer(Int64(node.number)))]
    switch random.number(below: 22) {
    case 0, 1:
      let operations = random.number(below: 2) == 0 ? 0 : Int64(random.number(below: 60))
      history.note("crash", which + [.init("after", .integer(operations))])
      _ = try Worker { node.crash(after: operations) }
    case 2, 3, 4, 5:
      try start(node)
    case 6:
      history.note("stop", which)
      _ = try Worker { node.stop() }
    case 7:
      let codes: [(Int32, Int32)] = [(4, 13), (4, 778), (8, 1034), (2, 266), (16, 1546), (4, 13)]
      let (kinds, code) = codes[random.number(below: codes.count)]
      history.note("disk-fails", which + [.init("code", .integer(Int64(code)))])
      node.disk?.fail(
        kinds, code: code, after: Int64(random.number(below: 20)), times: Int64(1 + random.number(below: 8)),
        shortens: random.number(below: 2) == 0)
    case 8:
      history.note("disk-slow", which)
      node.disk?.slow(microseconds: UInt32(random.number(below: 300_000)))
    case 9:
      // Nodes whose clocks differ by more share no lease, as docs/guides says.
      let error = Int64(random.number(below: 180_000)) - 90_000
      history.note("clock", which + [.init("error", .integer(error))])
      node.clockError.withLock { $0 = error }
    case 10:
      guard let road = node.road else { return }
      let (kind, delay) = (random.number(below: 3), UInt32(random.number(below: 2_000_000)))
      history.note("journal-\(["cut", "cut-at-append", "slow"][kind])", which)
      road.state.withLock { state in
        switch kind {
        case 0: state.isCut = true
        case 1: state.isCutAtAppend = true
        default: state.delay = delay
        }
      }
    case 11:
      guard let road = node.road else { return }
      history.note("answers-lost", which)
      let (answers, appends, doubtful) = (
        1 + random.number(below: 3), random.number(below: 2), random.number(below: 2)
      )
      road.state.withLock {
        ($0.lostAnswers, $0.lostAppends, $0.doubtfulAppends) = (answers, appends, doubtful)
      }
    case 12:
      node.disk?.heal()
      node.road?.state.withLock { $0 = Road.State() }
      endStuck(node, looks: false)
      if node.road != nil { probes.watch(nodes) }
    case 13, 14:
      let mood = Partner.Mood.allCases[random.number(below: Partner.Mood.allCases.count)]
      history.note("partner", [.init("mood", .string("\(mood)"))])
      partner.take(mood)
    case 15:
      let made = try (0..<8).map { _ in
        random.number(below: 3) == 0 ? try bodies.repeated() : try bodies.new()
      }
      try probes.writeBeside(node, made)
    case 16:
      try probes.moveFile(of: node) {
        senders.add(try bodies.new(), .advertiserCopy)
        senders.send(to: nodes)
      }
    case 17: try failServer(random.number(below: 3))
    case 19: source.take(PullSource.Mood.allCases[random.number(below: PullSource.Mood.allCases.count)])
    case 20:
      // Two versions side by side, until those who stop for it have the newer one too.
      guard random.number(below: 3) == 0, case .down = node.state.withLock({ $0 }) else { return }
      node.upgrade()
      try start(node)
    case 18:
      // What the primary has alone is seen by those who read from it, and then lost.
      for part in [0, 3, 1, 4, 2] { try failServer(part) }
    default:
      guard journal != nil, nodes.count > 1, case .down = node.state.withLock({ $0 }) else { return }
      try node.forget()
    }
  }

  /// Lets one thing go wrong with the journal's servers, or time pass until it shows.
  private func failServer(_ part: Int) throws {
    guard let journal else { return }
    switch part {
    case 0:
      history.note("standby-cut")
      journal.cutStandby()
    case 1:
      history.note("primary-restarted", [.init("doubtful", .integer(journal.doubtful))])
      journal.restartPrimary()
    case 2:
      let doubtful = journal.doubtful
      // Those who have what is lost now, and so may have passed it on.
      let ahead = nodes.filter { node in
        guard doubtful > 0, let last = try? journal.standby.ends().last,
          let place = try? LedgerReader(path: node.database).journalPlace()
        else { return false }
        return place.position > last
      }
      history.note(
        "promoted",
        [
          .init("since", .integer(journal.doubtfulSince / 1_000_000)),
          .init("lost", .integer(journal.promote())),
          .init("ahead", .array(ahead.map { .integer(Int64($0.number)) })),
        ])
    case 3:
      senders.add(try bodies.new(), .advertiserCopy)
      senders.send(to: nodes)
      rest(microseconds: 200_000 + UInt32(random.number(below: 1_000_000)))
    default:
      // Who has nothing to append follows.
      rest(microseconds: 1_000_000 + UInt32(random.number(below: 8_000_000)))
    }
  }
}
