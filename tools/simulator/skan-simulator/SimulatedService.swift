import CFaultVFS
import CVirtualTime
import Daemon
import Campaigns
import EstimateReports
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
  private let backups: Backups
  private var bodies: Bodies
  private var random: SplitMix64
  private var names = 0
  private let journal: MemoryJournal?

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
    // As if Apple had signed, so that every report and relay takes them.
    let trusted = keys.keys.map {
      TrustedKey(use: $0.use, curve: $0.curve, environment: .production, spki: $0.spki, privateKey: nil)
    }
    let setting = Setting(
      folder: folder, seed: seed, beginning: SimulatorProgram.beginning, keys: trusted,
      journal: journal, partner: partner, history: history)
    backups = Backups(history, in: folder)
    operators = Operators(history, mappings: setting.mappings)
    _ = try Folder(making: setting.mappings)
    try Self.write(Self.configuration, to: setting.configuration)
    nodes = try (1...count).map { try SimulatedNode($0, setting) }
    history.note(
      "service", [.init("nodes", .integer(Int64(count))), .init("journal", .bool(journal != nil))])
  }

  private static let configuration = """
    {"relays":[{"name":"all","url":"http://partner/all","from":"beginning"},
     {"name":"ordered","url":"http://partner/ordered","from":"beginning","ordered":true}],
     "alert-webhooks":[{"url":"http://partner/alerts"}]}
    """

  /// Puts a text in place of a file's, all at once.
  static func write(_ text: String, to path: String) throws {
    let file = try AtomicFile(path)
    try file.write(Array(text.utf8))
    try file.commit()
  }

  /// Lets so many things happen, one after the other.
  func run(steps: Int) throws {
    for node in nodes { try node.start() }
    for step in 0..<steps {
      rest(microseconds: pause())
      history.note("step", [.init("number", .integer(Int64(step)))])
      try happen()
      senders.send(to: nodes)
    }
  }

  /// Mostly some milliseconds, sometimes seconds.
  private func pause() -> UInt32 {
    let most = [20_000, 20_000, 20_000, 200_000, 200_000, 200_000, 1_000_000, 4_000_000]
    return UInt32(random.number(below: most[random.number(below: most.count)]))
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
    case ..<62:
      let (campaign, micros) = (random.number(below: 5), Int64(random.number(below: 1_000_000)))
      try operators.putSpend(campaign, micros, at: someNode)
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
    case ..<76: try backups.make(of: someNode)
    case ..<77: if let journal { try backups.trim(journal) }
    case ..<80: try keepEstimates(of: someNode)
    default: try goWrong()
    }
  }

  private func goWrong() throws {
    let node = someNode
    let which = [JSONOutput.Member("node", .integer(Int64(node.number)))]
    switch random.number(below: 16) {
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
      history.note("journal-cut", which)
      road.state.withLock { $0.isCut = true }
    case 11:
      guard let road = node.road else { return }
      history.note("answers-lost", which)
      let (answers, appends) = (1 + random.number(below: 3), random.number(below: 2))
      road.state.withLock { ($0.lostAnswers, $0.lostAppends) = (answers, appends) }
    case 12:
      node.disk?.heal()
      node.road?.state.withLock { $0 = Road.State() }
    case 13, 14:
      let mood = Partner.Mood.allCases[random.number(below: Partner.Mood.allCases.count)]
      history.note("partner", [.init("mood", .string("\(mood)"))])
      partner.take(mood)
    default:
      guard journal != nil, nodes.count > 1, case .down = node.state.withLock({ $0 }) else { return }
      try node.forget()
    }
  }

  private func start(_ node: SimulatedNode) throws {
    if case .down = node.state.withLock({ $0 }), node.needsBackup.withLock({ $0 }) {
      try backups.restore(node)
    }
    try node.start()
  }

  /// Makes what pages are answered from, as the daemon's background does.
  private func keepEstimates(of node: SimulatedNode) throws {
    guard node.running != nil else { return }
    history.note("estimates", [.init("node", .integer(Int64(node.number)))])
    _ = try Worker {
      guard let reader = try? LedgerReader(path: node.database) else { return }
      try? EstimateReport.keepUsual(from: reader, now: node.clock(), in: node.keeper)
    }
  }

  /// Mends everything, lets the nodes finish within half an hour, and notes what is left and what they show.
  func settle() throws {
    history.note("settling")
    partner.take(.accepts)
    for _ in 0..<180 {
      for node in nodes {
        if case .starting = node.state.withLock({ $0 }) { continue }
        node.disk?.heal()
        node.road?.state.withLock { $0 = Road.State() }
        node.clockError.withLock { $0 = 0 }
        if let error = node.running?.node.ledger.statistics.lastError,
          SimulatedNode.isDeleted("\(error)")
        {
          node.needsBackup.withLock { $0 = true }
          node.stop()
        }
        try start(node)
      }
      senders.send(to: nodes)
      rest(microseconds: 10_000_000)
      if isSettled { break }
    }
    let left = unsettled
    history.note("settled", [.init("left", left.map { .string($0) } ?? .null)])
    for node in nodes { try showEstimates(node) }
    for node in nodes {
      node.stop()
      node.noteLog()
    }
    for node in nodes { try show(node) }
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
      if relays.count < 2 { return "node \(node.number) knows \(relays.count) relays" }
      for relay in relays where relay.cursor != newest || relay.failure != nil {
        let next = relay.nextAt.map { "\($0)" } ?? "now"
        return
          "relay \(relay.name) is at \(relay.cursor), not \(newest): \(relay.failure ?? "-"), next \(next)"
      }
    }
    return nil
  }

  /// Notes what a page of a node shows of what it keeps, and what it shows made anew.
  private func showEstimates(_ node: SimulatedNode) throws {
    guard node.running != nil else { return }
    let reader = try LedgerReader(path: node.database)
    var report = EstimateReport()
    report.by = [.campaign]
    let source = ReportSource(reader: reader, now: node.clock())
    var kept = source
    kept.keeper = node.keeper
    for (what, source) in [("kept", kept), ("anew", source)] {
      history.note(
        "page",
        [
          .init("node", .integer(Int64(node.number))), .init("of", .string(what)),
          .init("text", .string(try report.text(.ndjson, from: source))),
        ])
    }
  }

  /// Notes what the report of campaigns shows on a node.
  private func show(_ node: SimulatedNode) throws {
    let report = CampaignReport()
    let reader = try LedgerReader(path: node.database)
    let text = try report.text(.ndjson, from: ReportSource(reader: reader, now: node.clock()))
    for line in text.split(separator: "\n") {
      history.note(
        "campaign", [.init("node", .integer(Int64(node.number))), .init("row", .string(String(line)))])
    }
  }
}
