import CFaultVFS
@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

/// Few keys in memory, so that runs are sealed and merged all the time, and no waiting.
private let restless = LedgerSettings(recentKeys: 4, gatherMicroseconds: 0, busyMilliseconds: 50)

/// What a script did, as far as its answers show.
private struct Story {
  /// Conversions of which some copy was acknowledged, and how many copies were.
  var acknowledged: [String: Int] = [:]
  /// Copies that were handed in.
  var submitted: [String: Int] = [:]
  var rejectedAcknowledged = 0
  var failures = 0

  mutating func note(_ id: String, _ answer: Result<Commitment, LedgerError>?) {
    submitted[id, default: 0] += 1
    switch answer {
    case .success: acknowledged[id, default: 0] += 1
    case .failure, nil: failures += 1
    }
  }
}

/// Another connection to a database, as far as the disk lets it open one.
private struct OtherProgram: ~Copyable {
  private let connection: Connection?

  init(_ path: String) {
    do { connection = try Connection(path: path, mode: .readWrite, busyMilliseconds: 0) } catch {
      connection = nil
    }
  }

  borrowing func checkpoint(_ mode: String) {
    switch connection {
    case .some(let connection): try? connection.execute("PRAGMA wal_checkpoint(\(mode))")
    case .none: break
    }
  }
}

/// Three runs of a ledger, each with bursts of new conversions, repeats, conflicts and forgeries.
private func play(_ world: FaultWorld, seed: UInt64, bursts: Int = 12, _ story: inout Story) {
  var random = SplitMix64(seed: seed)
  var next = 0
  for run in 0..<3 {
    guard let ledger = try? PostbackLedger(path: world.database, settings: restless) else { return }
    // Another connection moves the log into the file at any time, as a report's or a backup's does.
    let other = OtherProgram(world.database)
    for _ in 0..<bursts {
      var ids: [String] = []
      var receipts: [Receipt] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let isNew = next == 0 || Int.random(in: 0..<4, using: &random) > 0
        let number = isNew ? next : Int.random(in: 0..<next, using: &random)
        next += isNew ? 1 : 0
        let value = known(FineValue(Int64.random(in: 0...1, using: &random)))
        ids.append("\(number)")
        receipts.append(valid("\(number)", value: .fine(value), at: noon + Int64(run) * 86_400_000))
      }
      let forged = rejected("f\(next)")
      let answers = submit(receipts + [forged], to: ledger)
      for (id, answer) in zip(ids, answers) { story.note(id, answer) }
      if case .success? = answers.last ?? nil { story.rejectedAcknowledged += 1 }
      if Int.random(in: 0..<5, using: &random) == 0 { other.checkpoint("PASSIVE") }
      if Int.random(in: 0..<9, using: &random) == 0 { other.checkpoint("TRUNCATE") }
      if world.isDark { break }
    }
    ledger.close()
    if world.isDark { return }
  }
}

