import JSONText
import Ledger
import System
import Values

extension SimulatedService {
  /// Lets one thing go wrong, or mends something.
  func goWrong() throws {
    let node = someNode
    let which = [JSONOutput.Member("node", .integer(Int64(node.number)))]
    switch random.number(below: 18) {
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
      let isAtAppend = random.number(below: 2) == 0
      history.note("journal-cut", which + [.init("at-append", .bool(isAtAppend))])
      road.state.withLock { if isAtAppend { $0.isCutAtAppend = true } else { $0.isCut = true } }
    case 11:
      guard let road = node.road else { return }
      history.note("answers-lost", which)
      let (answers, appends) = (1 + random.number(below: 3), random.number(below: 2))
      road.state.withLock { ($0.lostAnswers, $0.lostAppends) = (answers, appends) }
    case 12:
      node.disk?.heal()
      node.road?.state.withLock { $0 = Road.State() }
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
    default:
      guard journal != nil, nodes.count > 1, case .down = node.state.withLock({ $0 }) else { return }
      try node.forget()
    }
  }
}
