import Journal
import Testing

@Suite struct `A journal in memory` {
  @Test(arguments: JournalLaw.all) func `A journal in memory keeps a law of every engine`(
    law: JournalLaw
  ) throws {
    try law.check(.inMemory())
  }

  @Test func `A batch whose answer is lost is pending until it is sent again`() throws {
    let identity = try JournalIdentity.random()
    let journal = MemoryJournal(identity: identity)
    let (node, acknowledged) = (try node(1), Acknowledged())
    var appender = try JournalAppender(journal, node: node)
    let faults: [JournalFault?] = [.failsBefore, .failsAfter, .isLate(microseconds: 100), nil, .failsAfter]
    for (place, fault) in faults.enumerated() {
      journal.spoilAppends(fault.map { [$0] } ?? [])
      do throws(JournalError) {
        acknowledged.note(node, place + 1, try appender.append(content(node, place + 1)).position)
      } catch {
        #expect(appender.isPending == true)
        #expect(throws: JournalError.isPending(node: node)) { _ = try appender.append([1]) }
        acknowledged.note(node, place + 1, try #require(try appender.resend()).position)
      }
      #expect(appender.isPending == false)
      #expect(try appender.resend() == nil)
    }
    try acknowledged.expectAll(in: journal, identity)
    #expect(acknowledged.count == 5)
  }

  @Test
  func `A journal that lost a batch knows its node's number, also where the batches before were deleted`()
    throws
  {
    let journal = MemoryJournal(identity: try JournalIdentity.random())
    for (name, number) in [(1, 1), (2, 1), (1, 2)] {
      _ = try journal.append([1], node: node(name), number: BatchNumber(Int64(number)))
    }
    try journal.trim(before: JournalPosition(2), backedUpTo: JournalPosition(2))
    journal.loseNewest()
    #expect(try journal.newest(of: node(1))?.number == .first)
    #expect(try journal.append([2], node: node(1), number: BatchNumber(2)).position == JournalPosition(3))
  }

  @Test func `A journal that is cut answers nothing until it is whole again`() throws {
    let journal = MemoryJournal(identity: try JournalIdentity.random())
    journal.cut(true)
    #expect(throws: JournalError.self) { _ = try journal.ends() }
    #expect(throws: JournalError.self) { _ = try journal.read(after: .start, atMost: 1) }
    #expect(throws: JournalError.self) { _ = try journal.append([1], node: node(1), number: .first) }
    #expect(throws: JournalError.self) { _ = try JournalAppender(journal, node: node(1)) }
    journal.cut(false)
    #expect(try journal.append([1], node: node(1), number: .first).position == JournalPosition(1))
  }

  @Test
  func
    `A batch of one's own is followed without a reading, where none came between and the past is the same`()
    throws
  {
    let journal = MemoryJournal(identity: try .random())
    var own = try JournalAppender(journal, node: node(1))
    var other = try JournalAppender(journal, node: node(2))
    var follower = JournalFollower(journal, at: JournalPlace(start: try journal.ends().identity))
    let first = try own.append([1])
    #expect(try follower.take(first)?.place.position == JournalPosition(1))
    #expect(try follower.take(first) == nil)
    #expect(try follower.next(atMost: 9).isEmpty)
    _ = try other.append([2])
    let second = try own.append([3])
    #expect(try follower.take(second) == nil)
    #expect(try follower.next(atMost: 9).map(\.place.position.number) == [2, 3])
    let third = try own.append([4])
    var elsewhere = JournalFollower(
      journal,
      at: JournalPlace(
        identity: follower.place.identity, position: follower.place.position,
        chain: ChainDigest(start: follower.place.identity)), numbers: follower.numbers)
    #expect(throws: JournalError.diverged(at: JournalPosition(3))) { _ = try elsewhere.take(third) }
    #expect(try follower.take(third)?.place == placeAtEnd(of: journal))
  }

  /// The place that reading everything leads to.
  private func placeAtEnd(of journal: MemoryJournal) throws -> JournalPlace {
    var follower = JournalFollower(journal, at: JournalPlace(start: try journal.ends().identity))
    _ = try follower.next(atMost: 99)
    return follower.place
  }
}
