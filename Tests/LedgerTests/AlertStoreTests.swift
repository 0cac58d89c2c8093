@testable import Ledger
import PostbackFixtures
import Testing
import Values

struct `Arrivals by the hour` {
  @Test func `Arrivals by the hour count every body by its route and verdict`() throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path)
    let copy = Origin(.advertiserCopy)
    let forwarded = Origin(.forwarded, name: "acme")
    _ = try writer.commit([
      valid("a"), valid("b"), valid("a", origin: forwarded),
      valid("b", value: .absent, origin: forwarded), rejected("c"), rejected("d"),
    ])
    _ = try writer.commit([valid("e", at: noon + 3_600_000), valid("e", at: noon + 3_600_000)])
    let hours = try LedgerReader(path: scratch.path).arrivals(fromHour: 0)
    let first = noon.milliseconds / 3_600_000
    func hour(_ hour: Int64, _ origin: Origin, isValid: Bool = true) -> ArrivalCount? {
      hours.first { $0.hour == hour && $0.origin == origin && ($0.network != nil) == isValid }?.count
    }
    #expect(hours.count == 4)
    #expect(hour(first, copy) == ArrivalCount(first: 2))
    #expect(hour(first, forwarded) == ArrivalCount(repeated: 1, conflicting: 1))
    #expect(hour(first, copy, isValid: false) == ArrivalCount(rejected: 2))
    #expect(hour(first + 1, copy) == ArrivalCount(first: 1, repeated: 1))
    #expect(try LedgerReader(path: scratch.path).arrivals(fromHour: first + 1).count == 1)
  }
}

struct `The store of alerts` {
  /// One with an argument of each kind.
  private static let sentence = Sentence(
    key: "{} of {} at {} since {}: {}, {}",
    arguments: [
      .name("acme \"{}\""), .count(-1, isGrouped: false), .number("12.5 %"), .day(Day(number: 20_773)),
      .sentence(Sentence(name: "")), .count(2_000, isGrouped: true),
    ], english: "acme of 1 at 12.5 % since 16 Nov 2026: , 2,000")

  private func alert(_ id: String, since: Int64, resolved: Int64? = nil) -> AlertRecord {
    AlertRecord(
      id: id, kind: "clock", severity: "critical", app: nil, network: "n", campaign: nil, origin: nil,
      since: noon + since, value: 1.5, bound: 1, sentence: Self.sentence, remedy: Sentence(name: "r"),
      command: "c",
      resolvedAt: resolved.map { noon + $0 })
  }

  @Test func `The store of alerts keeps each time that an alert fired, and deletes old ones`() throws {
    let scratch = try ScratchDatabase()
    let store = try AlertStore(path: scratch.path)
    try store.save([alert("a", since: 0), alert("b", since: 1)], [], forgettingBefore: noon)
    try store.save([alert("a", since: 0, resolved: 5), alert("a", since: 9)], [], forgettingBefore: noon)
    let reader = try LedgerReader(path: scratch.path)
    #expect(
      try reader.alerts(endedSince: noon) == [
        alert("a", since: 9), alert("b", since: 1), alert("a", since: 0, resolved: 5),
      ])
    #expect(try reader.alerts(endedSince: noon + 6).count == 2)
    try store.save([], [], forgettingBefore: noon + 6)
    #expect(try reader.alerts(endedSince: noon).count == 2)
  }

  @Test func `A stored sentence that is none is shown as it is`() {
    #expect(Sentence(column: Self.sentence.column) == Self.sentence)
    for text in ["plain", "{}", "{\"english\":1}", "{\"english\":\"a\",\"arguments\":[{\"count\":\"x\"}]}"] {
      #expect(Sentence(column: text) == Sentence(name: text))
      #expect(throws: ChangeDefect.badValue(of: "sentence")) {
        var bytes = ChangeEncoder()
        bytes.add(text)
        var decoder = ChangeDecoder(bytes.bytes)
        _ = try decoder.next(Sentence.self)
      }
    }
  }

  @Test func `The store of alerts keeps notices for each webhook until they are removed`() throws {
    let scratch = try ScratchDatabase()
    let store = try AlertStore(path: scratch.path)
    func notice(_ webhook: String, _ id: String) -> AlertNotice {
      AlertNotice(webhook: webhook, id: id, createdAt: noon, nextAt: noon, body: [1, 2])
    }
    try store.save([], [notice("x", "1"), notice("x", "2"), notice("y", "1")], forgettingBefore: noon)
    var late = notice("x", "1")
    (late.attempts, late.nextAt) = (3, noon + 9)
    try store.postpone(late)
    // The same notice again changes nothing.
    try store.save([], [notice("x", "1")], forgettingBefore: noon)
    let reader = try LedgerReader(path: scratch.path)
    #expect(try reader.alertNotices(for: "x", limit: 9) == [late, notice("x", "2")])
    try store.remove(late)
    #expect(try reader.alertNotices(for: "x", limit: 9) == [notice("x", "2")])
    #expect(try reader.alertNotices(for: "y", limit: 9) == [notice("y", "1")])
    try store.save([], [], forgettingBefore: noon + 1)
    #expect(try reader.alertNotices(for: "y", limit: 9).isEmpty)
  }
}
