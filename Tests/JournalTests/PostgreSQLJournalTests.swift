import Journal
import PostgreSQL
import System
import TestSupport
import Testing

@Suite(.enabled(if: PostgreSQLCluster.missing == nil, "PostgreSQL is not installed"))
struct `A journal in PostgreSQL` {
  @Test(arguments: JournalLaw.all) func `A journal in PostgreSQL keeps a law of every engine`(
    law: JournalLaw
  ) throws {
    try law.check(.inPostgreSQL())
  }

  @Test func `A reading ends after some megabytes, and the next one continues`() throws {
    let tested = try TestedJournal.inPostgreSQL()
    let journal = tested.open()
    let large = [UInt8](repeating: 7, count: 17 << 20)
    for number in 1...3 { _ = try journal.append(large, node: node(1), number: BatchNumber(Int64(number))) }
    #expect(
      try journal.read(after: .start, atMost: 9).batches.map(\.body.count) == [large.count, large.count])
    let rest = try journal.read(after: JournalPosition(2), atMost: 9)
    #expect(rest.batches.map(\.position) == [JournalPosition(3)] && rest.chain != nil)
    #expect(try journal.read(after: .start, atMost: 1).batches.count == 1)
  }

  @Test func `Connections that the server ends or cancels lose no batch and store none twice`() throws {
    let address = try JournalDatabase.make(on: .shared())
    let identity = try JournalSetup.run(address)
    let (acknowledged, isOver) = (Acknowledged(), Guarded(false))
    let killer = try Worker {
      for round in 0..<30 {
        let function = round.isMultiple(of: 2) ? "pg_terminate_backend" : "pg_cancel_backend"
        _ = try? PostgreSQLConnection(address).query(
          """
          SELECT \(function)(pid), pg_sleep(0.01) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """)
      }
      isOver.withLock { $0 = true }
    }
    try onThreads(3) { number in
      let node = try node(number)
      var appender = try JournalAppender(PostgreSQLJournal(address, patience: .seconds(60)), node: node)
      var number = 1
      while !isOver.withLock({ $0 }) {
        acknowledged.note(node, number, try appender.append(content(node, number)).position)
        number += 1
      }
    }
    killer.join()
    #expect(acknowledged.count > 20)
    try acknowledged.expectAll(in: PostgreSQLJournal(address, patience: .seconds(60)), identity)
  }

  @Test func `An append that waits for a lock for too long is done once when it is sent again`() throws {
    let address = try JournalDatabase.make(on: .shared())
    let identity = try JournalSetup.run(address)
    let (node, acknowledged) = (try node(1), Acknowledged())
    let journal = PostgreSQLJournal(address, patience: .milliseconds(300))
    var appender = try JournalAppender(journal, node: node)
    acknowledged.note(node, 1, try appender.append(content(node, 1)).position)
    let holder = try PostgreSQLConnection(address)
    try holder.execute("BEGIN; SELECT * FROM skan_journal.head FOR UPDATE")
    let error = #expect(throws: JournalError.self) { _ = try appender.append(content(node, 2)) }
    guard case .unavailable = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
    // Reading does not wait for an append.
    #expect(try PostgreSQLJournal(address, patience: .seconds(60)).ends().last == JournalPosition(1))
    try holder.execute("COMMIT")
    var position: JournalPosition?
    for _ in 0..<100 where position == nil { position = try? appender.resend()?.position }
    acknowledged.note(node, 2, try #require(position))
    try acknowledged.expectAll(in: PostgreSQLJournal(address, patience: .seconds(60)), identity)
  }

  @Test func `A node is not ahead of the server that it reads from, although its append has the chain`()
    throws
  {
    let address = try JournalDatabase.make(on: .shared())
    let identity = try JournalSetup.run(address)
    for elsewhere in [nil, address] {
      let journal = PostgreSQLJournal(address, readingFrom: elsewhere)
      var follower = JournalFollower(journal, at: JournalPlace(start: identity))
      _ = try follower.next(atMost: 9)
      var appender = try JournalAppender(journal, node: node(1))
      let batch = try appender.append([1])
      #expect(try (follower.take(batch) == nil) == (elsewhere != nil))
    }
  }

  @Test func `A node reads from another server than it appends to`() throws {
    let address = try JournalDatabase.make(on: .shared())
    let identity = try JournalSetup.run(address)
    let elsewhere = try JournalDatabase.make(on: .shared())
    let other = try JournalSetup.run(elsewhere)
    let nowhere = "host=/nowhere dbname=a"
    let (short, long) = (Duration.milliseconds(50), Duration.seconds(60))
    let reader = PostgreSQLJournal(nowhere, readingFrom: address, patience: long)
    #expect(try reader.ends().identity == identity)
    let writer = PostgreSQLJournal(address, readingFrom: nowhere, patience: short)
    #expect(throws: JournalError.self) { _ = try writer.ends() }
    // Both lead to one journal, or the second that is asked is not used.
    let mixed = PostgreSQLJournal(address, readingFrom: elsewhere, patience: long)
    #expect(try mixed.append([1], node: node(1), number: .first).position == JournalPosition(1))
    #expect(throws: JournalError.otherJournal(found: other, expected: identity)) { _ = try mixed.ends() }
  }

  @Test func `A batch of a session without durable commits is durable all the same`() throws {
    let address = try JournalDatabase.make(on: .shared())
    let identity = try JournalSetup.run(address)
    let connection = try PostgreSQLConnection(address)
    for (level, kept) in [("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")] {
      try connection.execute("BEGIN; SET LOCAL synchronous_commit = \(level)")
      let place = identity.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      _ = try connection.query(
        "SELECT at FROM skan_journal.append('\(place)', 'a', 1, '\\x01')")
      #expect(try connection.query("SHOW synchronous_commit").firstRow().text(0) == kept)
      try connection.execute("ROLLBACK")
    }
  }

  @Test func `A damaged name of a node is a fault of an audit, and no server that does not answer`() throws {
    let address = try JournalDatabase.make(on: .shared())
    _ = try JournalSetup.run(address)
    let journal = PostgreSQLJournal(address, patience: .seconds(60))
    var appender = try JournalAppender(journal, node: node(1))
    for number in 1...3 { _ = try appender.append([UInt8(number)]) }
    func faults(after change: String) throws -> [Int64] {
      try PostgreSQLConnection(address).execute(change)
      return try JournalAudit.run(journal, examine: { _, _ in nil }, didRead: { _, _ in }).faults.map(
        \.position.number)
    }
    let found = try faults(after: "UPDATE skan_journal.batch SET node = 'node!' WHERE position = 2")
    #expect(found.first == 2)
    let restored = "UPDATE skan_journal.batch SET node = 'node-1' WHERE position = 2"
    #expect(try faults(after: restored).isEmpty)
    #expect(try !faults(after: "UPDATE skan_journal.node SET name = 'node!'").isEmpty)
  }

  @Test func `A journal is not used in place of another one`() throws {
    let address = try JournalDatabase.make(on: .shared())
    let found = try JournalSetup.run(address)
    let expected = try JournalIdentity.random()
    let journal = PostgreSQLJournal(address, identity: expected)
    let error = JournalError.otherJournal(found: found, expected: expected)
    #expect(throws: error) { _ = try journal.append([1], node: node(1), number: .first) }
    #expect(throws: error) { _ = try journal.ends() }
    // The journal may be replaced below an open connection.
    let open = PostgreSQLJournal(address)
    _ = try open.append([1], node: node(1), number: .first)
    try PostgreSQLConnection(address).execute("DROP SCHEMA skan_journal CASCADE")
    let fresh = try JournalSetup.run(address)
    #expect(throws: JournalError.otherJournal(found: fresh, expected: found)) {
      _ = try open.append([1], node: node(2), number: .first)
    }
  }
}