/// Holds a database to its promises after a story.
private func examine(_ path: String, _ story: Story, _ name: Comment) throws {
  let health = try LedgerReader(path: path).examine()
  #expect(health.damage == [], name)
  #expect(health.contradictions == [], name)
  #expect(health.conversions.stored == health.conversions.counted, name)
  #expect(health.copies.stored == health.copies.counted, name)
  let connection = try Connection(path: path, mode: .readOnly)
  var copies: [String: Int] = [:]
  try connection.prepare(
    """
    SELECT identifier, 1 + (SELECT coalesce(sum(times), 0) FROM postback_copy WHERE postback = postback.id) FROM postback
    """
  ).forEachRow { row in
    let id = row.text(0) ?? ""
    if copies[id] != nil { Issue.record("\(id) is counted twice, \(name)") }
    copies[id] = Int(row.count(1))
  }
  for (id, count) in story.acknowledged {
    #expect(copies[id, default: 0] >= count, "\(id), \(name)")
  }
  for (id, count) in copies { #expect(count <= story.submitted[id, default: 0], "\(id), \(name)") }
  let kept = try connection.integer("SELECT sum(seen) FROM rejected_total") ?? 0
  #expect(kept >= story.rejectedAcknowledged, name)
  #expect(kept == (try connection.integer("SELECT count(*) FROM rejected")), name)
}

/// Hands every conversion in again: what was acknowledged has to be recognised.
private func repeatAll(_ path: String, _ story: Story, _ name: Comment) throws {
  let ledger = try PostbackLedger(path: path, settings: restless)
  defer { ledger.close() }
  for id in story.submitted.keys.sorted() {
    guard case .success(let commitment)? = submit([valid(id)], to: ledger)[0] else {
      Issue.record("\(id) was not stored, \(name)")
      continue
    }
    if story.acknowledged[id] != nil { #expect(commitment.effect != .first, "\(id), \(name)") }
  }
}

struct `A power cut` {
  @Test
  func `A power cut removes nothing that was acknowledged and leaves nothing in part, at any operation`()
    throws
  {
    let calm = try FaultWorld(seed: 0)
    var whole = Story()
    play(calm, seed: 0, &whole)
    try examine(calm.database, whole, "without a cut")
    #expect(whole.failures == 0)
    #expect(
      try Connection(path: calm.database, mode: .readOnly).integer("SELECT max(level) FROM key_run") ?? 0 > 0)
    var acknowledged = 0
    var cuts = 0
    for seed in 1...UInt64(200) {
      var random = SplitMix64(seed: seed ^ 0xC07)
      let world = try FaultWorld(seed: seed)
      let operation = Int.random(in: 0..<calm.operations, using: &random)
      world.cutPower(after: operation)
      var story = Story()
      play(world, seed: seed, &story)
      guard world.isDark else { continue }
      cuts += 1
      acknowledged += story.acknowledged.count
      #expect(world.restorePower())
      let name: Comment = "seed \(seed), cut at operation \(operation)"
      // The first process that opens it repairs it; a cut in the very first transaction leaves nothing at all.
      try PostbackLedger(path: world.database, settings: restless).close()
      try examine(world.database, story, name)
      try repeatAll(world.database, story, name)
      var second = story
      for id in story.submitted.keys { second.submitted[id, default: 0] += 1 }
      try examine(world.database, second, name)
    }
    #expect(cuts > 130)
    #expect(acknowledged > 3000)
  }
}

struct `A failing disk` {
  /// A way in which the disk fails.
  struct Fault: CustomTestStringConvertible {
    let name: String
    let kinds: FaultWorld.Kinds
    let code: Int32
    var shortens = false
    var testDescription: String { name }
  }

  static let faults = [
    Fault(name: "full", kinds: .write, code: 13),
    Fault(name: "full in the middle of a write", kinds: .write, code: 13, shortens: true),
    Fault(name: "write error", kinds: .write, code: 778),
    Fault(name: "sync error", kinds: .sync, code: 1034),
    Fault(name: "read-only", kinds: [.write, .truncate, .delete], code: 8),
    Fault(name: "truncation error", kinds: .truncate, code: 1546),
    Fault(name: "read error", kinds: .read, code: 266),
    Fault(name: "open error", kinds: .open, code: 14),
  ]

  @Test(arguments: faults)
  func `A failing disk loses no postback and counts none twice, wherever it fails, and recovers`(
    _ fault: Fault
  ) throws {
    var failures = 0
    for seed in 1...UInt64(25) {
      var random = SplitMix64(seed: seed)
      let world = try FaultWorld(seed: seed)
      let after = Int.random(in: 0..<(fault.kinds == .open ? 8 : 400), using: &random)
      let times = Int.random(in: 1...12, using: &random)
      world.fail(fault.kinds, after: after, times: times, code: fault.code, shortens: fault.shortens)
      var story = Story()
      play(world, seed: seed, &story)
      failures += world.failures
      let name: Comment = "\(fault.name), seed \(seed), after \(after), \(times) times"
      world.heal()
      try PostbackLedger(path: world.database, settings: restless).close()
      try examine(world.database, story, name)
      try repeatAll(world.database, story, name)
    }
    // A script truncates and opens seldom.
    #expect(failures > (fault.kinds == .truncate ? 0 : 10))
  }

  @Test(arguments: faults.filter { $0.kinds != .open && $0.kinds != .truncate })
  func `A failing disk is reported to every submitter, and the same ledger continues once it works again`(
    _ fault: Fault
  ) throws {
    let world = try FaultWorld(seed: 7)
    let ledger = try PostbackLedger(path: world.database, settings: restless)
    var story = Story()
    for number in 0..<40 { story.note("\(number)", submit([valid("\(number)")], to: ledger)[0]) }
    #expect(story.failures == 0)
    world.fail(fault.kinds, after: 0, times: .max, code: fault.code, shortens: fault.shortens)
    // What is in memory needs no reading, so a read error may not be noticed at once.
    for number in 40..<60 { story.note("\(number)", submit([valid("\(number)")], to: ledger)[0]) }
    if fault.kinds != .read {
      #expect(story.failures == 20)
      #expect(ledger.statistics.lastFailure != nil)
      #expect(ledger.statistics.failedCommits == 20)
    }
    world.heal()
    for number in 0..<80 {
      let answer = submit([valid("\(number)")], to: ledger)[0]
      story.note("\(number)", answer)
      guard case .success(let commitment)? = answer else {
        Issue.record("\(number) was not stored")
        continue
      }
      #expect((commitment.effect == .first) == (number >= 40 && story.acknowledged["\(number)"] == 1))
    }
    ledger.close()
    try examine(world.database, story, "\(fault.name)")
    #expect(
      try Connection(path: world.database, mode: .readOnly).integer("SELECT count(*) FROM postback") == 80)
  }
}
