import Campaigns
import Daemon
import EstimateReports
import Journal
import JSONText
import Ledger
import Postbacks
import Signing
import System
import Values
import Verification

/// Some nodes, those who send to them, those who get from them, and what goes wrong.
final class SimulatedService {
  let history: History
  let nodes: [SimulatedNode]
  let partner: Partner
  let senders: Senders
  let operators: Operators
  let backups: Backups
  let probes: Probes
  var bodies: Bodies
  var random: SplitMix64
  private var names = 0
  let journal: MemoryJournal?

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
    // As if Apple had signed, so that every report and relay takes them.
    let trusted = keys.keys.map {
      TrustedKey(use: $0.use, curve: $0.curve, environment: .production, spki: $0.spki, privateKey: nil)
    }
    let keyring = try Keyring(trusting: trusted)
    let setting = Setting(
      folder: folder, seed: seed, beginning: SimulatorProgram.beginning, keyring: keyring,
      journal: journal, partner: partner, history: history, ledger: probes.settings)
    backups = Backups(history, in: folder)
    operators = Operators(history, mappings: setting.mappings)
    _ = try Folder(making: setting.mappings)
    try Self.write(Self.configuration, to: setting.configuration)
    // A short run sees no alert that waits for minutes.
    try Self.write(
      #"{"resolve-after-minutes":0,"rules":[{"kind":"mapping-rejected","minutes":0}]}"#, to: setting.alerts)
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
    let most = [20_000, 20_000, 20_000, 200_000, 200_000, 200_000, 1_000_000, 4_000_000]
    return UInt32(random.number(below: most[random.number(below: most.count)]))
  }

  var someNode: SimulatedNode { nodes[random.number(below: nodes.count)] }

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

  func start(_ node: SimulatedNode) throws {
    if case .down = node.state.withLock({ $0 }), node.needsBackup.withLock({ $0 }) {
      try backups.restore(node)
    }
    try node.start()
  }

  /// Makes what pages are answered from, as the daemon's background does.
  private func keepEstimates(of node: SimulatedNode) throws {
    guard let keeper = node.running?.node.keeper else { return }
    history.note("estimates", [.init("node", .integer(Int64(node.number)))])
    _ = try Worker {
      guard let reader = try? LedgerReader(path: node.database) else { return }
      try? EstimateReport.keepUsual(from: reader, now: node.clock(), in: keeper)
    }
  }
}
