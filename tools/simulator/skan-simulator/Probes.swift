import CVirtualTime
import Daemon
import Intake
import JSONText
import Journal
import Ledger
import Postbacks
import SQLite
import System
import Values

/// Looks and acts from outside, so that the judge sees what no answer shows.
final class Probes {
  private let history: History
  private var random: SplitMix64
  private var besides = 0
  private var seen: [Int: String] = [:]

  init(_ history: History, seed: UInt64) {
    self.history = history
    random = SplitMix64(seed: seed ^ 0x70726F626573)
  }

  /// How ledgers are opened in this run: mostly with quotas and runs of keys that a short run fills.
  var settings: LedgerSettings {
    var random = random
    return LedgerSettings(
      rejectedQuota: RejectedQuota(perSource: [2, 4, 100][random.number(below: 3)]),
      copyQuota: CopyQuota(perSender: [1200, 3000, 16 << 20][random.number(below: 3)]),
      recentKeys: [3, 5, 12, 1 << 13][random.number(below: 4)])
  }

  /// Bodies that one network sends at the beginning: mostly none, sometimes nearly a block of facts.
  var burst: Int {
    var random = SplitMix64(seed: random.next())
    return random.number(below: 60) == 0 ? 4000 + random.number(below: 90) : 0
  }

  /// Looks at all nodes for some seconds, as what was held up comes through.
  func watch(_ nodes: [SimulatedNode]) {
    guard nodes.count > 1 else { return }
    for _ in 0..<40 {
      rest(microseconds: 50_000)
      for node in nodes { sample(node) }
    }
  }

  /// Notes what some node has, now and then: it must not go back.
  func sample(_ nodes: [SimulatedNode]) {
    if random.number(below: 3) == 0 { sample(nodes[random.number(below: nodes.count)]) }
  }

  private func sample(_ node: SimulatedNode) {
    let found = try? node.running?.node.ledger.read { reader throws(LedgerError) in
      (relays: try reader.relays(), mappings: try reader.mappings())
    }
    guard let (relays, mappings) = found else { return }
    let state = "\(relays.map(\.cursor)) \(mappings.map(\.source))"
    guard seen.updateValue(state, forKey: node.number) != state else { return }
    history.note(
      "sample",
      Self.members(of: node) + [
        .init(
          "relays",
          .object(
            relays.map {
              .init($0.name, .array([.integer($0.cursor.postback), .integer($0.cursor.copy)]))
            })),
        .init("mappings", .array(mappings.map { .string($0.source) })),
      ])
  }

  private static func members(of node: SimulatedNode) -> [JSONOutput.Member] {
    [.init("node", .integer(Int64(node.number)))]
  }

  /// Whether relays and webhooks have something to do yet that they put off.
  func waits(at node: SimulatedNode) -> String? {
    guard let reader = try? LedgerReader(path: node.database), let letters = try? reader.deadLetters(),
      let connection = try? Connection(path: node.database, mode: .readOnly),
      let notices = try? connection.integer("SELECT count(*) FROM alert_notice")
    else { return "node \(node.number) cannot be read" }
    if let letter = letters.first(where: { $0.nextAt != nil }) {
      return "relay \(letter.relay) has yet to try postback \(letter.postback) again"
    }
    return notices == 0 ? nil : "\(notices) notices wait"
  }

  /// Has relays try at once what they put off, as an operator who knows that the other side is well again.
  func hurry(_ node: SimulatedNode) {
    guard let ledger = node.running?.node.ledger else { return }
    history.note("retry", Self.members(of: node))
    for name in ["all", "ordered"] {
      _ = try? RelayControl(ledger).retry(name)
      _ = try? RelayControl(ledger).retryDeadLetters(of: name, now: node.clock())
    }
  }

  /// Moves a database away from a node that runs, and back two seconds later; nothing may be acknowledged meanwhile.
  func moveFile(of node: SimulatedNode, _ send: () throws -> Void) rethrows {
    guard node.running != nil, node.disk?.isDark == false, node.setting.journal == nil else { return }
    let aside = node.database + "-aside"
    history.note("file-moved", Self.members(of: node))
    guard Disk.move(node.database, to: aside) else { return }
    defer {
      _ = Disk.move(aside, to: node.database)
      history.note("file-returned", Self.members(of: node))
    }
    for _ in 0..<4 {
      try send()
      rest(microseconds: 500_000)
    }
  }

