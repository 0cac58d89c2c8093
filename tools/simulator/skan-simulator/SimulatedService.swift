import CFaultVFS
import CVirtualTime
import Daemon
import Campaigns
import Foundation
import Journal
import JSONText
import Ledger
import Postbacks
import Signing
import System
import Tables
import Values
import Verification

/// Some nodes, those who send to them, those who get from them, and what goes wrong.
final class SimulatedService {
  private let history: History
  private let nodes: [SimulatedNode]
  private let partner: Partner
  private let senders: Senders
  private let operators: Operators
  private var bodies: Bodies
  private var random: SplitMix64
  private var names = 0
  private let journal: MemoryJournal?
  private let probes: Probes

  init(seed: UInt64, in folder: String, _ history: History) throws {
    self.history = history
    var random = SplitMix64(seed: seed)
    let keys = try SigningKeys.generate()
    bodies = Bodies(keys, seed: seed)
    let count = 1 + random.number(below: 3)
    let hasJournal = count > 1 || random.number(below: 2) == 0
    journal = hasJournal ? MemoryJournal(identity: try .random()) : nil
    self.random = random
    partner = Partner(history, seed: seed)
    senders = Senders(history, seed: seed)
    probes = Probes(history, seed: seed)
    let setting = Setting(
      folder: folder, seed: seed, beginning: Instant(milliseconds: 1_800_000_000_000), keys: keys.keys,
      journal: journal, partner: partner, history: history, ledger: probes.settings)
    operators = Operators(history, mappings: setting.mappings)
    try FileManager.default.createDirectory(atPath: setting.mappings, withIntermediateDirectories: true)
    try Self.configuration.write(toFile: setting.configuration, atomically: true, encoding: .utf8)
    // A short run sees no alert that waits for minutes.
    try #"{"resolve-after-minutes":0,"rules":[{"kind":"mapping-rejected","minutes":0}]}"#.write(
      toFile: setting.alerts, atomically: true, encoding: .utf8)
    nodes = try (1...count).map { try SimulatedNode($0, setting) }
    history.note(
      "service", [.init("nodes", .integer(Int64(count))), .init("journal", .bool(journal != nil))])
  }

  private static let configuration = """
    {"relays":[{"name":"all","url":"http://partner/all","environments":["test"],"from":"beginning"},
     {"name":"ordered","url":"http://partner/ordered","environments":["test"],"from":"beginning","ordered":true}],
     "alert-webhooks":[{"url":"http://partner/alerts"}]}
    """

  /// Lets so many things happen, one after the other.
  func run(steps: Int) throws {
    for node in nodes { try node.start() }
    for _ in 0..<probes.burst { senders.add(try bodies.new(), .forwarded) }
    for step in 0..<steps {
      rest(microseconds: pause())
      history.note("step", [.init("number", .integer(Int64(step)))])
      try happen()
      senders.send(to: nodes)
      probes.sample(nodes)
    }
  }

  /// Mostly some milliseconds, sometimes seconds.
  private func pause() -> UInt32 {
    let most = [20_000, 20_000, 20_000, 200_000, 200_000, 200_000, 1_000_000, 4_000_000][random.number(below: 8)]
    return UInt32(random.number(below: most))
  }

  private var someNode: SimulatedNode { nodes[random.number(below: nodes.count)] }

  private func happen() throws {
    switch random.number(below: 100) {
    case ..<34: senders.add(try bodies.new(), .advertiserCopy)
    case ..<42: senders.add(try bodies.repeated(), .advertiserCopy)
    case ..<46: senders.add(try bodies.contradicting(), .advertiserCopy)
    case ..<49: senders.add(try bodies.forged(), .advertiserCopy)
    case ..<51: senders.add(bodies.malformed(), .advertiserCopy)
    case ..<57:
      for _ in 0..<(2 + random.number(below: 20)) { senders.add(try bodies.new(), .forwarded) }
    case ..<62: try operators.putSpend(random.number(below: 5), Int64(random.number(below: 1_000_000)), at: someNode)
    case ..<65:
      names += 1
      try operators.addToken(names, at: someNode)
    case ..<67: try operators.revokeToken(Int64(1 + random.number(below: names + 1)), at: someNode)
    case ..<69:
      names += 1
      try operators.addDraft(names, at: someNode)
    case ..<70: try operators.prune(at: someNode)
    case ..<73:
      names += 1
      try operators.editMapping(names, &random)
    case ..<74: someNode.running?.node.reload()
    default: try goWrong()
    }
  }

  private func goWrong() throws {
    let node = someNode
    let which = [JSONOutput.Member("node", .integer(Int64(node.number)))]
    switch random.number(below: 18) {
    case 0, 1:
      let operations = random.number(below: 2) == 0 ? 0 : Int64(random.number(below: 60))
      history.note("crash", which + [.init("after", .integer(operations))])
      _ = try Worker { node.crash(after: operations) }
    case 2, 3, 4, 5:
      try node.start()
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
    case 17:
      let made = try (0..<8).map { _ in random.number(below: 3) == 0 ? try bodies.repeated() : try bodies.new() }
      try probes.writeBeside(node, made)
    case 16:
      try probes.moveFile(of: node) {
        senders.add(try bodies.new(), .advertiserCopy)
        senders.send(to: nodes)
      }
    case 13, 14:
      let mood = Partner.Mood.allCases[random.number(below: Partner.Mood.allCases.count)]
      history.note("partner", [.init("mood", .string("\(mood)"))])
      partner.take(mood)
    default:
      guard journal != nil, nodes.count > 1, case .down = node.state.withLock({ $0 }) else { return }
      try node.forget()
    }
  }

  /// Mends everything, lets the nodes finish, and notes what they show; false where they did not finish in half an hour.
  func settle() throws -> Bool {
    history.note("settling")
    partner.take(.accepts)
    for round in 0..<180 {
      for node in nodes {
        if case .starting = node.state.withLock({ $0 }) { continue }
        node.disk?.heal()
        node.road?.state.withLock { $0 = Road.State() }
        node.clockError.withLock { $0 = 0 }
        try node.start()
      }
      senders.send(to: nodes)
      rest(microseconds: 10_000_000)
      if isSettled { break }
      if round % 9 == 8 { probes.hurry(nodes[0]) }
    }
    let left = unsettled
    if left == nil { try probes.finish(nodes, journal) }
    history.note("settled", [.init("left", left.map { .string($0) } ?? .null)])
    for node in nodes {
      node.stop()
      node.finishLog()
    }
    for node in nodes { try show(node) }
    return left == nil
  }

  private var isSettled: Bool { unsettled == nil }

  /// What is not done yet; `nil` for nothing.
  private var unsettled: String? {
    if senders.isWaiting { return "something is sent without an answer" }
    if operators.isWaiting { return "an operator waits for an answer" }
    for node in nodes {
      guard let (running, _) = node.running else { return "node \(node.number) is down" }
      let statistics = running.ledger.statistics
      if statistics.waiting > 0 { return "postbacks wait on node \(node.number)" }
      if let journal {
        guard let end = try? journal.ends().last, statistics.journal?.position == end else {
          return "node \(node.number) is behind: \(statistics.lastError.map { "\($0)" } ?? "no error")"
        }
      }
      guard let reader = try? LedgerReader(path: node.database), let relays = try? reader.relays(),
        let newest = try? reader.relayCursor(.newest)
      else { return "node \(node.number) cannot be read" }
      if let waiting = probes.waits(at: node) { return waiting }
      if relays.count < 2 { return "node \(node.number) knows \(relays.count) relays" }
      for relay in relays where relay.cursor != newest || relay.failure != nil {
        return "relay \(relay.name) is at \(relay.cursor), not \(newest): \(relay.failure ?? "no failure"), next \(relay.nextAt.map { "\($0)" } ?? "now") at \(node.clock())"
      }
    }
    return nil
  }

  /// Notes what the report of campaigns shows on a node.
  private func show(_ node: SimulatedNode) throws {
    var report = CampaignReport()
    report.scope.environment = .test
    let reader = try LedgerReader(path: node.database)
    let text = try report.text(.ndjson, from: ReportSource(reader: reader, now: node.clock()))
    for line in text.split(separator: "\n") {
      history.note(
        "campaign", [.init("node", .integer(Int64(node.number))), .init("row", .string(String(line)))])
    }
  }
}
