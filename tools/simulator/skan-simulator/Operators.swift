import Daemon
import JSONText
import Ledger
import Postbacks
import System
import Values

/// People and programs that change what a node stores beside postbacks.
///
/// Each works on a thread of its own, and waits for one answer before the next question.
final class Operators: Sendable {
  let history: History
  let setting: Setting
  private let underWay = Guarded(0)

  init(_ setting: Setting) { (history, self.setting) = (setting.history, setting) }

  /// Whether someone waits for an answer still.
  var isWaiting: Bool { underWay.withLock { $0 > 0 } }

  /// Writes spend of one campaign on one day in place of what was there.
  func putSpend(_ number: Int, _ micros: Int64, at node: SimulatedNode) throws {
    try ask(node, "spend", [.init("campaign", .string("c\(number)")), .init("micros", .integer(micros))]) {
      ledger, _ in
      try ReferenceStore(ledger).put([
        SpendRow(
          day: Day(number: 20_000), network: "example123.skadnetwork", campaign: "c\(number)", app: nil,
          currency: "EUR", micros: micros)
      ])
      return []
    }
  }

  func addToken(_ number: Int, at node: SimulatedNode) throws {
    let name = "holder-\(number)"
    try ask(node, "token", [.init("name", .string(name))]) { ledger, now in
      let id = try TokenStore(ledger).add(.read, name: name, token: "token-\(number)", now: now)
      return [.init("id", .integer(id))]
    }
  }

  func revokeToken(_ id: Int64, at node: SimulatedNode) throws {
    try ask(node, "revocation", [.init("id", .integer(id))]) { ledger, now in
      [.init("held", .bool(try TokenStore(ledger).revoke(id, now: now)))]
    }
  }

  func addDraft(_ number: Int, at node: SimulatedNode) throws {
    let name = "draft-\(number)"
    try ask(node, "draft", [.init("name", .string(name))]) { ledger, now in
      guard let app = AppID(525_463_029) else { return [] }
      let outcome = try DraftStore(ledger).add(
        app: app, name: name, document: Array("{}".utf8), baseState: "", baseFrom: nil, by: "someone",
        now: now, atMost: 1000)
      if case .done = outcome { return [.init("done", .bool(true))] }
      return [.init("done", .bool(false))]
    }
  }

  /// Deletes old bodies, which are those of a minute ago in a short life.
  func prune(at node: SimulatedNode, olderThanSeconds seconds: Int64) throws {
    try ask(node, "prune", []) { ledger, now in
      let pruned = try ledger.prune(before: now + -seconds * 1000)
      return [.init("rejected", .integer(pruned.rejected)), .init("copies", .integer(pruned.copies))]
    }
  }

  /// Puts a file of mappings in place of the one that is there, by mistake in the folder of one node alone; one of four is wrong.
  func editMapping(_ number: Int, _ random: inout SplitMix64) throws {
    let app = [525_463_029, 1_176_027_022][number % 2]
    let isWrong = random.number(below: 4) == 0
    let text = """
      {"name":"m\(random.number(below: 1000))","app":\(app),"currency":"EUR","effective-from":"2020-01-01",
       "protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1}},\
      {"value":1,"revenue":{"from":1,"to":\(isWrong ? 0 : 3)}}]}
      """
    let isElsewhere = setting.hasOddMappings && random.number(below: 3) == 0
    let folder = isElsewhere ? setting.oddMappings : setting.mappings
    try SimulatedService.write(text, to: "\(folder)/m\(number % 2).json")
    history.note(
      isElsewhere ? "mapping-elsewhere" : "mapping",
      [
        .init("source", .string("m\(number % 2).json")), .init("wrong", .bool(isWrong)),
        .init("text", .string(text)),
      ])
  }

  /// Makes the folder of mappings that differs what the others are.
  func alignMappings() throws {
    guard setting.hasOddMappings else { return }
    let (odd, common) = (try Folder(setting.oddMappings), try Folder(setting.mappings))
    for file in try odd.files(endingWith: ".json") { try odd.remove(file.name) }
    for file in try common.files(endingWith: ".json") {
      let bytes = try FileReader.contents(of: "\(setting.mappings)/\(file.name)", limit: 1 << 20)
      try SimulatedService.write(
        String(decoding: bytes, as: UTF8.self), to: "\(setting.oddMappings)/\(file.name)")
    }
  }

  func ask(
    _ node: SimulatedNode, _ what: String, _ members: [JSONOutput.Member],
    _ work: @escaping @Sendable (PostbackLedger, Instant) throws -> [JSONOutput.Member]
  ) throws {
    guard let (running, life) = node.running else { return }
    underWay.withLock { $0 += 1 }
    let asked = [.init("node", .integer(Int64(node.number)))] + members
    history.note("\(what)-asked", asked)
    _ = try Worker { [self] in
      defer { underWay.withLock { $0 -= 1 } }
      do {
        let found = try work(running.ledger, node.clock())
        if !life.isOver { history.note("\(what)-done", asked + found) }
      } catch {
        if !life.isOver { history.note("\(what)-failed", asked + [.init("reason", .string("\(error)"))]) }
      }
    }
  }
}
