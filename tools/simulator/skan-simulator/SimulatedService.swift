import CVirtualTime
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
  let source: PullSource
  let probes: Probes
  var bodies: Bodies
  var random: SplitMix64
  private var names = 0
  let journal: JournalPair?
  /// Whether it lives for weeks.
  let isLong: Bool

  init(seed: UInt64, in folder: String, isLong: Bool, _ history: History) throws {
    self.history = history
    self.isLong = isLong
    var random = SplitMix64(seed: seed)
    let keys = try SigningKeys.generate()
    bodies = Bodies(keys, seed: seed)
    let count = 1 + random.number(below: 3)
    let hasJournal = count > 1 || random.number(below: 2) == 0
    journal = hasJournal ? JournalPair(identity: try .random()) : nil
    let hasOddMappings = random.number(below: 4) == 0 && count > 1
    // As operators of a pair have it for all nodes; some forget it.
    let mostFollowing = random.number(below: 4)
    let relays = random.number(below: 4) == 0 ? 5 : 2
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
      journal: journal, partner: partner, history: history, ledger: probes.settings,
      source: PullSource(history, seed: seed, beginning: SimulatorProgram.beginning),
      hasOddMappings: hasOddMappings, relays: relays)
    source = setting.source
    backups = Backups(history, in: folder)
    operators = Operators(setting)
    _ = try Folder(making: setting.mappings)
    _ = try Folder(making: setting.oddMappings)
    try Self.write(
      Self.configuration(folder, setting.relays > 2 ? Self.eventRelays : ""), to: setting.configuration)
    try Self.write(PullSource.document, to: folder + "/costs.json")
    // A short run sees no alert that waits for minutes.
    try Self.write(
      #"{"resolve-after-minutes":0,"rules":[{"kind":"mapping-rejected","minutes":0}]}"#, to: setting.alerts)
    nodes = try (1...count).map { try SimulatedNode($0, setting, followsStandby: $0 <= mostFollowing) }
    history.note(
      "service",
      [
        .init("nodes", .integer(Int64(count))), .init("journal", .bool(journal != nil)),
        .init("following-standby", .integer(Int64(min(count, mostFollowing)))),
        .init("odd-mappings", .bool(setting.hasOddMappings)),
      ])
  }

  /// Relays of events, with every member that a relay can have.
  private static let eventRelays = """
    ,{"name":"ga4","url":"http://partner/ga4?measurement_id=G-1&api_secret=abc","from":"newest","form":"ga4",
      "apps":[525463029,1176027022],"networks":["example123.skadnetwork"],"kinds":["device-copy","network-copy","file"],"parallel":2},
     {"name":"meta","url":"http://partner/meta","from":"2027-01-15T08:00:00Z","form":"meta",
      "environments":["production"],"headers":{"X-Api-Key":"abcdefghijk","Accept":"application/json"}},
     {"name":"enriched","url":"http://partner/enriched","from":"newest","form":"enriched"}
    """

  private static func configuration(_ folder: String, _ further: String) -> String {
    """
    {"relays":[{"name":"all","url":"http://partner/all","from":"beginning","token":"abcdefgh"},
     {"name":"ordered","url":"http://partner/ordered","from":"beginning","ordered":true,
      "hmac-secret":"0123456789abcdef0123456789abcdef"}\(further)],
     "alert-webhooks":[{"url":"http://partner/alerts","digest":{"pages":"http://pages/"}}],
     "pulls":[{"file":"\(folder)/costs.json","every-hours":1}]}
    """
  }

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
      // Hours in which nothing comes, and after which all is due at once, as of machines that slept.
      if isLong { virtual_time_skip(Int64(1 + random.number(below: 180)) * 60_000_000_000) }
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
    switch random.number(below: 112) {
    case 100, 101: try operators.importFile(&random, at: someNode)
    case 102:
      if random.number(below: 2) == 0 {
        try operators.removeRate(&random, at: someNode)
      } else {
        source.change()
      }
    case 103: try readSomething(at: someNode)
    case 104, 105: try operators.reportPurchase(random.number(below: 12), at: someNode)
    case 106, 107:
      try operators.saveView(random.number(below: 60), isRemoved: random.number(below: 4) == 0, at: someNode)
    case 108: try operators.saveDraft(random.number(below: 60), at: someNode)
    case 109: try operators.noteTokenUse(&random, at: someNode)
    case 110, 111:
      names += 1
      let body = try random.number(below: 4) == 0 ? bodies.malformed() : bodies.new()
      try operators.tryInbox(names, body, at: someNode)
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
    case ..<70: try operators.prune(at: someNode, olderThanSeconds: isLong ? 7 * 86_400 : 60)
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
    if case .down = node.state.withLock({ $0 }) {
      switch node.cure.withLock({ $0 }) {
      case .newFile: try node.forget()
      case .newVersion: node.upgrade()
      case .backup: try backups.restore(node)
      case nil: break
      }
    }
    try node.start()
  }

  /// Ends a daemon that can go on only after something was done, and notes what keeps it.
  ///
  /// - Parameter looks: Whether a node is ended that has not found out yet.
  func endStuck(_ node: SimulatedNode, looks: Bool) {
    guard let (running, life) = node.running else { return }
    let statistics = running.ledger.statistics
    var cure = statistics.lastFailure.flatMap { _ in statistics.lastError }
      .flatMap { SimulatedNode.cure(of: "\($0)") }
    // What waits for a server that has more never comes back where that one is lost.
    let place = try? running.ledger.read { reader throws(LedgerError) in try reader.journalPlace() }
    if looks, cure == nil, let place, journal?.has(place) == false { cure = .newFile }
    guard let cure else { return }
    history.note(
      "stuck",
      [
        .init("node", .integer(Int64(node.number))), .init("life", .integer(Int64(life.number))),
        .init("cure", .string("\(cure)")),
        .init(
          "reason",
          .string(statistics.lastFailure == nil ? "" : statistics.lastError.map { "\($0)" } ?? "")),
      ])
    node.cure.withLock { $0 = cure }
    node.stop()
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
