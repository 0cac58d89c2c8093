import Journal
import JSONText
import Ledger
import System

/// The operator's backups, and what the journal is deleted up to because of them.
final class Backups: Sendable {
  private struct State: Sendable {
    var made = 0
    /// The paths of those that are whole.
    var whole: [String] = []
  }

  private let folder: String
  private let history: History
  private let state = Guarded(State())

  init(_ history: History, in folder: String) { (self.history, self.folder) = (history, folder) }

  /// Copies a node's database while it runs.
  func make(of node: SimulatedNode) throws {
    guard let (_, life) = node.running else { return }
    let path = state.withLock { state in
      state.made += 1
      return "\(folder)/backup-\(state.made).db"
    }
    let which = [JSONOutput.Member("node", .integer(Int64(node.number)))]
    _ = try Worker { [self] in
      do {
        try LedgerUpkeep(path: node.database).copy(to: path)
        guard !life.isOver else { return }
        history.note("backup", which)
        state.withLock { $0.whole.append(path) }
      } catch {
        history.note("no-backup", which)
      }
    }
  }

  /// Deletes the part of the journal that the newest backup has, as `skan journal trim` does.
  func trim(_ journal: JournalPair) throws {
    // A batch in doubt can be lost with the primary, and then the backup is of another past.
    guard journal.doubtful == 0, let (_, place) = newest(of: journal) else { return }
    try journal.trim(before: min(place.position.next, journal.ends().last), backedUpTo: place.position)
    history.note("trimmed", [.init("to", .integer(place.position.number))])
  }

  /// The backup of the journal's past that has most of it: a node that is behind makes one that is newer and has less.
  private func newest(of journal: JournalPair) -> (path: String, place: JournalPlace)? {
    state.withLock { $0.whole }.compactMap { path in
      guard let place = try? LedgerReader(path: path).journalPlace(), journal.has(place) else { return nil }
      return (path, place)
    }.max { $0.place.position < $1.place.position }
  }

  /// Puts the newest backup in place of a node's database, where there is one; the node has to be down.
  func restore(_ node: SimulatedNode) throws {
    guard let journal = node.setting.journal, let (path, _) = newest(of: journal) else { return }
    try node.forget()
    let file = try AtomicFile(node.database, mode: 0o600)
    try file.write(try FileReader.contents(of: path, limit: 1 << 30))
    try file.commit()
    history.note("restored", [.init("node", .integer(Int64(node.number)))])
  }
}
