import Ledger
import Service
import System

/// Looks once a second whether the database's files are those that were opened, and logs what became of them.
final class DatabaseWatch: Watch {
  private let ledger: PostbackLedger
  private let log: ServiceLog
  private let known = Guarded(PostbackLedger.Files())
  private let periodic = Periodic(everyMicroseconds: 1_000_000)

  init(_ ledger: PostbackLedger, log: ServiceLog) {
    self.ledger = ledger
    self.log = log
  }

  func start() throws(ThreadError) {
    try periodic.start { [self] in
      ledger.lookAtFiles()
      report(ledger.statistics.files)
    }
  }

  func stop() { periodic.stop() }

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
