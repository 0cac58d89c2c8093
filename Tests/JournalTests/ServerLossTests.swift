import Journal
import PostgreSQL
import System
import TestSupport
import Testing

/// A server that tests crash, one after the other.
private let cluster = Result { try PostgreSQLCluster() }

@Suite(.serialized, .enabled(if: PostgreSQLCluster.missing == nil, "PostgreSQL is not installed"))
struct `The loss of a server` {
  @Test func `Every acknowledged batch is there once after three crashes under load`() throws {
    let cluster = try cluster.get()
    let address = try JournalDatabase.make(on: cluster)
    let identity = try JournalSetup.run(address)
    let (acknowledged, isOver) = (Acknowledged(), Guarded(false))
    let operations = try Worker {
      for _ in 0..<3 {
        rest(microseconds: 200_000)
        cluster.crash()
        cluster.start()
      }
      rest(microseconds: 100_000)
      isOver.withLock { $0 = true }
    }
    try onThreads(3) { number in
      let node = try node(number)
      let journal = PostgreSQLJournal(address, patience: .seconds(60))
      var appender = try JournalAppender(journal, node: node)
      var number = 1
      while !isOver.withLock({ $0 }) {
        acknowledged.note(node, number, try appender.append(content(node, number)).position)
        number += 1
      }
    }
    operations.join()
    #expect(acknowledged.count > 20)
    try acknowledged.expectAll(in: PostgreSQLJournal(address, patience: .seconds(60)), identity)
  }

  @Test func `A cancelled wait for the standby is no acknowledgement`() throws {
    let cluster = try cluster.get()
    let address = try JournalDatabase.make(on: cluster)
    let identity = try JournalSetup.run(address)
    let node = try node(1)
    let operations = try PostgreSQLConnection(address)
    func requireStandby(_ isRequired: Bool) throws {
      try operations.execute("ALTER SYSTEM SET synchronous_standby_names = '\(isRequired ? "gone" : "")'")
      _ = try operations.query("SELECT pg_reload_conf()")
    }
    /// Waits until an append waits for the standby, and returns its session.
    func waiting() throws -> Int64? {
      for _ in 0..<200 {
        let answer = try operations.query(
          """
          SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'SyncRep' AND query LIKE '%append%'
          """)
        if let row = answer.rows.first { return try row.integer(0) }
        rest(microseconds: 10_000)
      }
      return nil
    }
    let journal = PostgreSQLJournal(address, patience: .seconds(60))
    let (acknowledged, isOver) = (Acknowledged(), Guarded(false))
    let worker = try Worker {
      guard var appender = try? JournalAppender(journal, node: node) else { return }
      var number = 1
      while !isOver.withLock({ $0 }), let position = try? appender.append(content(node, number)).position {
        acknowledged.note(node, number, position)
        number += 1
      }
    }
    try requireStandby(true)
    _ = try #require(try waiting())
    let count = acknowledged.count
    for _ in 0..<2 {
      let session = try #require(try waiting())
      _ = try operations.query("SELECT pg_cancel_backend($1::int8::int4)", [.integer(session)])
      rest(microseconds: 50_000)
      #expect(acknowledged.count == count, "success with a warning is not enough")
    }
    #expect(try waiting() != nil)
    isOver.withLock { $0 = true }
    try requireStandby(false)
    worker.join()
    #expect(acknowledged.count == count + 1)
    try acknowledged.expectAll(in: journal, identity)
  }
}
