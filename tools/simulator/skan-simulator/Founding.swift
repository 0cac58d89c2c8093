import JSONText
import Journal
import Ledger
import System
import Values

/// How an operator begins a journal with a database that has postbacks, and mends one that has a batch no node can read.
struct Founding {
  private let history: History
  private let now: Instant
  private let first: String
  private let second: String
  private let journal: MemoryJournal

  init(_ node: SimulatedNode) throws {
    history = node.setting.history
    now = node.clock()
    let folder = node.setting.folder + "/founding"
    _ = try Folder(making: folder)
    (first, second) = (folder + "/first.db", folder + "/second.db")
    journal = MemoryJournal(identity: try .random())
    try LedgerUpkeep(path: node.database).copy(to: first)
    try JournalMembership.end(of: first)
  }

  func work() throws {
    let begun = try JournalMembership.begin(journal, with: first)
    let again = try JournalMembership.begin(journal, with: first)
    note("the journal begins with the database, once", begun != nil && again == nil)
    try LedgerUpkeep(path: first).copy(to: second)
    try addToken("a", to: first)
    try addToken("b", to: second)
    // An answer that is lost: the node finds its own batch in the journal.
    journal.spoilAppends([.failsAfter])
    note("an append without an answer fails", (try? addToken("a", to: first)) == nil)
    try addToken("a", to: first)
    try addToken("b", to: second)
    try FollowingProspect.require(LedgerReader(path: first), of: journal)
    note("both have the tokens of both", try tokens(first) >= 4)
    try skipUnreadable()
    note("an audit finds the batch that was skipped", try audit().faulty == 1)
    journal.cut(true)
    note("nothing is written while the journal is cut", (try? addToken("a", to: first)) == nil)
    journal.cut(false)
    try addToken("a", to: first)
    try addToken("b", to: second)
    try addToken("a", to: first)
    note("all are together again", try tokens(first) == tokens(second) + 1)
    try LedgerUpkeep(path: second).copy(to: second + "-copy")
    let rebuilt = LedgerRebuild(path: second)
    note("a recount finds nothing", try rebuilt.check().areEqual)
    try spoil()
  }

  /// Spoils one batch after the other, as damaged disks would; an audit has to name each.
  private func spoil() throws {
    let other = ChainDigest(bytes: [UInt8](repeating: 1, count: 32))
    let damages: [(what: String, spoil: (JournalPosition) -> Void)] = [
      ("other bytes", { journal.replaceBody(at: $0, with: [1]) }),
      ("another digest", { if let other { journal.replaceChain(at: $0, with: other) } }),
      ("a missing batch", { journal.remove(at: $0) }),
    ]
    for (number, damage) in damages.enumerated() {
      let position = JournalPosition(Int64(2 + 2 * number))
      damage.spoil(position)
      let found = try audit()
      note("an audit finds \(damage.what)", found.faults.contains { $0.position >= position })
      note("and as many faults as were made", found.faulty > number)
    }
  }

  private func skipUnreadable() throws {
    guard let stranger = NodeName("stranger"), let name = NodeName("a") else { return }
    var settings = LedgerSettings()
    settings.journal = LedgerJournal(journal, as: name)
    // As a daemon has, which looks all the time.
    _ = try LedgerWriter(path: first, settings: settings).follow()
    let position = try journal.append([1, 2, 3], node: stranger, number: .first).position
    note("a node stops before a batch that it cannot read", (try? addToken("a", to: first)) == nil)
    for path in [first, second] {
      let passed = try JournalMembership.skip(position, of: journal, in: path)
      note("an operator passes over it", passed != nil)
      note("and over no other", try JournalMembership.skip(position, of: journal, in: path) == nil)
      note("which the database remembers", try LedgerReader(path: path).unappliedChanges() > 0)
    }
  }

  private func audit() throws -> JournalAudit.Findings {
    try JournalAudit.run(journal, examine: { AnyChange.defect(in: $0, at: $1) }, didRead: { _, _ in })
  }

  private func addToken(_ node: String, to path: String) throws {
    guard let name = NodeName(node) else { return }
    let file = try LedgerFile(path: path, journal: LedgerJournal(journal, as: name))
    let number = try journal.ends().last.number
    _ = try TokenStore(file).add(.read, name: "founder", token: "founder-\(number)", now: now)
  }

  private func tokens(_ path: String) throws -> Int {
    try LedgerReader(path: path).tokens().filter { $0.name == "founder" }.count
  }

  private func note(_ sentence: String, _ holds: Bool) {
    history.note("holds", [.init("sentence", .string(sentence)), .init("so", .bool(holds))])
  }
}