  /// Has a second program write the same file for a moment, as `skan ingest` beside a daemon.
  func writeBeside(_ node: SimulatedNode, _ made: [[UInt8]]) throws {
    guard node.setting.journal == nil, let (running, life) = node.running else { return }
    besides += 1
    let bodies = made.enumerated().map { ("beside-\(besides)-\($0.offset)", $0.element) }
    for (name, text) in bodies {
      history.note(
        "new",
        [
          .init("body", .string(name)), .init("route", .string(Route.advertiserCopy.rawValue)),
          .init("text", .string(String(decoding: text, as: UTF8.self))),
        ])
    }
    let (path, settings, clock, keyring) = (
      node.database, node.setting.ledger, node.clock, running.intake.keyring
    )
    _ = try Worker { [history] in
      guard let ledger = try? PostbackLedger(path: path, settings: settings) else { return }
      let intake = PostbackIntake(keyring: keyring, ledger: ledger, clock: clock)
      for (name, text) in bodies {
        let which: [JSONOutput.Member] = [
          .init("body", .string(name)), .init("node", .integer(Int64(life.node))),
        ]
        history.note("sent", which)
        intake.store(
          intake.judge(PostbackReading(text)), of: text, from: Origin(.advertiserCopy), quotaSource: "a"
        ) {
          result in
          guard !life.isOver, case .success(let commitment) = result else { return }
          history.note("stored", which + [.init("as", .string(Senders.word(commitment.effect)))])
        }
        rest(microseconds: 30_000)
      }
      ledger.close()
    }
  }

  /// What is tried once all is at rest; each leaves the nodes as they are, or as all of them shall be.
  func finish(_ nodes: [SimulatedNode], _ journal: JournalPair?) throws {
    guard let first = nodes.first?.running?.node else { return }
    if journal != nil { try compare(nodes, first.ledger) }
    if random.number(below: 2) == 0, let now = nodes.first?.clock() {
      let pruned = try first.ledger.prune(before: now)
      history.note(
        "pruned",
        [
          .init("before", .integer(now.milliseconds)), .init("rejected", .integer(pruned.rejected)),
          .init("copies", .integer(pruned.copies)),
        ])
    }
    rest(microseconds: 3_000_000)
    if let journal {
      let found = try JournalAudit.run(
        journal, examine: { AnyChange.defect(in: $0, at: $1) }, didRead: { _, _ in })
      history.note(
        "audited",
        [
          .init("batches", .integer(found.batches)), .init("faulty", .integer(Int64(found.faulty))),
          .init("fault", .string(found.faults.first?.reason ?? "")),
        ])
    }
  }

  /// Has nodes compare their figures, and in some runs changes a row of one before.
  private func compare(_ nodes: [SimulatedNode], _ ledger: PostbackLedger) throws {
    var spoiled = nodes.count > 1 && random.number(below: 3) == 0 ? nodes.last : nil
    // Sums go over what came since the comparison before.
    if let node = spoiled, let last = try LedgerReader(path: node.database).lastCheckpoint(),
      last.postbacksBehind == 0
    {
      spoiled = nil
    }
    try spoiled.map { try spoil($0, by: 60_000) }
    let checkpoint = try ledger.write(CheckpointMark(at: nodes[0].clock()))
    try ledger.write(CheckpointComparison(checkpoint, of: "n1"))
    rest(microseconds: 3_000_000)
    try spoiled.map { try spoil($0, by: -60_000) }
    for node in nodes {
      let found = try LedgerReader(path: node.database).checkpointDifferences()
      history.note(
        "compared",
        Self.members(of: node) + [
          .init("spoiled", .bool(node === spoiled)), .init("differences", .integer(Int64(found.count))),
          .init("sentence", .string(found.first?.sentence ?? "")),
        ])
    }
  }

  private func spoil(_ node: SimulatedNode, by milliseconds: Int) throws {
    let connection = try Connection(path: node.database, mode: .readWrite)
    try connection.execute(
      "UPDATE postback SET received_at = received_at + \(milliseconds) WHERE id = (SELECT max(id) FROM postback)"
    )
  }

  /// In some runs has the journal lose its newest batch and take another in its place, as a server restored from an older
  /// backup; every node must stop.
  func fork(_ journal: JournalPair, _ nodes: [SimulatedNode]) throws {
    guard random.number(below: 3) == 0 else { return }
    // Who has not followed the lost batch may follow the other one; an append that is under way is on the primary alone.
    let end = try journal.ends().last
    guard journal.doubtful == 0,
      nodes.allSatisfy({ $0.running?.node.ledger.statistics.journal?.position == end })
    else { return }
    journal.loseNewest()
    guard let stranger = NodeName("stranger") else { return }
    var appender = try JournalAppender(journal, node: stranger)
    for _ in 0..<2 { _ = try appender.append([]) }
    rest(microseconds: 3_000_000)
    for node in nodes {
      guard let (running, _) = node.running else { continue }
      let statistics = running.ledger.statistics
      history.note(
        "forked",
        Self.members(of: node) + [
          .init("stopped", .bool(statistics.lastFailure != nil)),
          .init("reason", .string(statistics.lastError.map { "\($0)" } ?? "")),
        ])
    }
  }
}
