import Journal
import Testing

/// A law of every engine.
struct JournalLaw: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable (TestedJournal) throws -> Void

  init(_ sentence: String, _ check: @escaping @Sendable (TestedJournal) throws -> Void) {
    testDescription = sentence
    self.check = check
  }

  static let all = following + audits

  private static let following = [
    JournalLaw("four nodes at once leave one order without gaps") { tested in
      let acknowledged = Acknowledged()
      try onThreads(4) { number in
        let node = try node(number)
        var appender = try JournalAppender(tested.open(), node: node)
        for number in 1...25 {
          acknowledged.note(node, number, try appender.append(content(node, number)).position)
        }
      }
      #expect(acknowledged.count == 100)
      try acknowledged.expectAll(in: tested.open(), tested.identity)
    },
    JournalLaw("a batch that is sent again has its position and is stored once") { tested in
      let journal = tested.open()
      let (a, b) = (try node(1), try node(2))
      let batch: [UInt8] = [1, 2, 3]
      #expect(try journal.append(batch, node: a, number: .first).position == JournalPosition(1))
      #expect(try journal.append([4], node: b, number: .first).position == JournalPosition(2))
      for _ in 0..<3 {
        #expect(try tested.open().append(batch, node: a, number: .first).position == JournalPosition(1))
      }
      #expect(try journal.ends().last == JournalPosition(2))
      #expect(try journal.newest(of: a) == NodeProgress(number: .first, position: JournalPosition(1)))
      #expect(try journal.newest(of: node(3)) == nil)
    },
    JournalLaw("a second process with a node's name stops") { tested in
      let node = try node(1)
      var first = try JournalAppender(tested.open(), node: node)
      _ = try first.append(content(node, 1))
      var second = try JournalAppender(tested.open(), node: node)
      _ = try first.append(content(node, 2))
      // The same number with other bytes must not look like a batch that was sent again.
      let taken = JournalError.nodeIsTaken(node, newest: BatchNumber(2), sent: BatchNumber(2))
      #expect(throws: taken) { _ = try second.append([9]) }
      #expect(throws: taken) { _ = try second.resend() }
      _ = try first.append(content(node, 3))
      for number in [0, 1, 2, 5] {
        #expect(
          throws: JournalError.nodeIsTaken(node, newest: BatchNumber(3), sent: BatchNumber(Int64(number)))
        ) { _ = try tested.open().append([9], node: node, number: BatchNumber(Int64(number))) }
      }
      #expect(try tested.open().ends().last == JournalPosition(3))
    },
    JournalLaw("a follower continues from each place with the same chain") { tested in
      let node = try node(1)
      var appender = try JournalAppender(tested.open(), node: node)
      for number in 1...9 { _ = try appender.append(content(node, number)) }
      var whole = JournalFollower(tested.open(), at: JournalPlace(start: tested.identity))
      let all = try whole.next(atMost: 100)
      #expect(all.map(\.content) == (1...9).map { content(node, $0) })
      #expect(try whole.next(atMost: 100).isEmpty)
      for count in 1...9 {
        let stored = all[count - 1]
        var rest = JournalFollower(tested.open(), at: stored.place, numbers: [node: stored.number])
        #expect(try rest.next(atMost: 100) == Array(all[count...]))
        #expect(rest.place == whole.place && rest.numbers == whole.numbers)
      }
      let ends = try tested.open().ends()
      #expect(ends.chain == whole.place.chain && ends.last == whole.place.position)
    },
    JournalLaw("a follower skips a batch that its node has followed before") { tested in
      let node = try node(1)
      var appender = try JournalAppender(tested.open(), node: node)
      for number in 1...3 { _ = try appender.append(content(node, number)) }
      var follower = JournalFollower(
        tested.open(), at: JournalPlace(start: tested.identity), numbers: [node: BatchNumber(2)])
      #expect(try follower.next(atMost: 9).map { $0.content != nil } == [false, false, true])
    },
    JournalLaw("a changed batch breaks the chain") { tested in
      let node = try node(1)
      var appender = try JournalAppender(tested.open(), node: node)
      for number in 1...3 { _ = try appender.append(content(node, number)) }
      try tested.replaceBody(JournalPosition(2), try BatchPacker().pack(content(node, 9)))
      var follower = JournalFollower(tested.open(), at: JournalPlace(start: tested.identity))
      #expect(try follower.next(atMost: 1).count == 1)
      let error = #expect(throws: JournalError.self) { _ = try follower.next(atMost: 9) }
      guard case .broken(JournalPosition(2), _) = error else {
        Issue.record("the error is \(String(describing: error))")
        return
      }
    },
    JournalLaw("a batch that this program cannot read ends the following there") { tested in
      _ = try tested.open().append([2, 0, 0], node: node(1), number: .first)
      _ = try tested.open().append([2, 0, 0, 0, 0, 0], node: node(1), number: BatchNumber(2))
      var follower = JournalFollower(tested.open(), at: JournalPlace(start: tested.identity))
      #expect(throws: JournalError.unreadable(at: JournalPosition(1), .tooShort)) {
        _ = try follower.next(atMost: 9)
      }
      #expect(follower.place.position == .start)
    },
    JournalLaw("a follower notices that the journal lost what it followed") { tested in
      let node = try node(1)
      var appender = try JournalAppender(tested.open(), node: node)
      for number in 1...3 { _ = try appender.append(content(node, number)) }
      var follower = JournalFollower(tested.open(), at: JournalPlace(start: tested.identity))
      #expect(try follower.next(atMost: 9).count == 3)
      try tested.loseNewest()
      let behind = JournalError.serverIsBehind(place: JournalPosition(3), last: JournalPosition(2))
      #expect(throws: behind) { _ = try follower.next(atMost: 9) }
      var other = try JournalAppender(tested.open(), node: node)
      _ = try other.append([7])
      #expect(throws: JournalError.diverged(at: JournalPosition(3))) { _ = try follower.next(atMost: 9) }
      _ = try other.append([8])
      #expect(throws: JournalError.diverged(at: JournalPosition(3))) { _ = try follower.next(atMost: 9) }
    },
    JournalLaw("a follower of another journal stops") { tested in
      let other = try JournalIdentity.random()
      var follower = JournalFollower(tested.open(), at: JournalPlace(start: other))
      #expect(throws: JournalError.otherJournal(found: tested.identity, expected: other)) {
        _ = try follower.next(atMost: 9)
      }
    },
    JournalLaw("a trim passes neither the oldest backup nor the newest batch") { tested in
      let journal = tested.open()
      let node = try node(1)
      try journal.trim(before: JournalPosition(1), backedUpTo: .start)
      var appender = try JournalAppender(journal, node: node)
      for number in 1...9 { _ = try appender.append(content(node, number)) }
      var follower = JournalFollower(journal, at: JournalPlace(start: tested.identity))
      let all = try follower.next(atMost: 9)
      let backup = JournalPosition(5)
      #expect(throws: JournalError.neededByBackup(position: JournalPosition(7), backup: backup)) {
        try journal.trim(before: JournalPosition(7), backedUpTo: backup)
      }
      #expect(throws: JournalError.trimsNewest(position: JournalPosition(10), last: JournalPosition(9))) {
        try journal.trim(before: JournalPosition(10), backedUpTo: JournalPosition(9))
      }
      #expect(try journal.ends().first == JournalPosition(1))
      for _ in 0..<2 {
        try journal.trim(before: JournalPosition(6), backedUpTo: backup)
        #expect(try journal.ends().first == JournalPosition(6))
        #expect(try journal.ends().last == JournalPosition(9))
      }
      try journal.trim(before: JournalPosition(2), backedUpTo: backup)
      #expect(try journal.ends().first == JournalPosition(6))

      // The backup continues where the deleted batches end; what is older can't.
      var restored = JournalFollower(journal, at: all[4].place, numbers: [node: BatchNumber(5)])
      #expect(try restored.next(atMost: 9) == Array(all[5...]))
      var older = JournalFollower(journal, at: all[3].place)
      #expect(throws: JournalError.deleted(after: JournalPosition(4), first: JournalPosition(6))) {
        _ = try older.next(atMost: 9)
      }
      // Without its own batch, the next one proves the place.
      let wrong = JournalPlace(identity: tested.identity, position: backup, chain: all[0].place.chain)
      var strange = JournalFollower(journal, at: wrong)
      #expect(throws: JournalError.diverged(at: backup)) { _ = try strange.next(atMost: 9) }
      #expect(try appender.append([1]).position == JournalPosition(10))
    },
    JournalLaw("a batch has at least one byte and at most the longest batch") { tested in
      let (journal, most) = (tested.open(), BatchEnvelope.longestBatch)
      for count in [0, most + 1] {
        #expect(throws: JournalError.badLength(bytes: count, most: most)) {
          _ = try journal.append([UInt8](repeating: 1, count: count), node: node(1), number: .first)
        }
      }
      let ends = try journal.ends()
      #expect(ends.last == .start && ends.first == JournalPosition(1))
    },
  ]
}
