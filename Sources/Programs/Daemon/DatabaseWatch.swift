import Ledger
import System

/// Looks once a second whether the database's files are those that were opened and have what other nodes have, and logs what
/// became of them.
final class DatabaseWatch: Watch {
  private let ledger: PostbackLedger
  private let log: ServiceLog
  private let path: String
  private let known = Guarded(PostbackLedger.Files())
  private let knownDifferences = Guarded<Int64>(0)
  private let periodic = Periodic(everyMicroseconds: 1_000_000)

  init(_ ledger: PostbackLedger, of path: String, log: ServiceLog) {
    self.ledger = ledger
    self.path = path
    self.log = log
  }

  func start() throws(ThreadError) {
    try periodic.start { [self] in
      ledger.lookAtFiles()
      let statistics = ledger.statistics
      report(statistics.files)
      if let journal = statistics.journal { report(differences: journal.differences) }
    }
  }

  func stop() { periodic.stop() }

  /// Logs that another node has other figures, once for each that is found.
  private func report(differences count: Int64) {
    let before = knownDifferences.withLock { known in
      defer { known = count }
      return known
    }
    guard count > before else { return }
    let newest = try? LedgerReader(path: path).checkpointDifferences().first
    log.write(
      .error, "nodes-differ",
      [
        ("reason", .string(newest?.sentence ?? "this node and another one have different figures")),
        ("remedy", .string(CheckpointDifference.remedy)),
      ])
  }

  /// Logs what changed since the last call.
  func report(_ files: PostbackLedger.Files) {
    let before = known.withLock { known in
      defer { known = files }
      return known
    }
    if files.losses > before.losses || before.obstacle == nil && files.obstacle != nil {
      let error = files.obstacle ?? .moved
      var fields: [(String, ServiceLog.Value)] = [("reason", .string("\(error)"))]
      if let remedy = error.remedy { fields.append(("remedy", .string(remedy))) }
      log.write(.error, "database-files-lost", fields)
    }
    if files.obstacle == nil, before.obstacle != nil || files.losses > before.losses {
      log.write(.info, "database-files-reopened")
    }
  }
}
