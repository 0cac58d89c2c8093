import Campaigns
import Daemon
import EstimateReports
import Journal
import JSONText
import Ledger
import Reports
import System
import Tables
import Values

extension SimulatedService {
  /// Mends everything, lets the nodes finish within half an hour, and notes what is left and what they show.
  func settle() throws {
    history.note("settling")
    partner.take(.accepts)
    journal?.mend()
    source.take(.answers)
    try operators.alignMappings()
    // Most operators see at once what is put off; the others let it come by itself.
    let patience = random.number(below: 4) == 0 ? 50 : 5
    for round in 0..<900 {
      for node in nodes {
        if case .starting = node.state.withLock({ $0 }) { continue }
        node.disk?.heal()
        node.road?.state.withLock { $0 = Road.State() }
        node.clockError.withLock { $0 = 0 }
        if round > 0 { endStuck(node, looks: true) }
        try start(node)
      }
      senders.send(to: nodes)
      rest(microseconds: 2_000_000)
      if isSettled { break }
      if round % patience == patience - 1 { probes.hurry(nodes[0]) }
    }
    if isSettled {
      try probes.finish(nodes, journal)
      // What began meanwhile, an alert or a pull, is finished too.
      for _ in 0..<60 where !isSettled { rest(microseconds: 1_000_000) }
    }
    let left = unsettled
    if left == nil, let journal { try probes.fork(journal, nodes) }
    history.note("settled", [.init("left", left.map { .string($0) } ?? .null)])
    for node in nodes { try showEstimates(node) }
    for node in nodes {
      node.stop()
      node.noteLog()
      history.note(
        "closed",
        [
          .init("node", .integer(Int64(node.number))),
          .init("log-left", .bool(Disk.has(node.database + "-wal"))),
        ])
    }
    for node in nodes { try show(node) }
    // One of twenty runs shows everything, which takes longer than the run.
    guard random.number(below: 20) == 0 else { return }
    for node in nodes {
      try Questions.ask(node)
      let terminal = Terminal(node: node)
      try terminal.recount(node.database, expecting: true)
      for kind in reports + listings {
        terminal.note(kind.commandName.split(separator: " ").map(String.init) + ["--format", "ndjson"])
      }
    }
    try Workshop(nodes[0]).work(&bodies, &random)
    try Founding(nodes[0]).work()
  }

  private var isSettled: Bool { unsettled == nil }

  /// What is not done yet; `nil` for nothing.
  private var unsettled: String? {
    if senders.isWaiting { return "something is sent without an answer" }
    if operators.isWaiting { return "an operator waits for an answer" }
    if source.isAsked { return "a pull is under way" }
    for node in nodes {
      guard !node.isDoomed, let (running, _) = node.running else { return "node \(node.number) is down" }
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
      if relays.count < operators.setting.relays { return "node \(node.number) knows \(relays.count) relays" }
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
    guard let keeper = node.running?.node.keeper else { return }
    let reader = try LedgerReader(path: node.database)
    var report = EstimateReport()
    report.by = [.campaign]
    let source = ReportSource(reader: reader, now: node.clock())
    var kept = source
    kept.keeper = keeper
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
