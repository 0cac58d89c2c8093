import Journal
import PostgreSQL
import System
import TestSupport
import Testing

/// A fresh journal of one engine, and what tests do to it.
struct TestedJournal: Sendable {
  let identity: JournalIdentity
  /// Opens it once more, as another process would.
  let open: @Sendable () -> any Journal
  /// Puts other bytes into a stored batch.
  let replaceBody: @Sendable (JournalPosition, [UInt8]) throws -> Void
  /// Puts another digest beside a stored batch.
  let replaceChain: @Sendable (JournalPosition, ChainDigest) throws -> Void
  /// Takes a stored batch away.
  let remove: @Sendable (JournalPosition) throws -> Void
  /// Forgets the newest batch, as a server that fails before its standby has it.
  let loseNewest: @Sendable () throws -> Void

  static func inMemory() throws -> TestedJournal {
    let journal = MemoryJournal(identity: try JournalIdentity.random())
    return TestedJournal(
      identity: try journal.ends().identity, open: { journal },
      replaceBody: { position, body in journal.replaceBody(at: position, with: body) },
      replaceChain: { position, chain in journal.replaceChain(at: position, with: chain) },
      remove: { position in journal.remove(at: position) },
      loseNewest: { journal.loseNewest() })
  }

  static func inPostgreSQL() throws -> TestedJournal {
    let address = try JournalDatabase.make(on: .shared())
    return TestedJournal(
      identity: try JournalSetup.run(address),
      open: { PostgreSQLJournal(address, patience: .seconds(60)) },
      replaceBody: { position, body in
        _ = try PostgreSQLConnection(address).query(
          "UPDATE skan_journal.batch SET body = $2 WHERE position = $1",
          [.integer(position.number), .bytes(body)])
      },
      replaceChain: { position, chain in
        _ = try PostgreSQLConnection(address).query(
          "UPDATE skan_journal.batch SET chain = $2 WHERE position = $1",
          [.integer(position.number), .bytes(chain.bytes)])
      },
      remove: { position in
        _ = try PostgreSQLConnection(address).query(
          "DELETE FROM skan_journal.batch WHERE position = $1", [.integer(position.number)])
      },
      loseNewest: {
        try PostgreSQLConnection(address).execute(
          """
          DELETE FROM skan_journal.batch WHERE position = (SELECT position FROM skan_journal.head);
          UPDATE skan_journal.head h SET position = b.position, chain = b.chain FROM skan_journal.batch b
            WHERE b.position = h.position - 1;
          UPDATE skan_journal.node n SET number = b.number, position = b.position, digest = sha256(b.body)
            FROM skan_journal.batch b, skan_journal.head h WHERE b.position = h.position AND n.name = b.node;
          """)
      })
  }
}

/// Databases of tests.
enum JournalDatabase {
  /// Makes an empty database and returns its address.
  static func make(on cluster: PostgreSQLCluster) throws -> String {
    let name = cluster.freshName()
    try PostgreSQLConnection(cluster.address(of: "postgres")).execute(
      "CREATE DATABASE \(name) TEMPLATE template0")
    return cluster.address(of: name)
  }
}

/// The names of the nodes of tests.
func node(_ number: Int) throws -> NodeName { try #require(NodeName("node-\(number)")) }

/// The content of a node's batch.
func content(_ node: NodeName, _ number: Int) -> [UInt8] { Array("\(node) sends batch \(number)".utf8) }

/// Runs work on several threads and throws what the first of them threw.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
  let failure = Guarded<(any Error)?>(nil)
  let workers = try (0..<count).map { number in
    try Worker {
      do { try work(number) } catch { failure.withLock { $0 = $0 ?? error } }
    }
  }
  for worker in workers { worker.join() }
  if let failure = failure.withLock({ $0 }) { throw failure }
}

/// What nodes know to be in a journal: the position of each batch, by node and number.
final class Acknowledged: Sendable {
  struct Key: Hashable { let node: NodeName, number: Int }

  private let positions = Guarded<[Key: JournalPosition]>([:])

  func note(_ node: NodeName, _ number: Int, _ position: JournalPosition) {
    positions.withLock { $0[Key(node: node, number: number)] = position }
  }

  var count: Int { positions.withLock { $0.count } }

  /// Follows a journal from its start and expects all that was acknowledged once, at its place, in the order of each node.
  func expectAll(in journal: any Journal, _ identity: JournalIdentity, atMostMore: Int = 0) throws {
    var follower = JournalFollower(journal, at: JournalPlace(start: identity))
    var found: [Key: JournalPosition] = [:]
    var newest: [NodeName: Int] = [:]
    var last = JournalPosition.start
    while case let batches = try follower.next(atMost: 7), !batches.isEmpty {
      for batch in batches {
        #expect(batch.place.position == last.next, "positions have no gap")
        last = batch.place.position
        let number = Int(batch.number.number)
        #expect(number == newest[batch.node, default: 0] + 1, "a node's batches have its order")
        newest[batch.node] = number
        #expect(batch.content == content(batch.node, number))
        found[Key(node: batch.node, number: number)] = batch.place.position
      }
    }
    let known = positions.withLock { $0 }
    for (key, position) in known where found[key] != position {
      Issue.record("batch \(key.number) of \(key.node) is not at \(position)")
    }
    #expect(found.count - known.count <= atMostMore && found.count >= known.count)
    #expect(try journal.ends().last == last && follower.last == last)
  }
}