@Suite(.enabled(if: PostgreSQLCluster.missing == nil, "PostgreSQL is not installed"))
struct `Setting a journal up` {
  @Test func `Setting a journal up twice, or at once, gives one journal`() throws {
    let address = try JournalDatabase.make(on: .shared())
    let found = Guarded<Set<JournalIdentity>>([])
    try onThreads(4) { _ in
      let identity = try JournalSetup.run(address)
      found.withLock { _ = $0.insert(identity) }
    }
    #expect(found.withLock { $0.count } == 1)
    #expect(try found.withLock { $0.first } == JournalSetup.run(address))
    #expect(try PostgreSQLJournal(address).ends().identity == JournalSetup.run(address))
  }

  @Test func `Setting a journal up leaves a schema of something else as it is`() throws {
    let address = try JournalDatabase.make(on: .shared())
    let connection = try PostgreSQLConnection(address)
    for foreign in ["", "CREATE TABLE skan_journal.about (one text);"] {
      try connection.execute("CREATE SCHEMA skan_journal; \(foreign)")
      #expect(throws: JournalError.foreignSchema) { _ = try JournalSetup.run(address) }
      #expect(throws: JournalError.notSetUp) { _ = try PostgreSQLJournal(address).ends() }
      try connection.execute("DROP SCHEMA skan_journal CASCADE")
    }
    #expect(throws: JournalError.notSetUp) { _ = try PostgreSQLJournal(address).ends() }
  }

  @Test func `A journal of a newer program is not used`() throws {
    let address = try JournalDatabase.make(on: .shared())
    _ = try JournalSetup.run(address)
    try PostgreSQLConnection(address).execute("UPDATE skan_journal.about SET layout = 7")
    let error = JournalError.newerLayout(found: 7, known: 1)
    #expect(throws: error) { _ = try JournalSetup.run(address) }
    #expect(throws: error) { _ = try PostgreSQLJournal(address).ends() }
  }

  @Test func `A server that does not run makes a journal unavailable, not different`() throws {
    let journal = PostgreSQLJournal("host=/nowhere dbname=postgres", patience: .milliseconds(50))
    let error = #expect(throws: JournalError.self) { _ = try journal.ends() }
    guard case .unavailable = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
  }
}
