import Daemon
import Intake
import JSONText
import Ledger
import Postbacks
import System
import Values

/// Those who change something by pages or from an app's backend: they save views and drafts, and report purchases.
extension Operators {
  /// Saves a view under one of three names, or removes it.
  func saveView(_ number: Int, isRemoved: Bool, at node: SimulatedNode) throws {
    let (name, query) = ("view-\(number % 3)", "from=2027-01-\(10 + number % 20)")
    try ask(
      node, "import",
      [
        .init("kind", .string("views")), .init("key", .string(name)),
        .init("figure", isRemoved ? .null : .string(query)), .init("wrong", .bool(false)),
      ]
    ) { ledger, _ in
      let view = SavedView(
        path: "/campaigns", owner: .token("someone"), name: name, query: query, isShared: number % 2 == 0)
      let store = ReferenceStore(ledger)
      if isRemoved { _ = try store.remove([view]) } else { try store.put([view]) }
      return []
    }
  }

  /// Saves one of the drafts once more, as one of two who may do it at once.
  func saveDraft(_ number: Int, at node: SimulatedNode) throws {
    try ask(node, "saving", [.init("number", .integer(Int64(number)))]) { ledger, now in
      let drafts = try ledger.read { reader throws(LedgerError) in try reader.mappingDrafts() }
      guard !drafts.isEmpty else { return [] }
      let draft = drafts[number % drafts.count]
      let outcome = try DraftStore(ledger).save(
        draft.id, ifMatch: draft.etag, name: draft.name, document: Array("{\"n\":\(number)}".utf8),
        by: "someone", now: now)
      guard case .done(let saved) = outcome else { return [] }
      return [.init("id", .integer(saved.id)), .init("revision", .integer(saved.revision))]
    }
  }

  /// Notes on which day tokens were used, as pages and routes do.
  func noteTokenUse(_ random: inout SplitMix64, at node: SimulatedNode) throws {
    let (id, day) = (Int64(1 + random.number(below: 8)), Day(number: 20_800 + Int32(random.number(below: 9))))
    try ask(
      node, "use", [.init("id", .integer(id)), .init("day", .integer(Int64(day.number)))]
    ) { ledger, _ in
      try TokenStore(ledger).note(uses: [id: day])
      return []
    }
  }

  /// Sends a body to a test inbox that is made for it.
  func tryInbox(_ number: Int, _ body: [UInt8], at node: SimulatedNode) throws {
    guard let (running, life) = node.running else { return }
    let which: [JSONOutput.Member] = [
      .init("node", .integer(Int64(node.number))), .init("number", .integer(Int64(number))),
    ]
    try ask(node, "inbox", which) { [history] ledger, now in
      let id = try TokenStore(ledger).add(.testInbox, name: "inbox-\(number)", token: "t\(number)", now: now)
      history.note("inbox-sent", which)
      running.intake.store(
        running.intake.judge(PostbackReading(body)), of: body, inInbox: id, quotaSource: "a"
      ) { result in
        guard !life.isOver, case .success = result else { return }
        history.note("inbox-stored", which)
      }
      return []
    }
  }

  /// Reports a purchase as the App Store does; what it says follows from its number alone.
  func reportPurchase(_ number: Int, at node: SimulatedNode) throws {
    try ask(node, "purchase", [.init("number", .integer(Int64(number)))]) { ledger, _ in
      guard let outcome = try ReportedPurchase(number).store(in: ledger) else { return [] }
      return [.init("counted", .bool(outcome != .repeated && outcome != .tooOld))]
    }
  }
}
