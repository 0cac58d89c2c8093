import Journal
import Testing

extension JournalLaw {
  private static func audit(_ tested: TestedJournal) throws -> JournalAudit.Findings {
    try JournalAudit.run(tested.open()) { content, _ in
      content == [13] ? "bad luck" : nil
    } didRead: { _, _ in
    }
  }

  /// Appends nine batches of two nodes and returns them.
  private static func fill(_ tested: TestedJournal) throws -> [JournalBatch] {
    let nodes = (try node(1), try node(2))
    var a = try JournalAppender(tested.open(), node: nodes.0)
    var b = try JournalAppender(tested.open(), node: nodes.1)
    for number in 1...9 {
      _ =
        number.isMultiple(of: 3)
        ? try b.append(content(nodes.1, number)) : try a.append(content(nodes.0, number))
    }
    return try tested.open().read(after: .start, atMost: 9).batches
  }

  static let audits = [
    JournalLaw("an audit of a sound journal reads all, also while it grows and once it is trimmed") {
      tested in
      #expect(try audit(tested) == JournalAudit.Findings())
      _ = try fill(tested)
      let all = try audit(tested)
      #expect(all.areSound && all.batches == 9 && all.unproven == 0)
      try tested.open().trim(before: JournalPosition(4), backedUpTo: JournalPosition(9))
      let rest = try audit(tested)
      #expect(rest.areSound && rest.batches == 6 && rest.unproven == 1)
    },
    JournalLaw("an audit names each batch whose bytes were changed, also where all nodes have applied them") {
      tested in
      let batches = try fill(tested)
      for (place, batch) in batches.enumerated() {
        var body = batch.body
        body[body.count - 1] ^= 1
        try tested.replaceBody(batch.position, body)
        let found = try audit(tested)
        #expect(found.faults.first?.position == batch.position, "batch \(place + 1)")
        #expect(Set(found.faults.map(\.position.number)) == [batch.position.number] && found.batches == 9)
        try tested.replaceBody(batch.position, batch.body)
      }
      #expect(try audit(tested).areSound)
    },
    JournalLaw("an audit finds batches that changed places, are missing, or have another digest") { tested in
      let batches = try fill(tested)
      try tested.replaceBody(JournalPosition(2), batches[3].body)
      try tested.replaceBody(JournalPosition(4), batches[1].body)
      #expect(Set(try audit(tested).faults.map(\.position.number)) == [2, 4])
      try tested.replaceBody(JournalPosition(2), batches[1].body)
      try tested.replaceBody(JournalPosition(4), batches[3].body)
      try tested.replaceChain(JournalPosition(5), batches[2].chain)
      #expect(Set(try audit(tested).faults.map(\.position.number)) == [5])
      try tested.replaceChain(JournalPosition(5), batches[4].chain)
      try tested.remove(JournalPosition(7))
      let found = try audit(tested)
      #expect(found.faults.first?.position == JournalPosition(7))
      #expect(found.faults.first?.reason == "the batch is missing")
      #expect(found.batches == 8 && found.unproven == 1)
      try tested.remove(JournalPosition(1))
      #expect(try audit(tested).faults.first?.position == JournalPosition(1))
    },
    JournalLaw("an audit finds what cannot be unpacked or read, although its digest is right") { tested in
      let (journal, a) = (tested.open(), try node(1))
      _ = try journal.append([9, 9], node: a, number: .first)
      var b = try JournalAppender(journal, node: node(2))
      _ = try b.append([13])
      _ = try b.append([14])
      let found = try audit(tested)
      #expect(found.faults.map(\.position.number) == [1, 2] && found.batches == 3)
      #expect(found.faults.last?.reason == "bad luck")
    },
    JournalLaw("a follower passes over a batch that cannot be unpacked, and over nothing else") { tested in
      let (journal, a) = (tested.open(), try node(1))
      var appender = try JournalAppender(journal, node: a)
      _ = try appender.append([1])
      _ = try journal.append([9, 9], node: a, number: BatchNumber(2))
      appender = try JournalAppender(journal, node: a)
      _ = try appender.append([3])
      var follower = JournalFollower(journal, at: JournalPlace(start: tested.identity))
      #expect(try follower.passOver() == nil)
      #expect(try follower.next(atMost: 1).map(\.content) == [[1]])
      #expect(throws: JournalError.unreadable(at: JournalPosition(2), .tooShort)) {
        _ = try follower.next(atMost: 9)
      }
      let passed = try #require(try follower.passOver())
      #expect(passed.defect == .tooShort && passed.batch.place.position == JournalPosition(2))
      #expect(try follower.passOver() == nil)
      #expect(try follower.next(atMost: 9).map(\.content) == [[3]])
      // One that was changed after it was appended is no such batch.
      try tested.replaceBody(JournalPosition(2), [8, 8])
      var other = JournalFollower(journal, at: JournalPlace(start: tested.identity))
      #expect(try other.next(atMost: 1).count == 1)
      #expect(throws: JournalError.self) { _ = try other.passOver() }
    },
  ]
}
