import Foundation
import HTTPServer
import Ledger
import PostbackFixtures
import Pulls
import System
import TestSupport
import Testing
import Values
import Verification

struct `What a pull stores` {
  private func store(_ pull: Pull, in path: String, _ days: Range<Day> = novemberDays) throws -> PullOutcome {
    let changes = try LedgerFile(path: path)
    return known(try pull.rows(days).store(in: changes, now: noon))
  }

  private func spend(_ path: String) throws -> [String] {
    try LedgerReader(path: path).imported(SpendRow.self)
      .map { "\($0.day) \($0.campaign) \($0.micros / 1_000_000)" }.sorted()
  }

  @Test func `What a pull stores is corrected by its next run, and rows that are gone go`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let source = try TestSource { _, number in
      json(
        number == 1
          ? #"[{"day":"2026-11-01","name":"a","cost":1},{"day":"2026-11-02","name":"a","cost":2},{"day":"2026-11-02","name":"b","cost":3}]"#
          : #"[{"day":"2026-11-02","name":"a","cost":"5.00"},{"day":"2026-11-03","name":"a","cost":4}]"#)
    }
    let days = try pull(document(source.base, #","replaces":"days""#))
    #expect(try store(days, in: path).sentence == "test: 3 rows of 2026-11-01 to 2026-11-03: 3 new")
    #expect(
      try store(days, in: path).sentence
        == "test: 2 rows of 2026-11-01 to 2026-11-03: 1 new, 1 changed, 1 removed")
    // The first day is in no second answer, and it stays.
    #expect(try spend(path) == ["2026-11-01 a 1", "2026-11-02 a 5", "2026-11-03 a 4"])
  }

  @Test func `What a pull stores replaces only the same rows where its document does not state more`() throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let source = try TestSource { _, number in
      json(#"[{"day":"2026-11-02","name":"\#(number == 1 ? "a" : "b")","cost":1}]"#)
    }
    for _ in 0..<2 { _ = try store(try pull(document(source.base)), in: path) }
    #expect(try spend(path) == ["2026-11-02 a 1", "2026-11-02 b 1"])
  }

  @Test(arguments: [
    ("[]", PullError.Code.empty), ("", .empty), ("day,name,cost\n", .empty),
    ("day,name,spend\n2026-11-01,a,9\n", .badRows),
    (#"[{"day":"2026-11-01","name":"a","spend":9}]"#, .badRows),
    (#"[{"day":"2026-11-01","name":"a","cost":""}]"#, .badRows), ("<html>Sign in</html>", .empty),
    (#"[{"day":"2026-11-01","name":"a","cost":9},{"day":"2026-11-02","name":"a","cost":"x"}]"#, .badRows),
  ])
  func `What a pull stores stays as it is where an answer is empty or has a renamed column`(
    answer: String, code: PullError.Code
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let source = try TestSource { _, number in
      json(number == 1 ? #"[{"day":"2026-11-01","name":"a","cost":1}]"# : answer)
    }
    let pull = try pull(document(source.base, #","replaces":"days""#))
    _ = try store(pull, in: path)
    #expect { _ = try store(pull, in: path) } throws: { error in (error as? PullError)?.code == code }
    #expect(try spend(path) == ["2026-11-01 a 1"])
  }

  @Test(arguments: ["2026-10-31", "2026-11-04", "2099-01-01"])
  func `What a pull stores is of the days that it asked for, or nothing of the answer`(other: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let source = try TestSource { _, number in
      json(
        number == 1
          ? #"[{"day":"2026-11-01","name":"a","cost":500}]"#
          : #"[{"day":"2026-11-01","name":"a","cost":9},{"day":"\#(other)","name":"a","cost":0}]"#)
    }
    let pull = try pull(document(source.base, #","replaces":"days""#))
    _ = try store(pull, in: path)
    let changes = try LedgerFile(path: path)
    _ = try ReferenceStore(changes).put([
      SpendRow(
        day: day(other), network: "example123.skadnetwork", campaign: "a", app: nil, currency: "USD",
        micros: 500_000_000)
    ])
    #expect { _ = try store(pull, in: path) } throws: { error in
      let error = error as? PullError
      return error?.code == .badRows && error?.message.contains("row 2: the row is of \(other)") == true
        && error?.message.contains("2026-11-01 to 2026-11-03 was asked for") == true
    }
    #expect(try spend(path) == ["2026-11-01 a 500", "\(other) a 500"].sorted())
  }

  @Test(arguments: [
    (#""imports":"totals","columns":{"date":"d","network":"n","installs":"v"}"#, "the row is of 2099-01-01"),
    (
      #""imports":"installs","columns":{"date":"d","installs":"v"},"fixed":{"app":"1"}"#,
      "the row is of 2099-01-01"
    ),
    (
      #""imports":"proceeds","columns":{"date":"d","proceeds":"v"},"fixed":{"app":"1","currency":"USD"}"#,
      "the row is of 2099-01-01"
    ),
    (
      #""imports":"rates","columns":{"date":"d","rate":"v"},"fixed":{"currency":"USD","quote":"EUR"}"#,
      "the row is of 2099-01-01"
    ),
    (
      #""imports":"names","columns":{"from":"d","network":"n","campaign":"v"},"fixed":{"name":"x"}"#,
      "the row is of 2099-01-01 on"
    ),
  ])
  func `What a pull stores of any kind is of the days that it asked for`(profile: String, words: String)
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let days = Guarded("2026-11-02")
    let source = try TestSource { _, _ in
      json(#"[{"d":"2026-11-01","n":"a.skadnetwork","v":1},{"d":"\#(days.withLock { $0 })","n":"b","v":2}]"#)
    }
    let text =
      #"{"pull":"test","request":{"url":"\#(source.base)/"},"profile":{"profile":"p","records":"file",\#(profile)}}"#
    #expect(try store(try pull(text), in: path).rows == 2)
    days.withLock { $0 = "2099-01-01" }
    #expect { _ = try store(try pull(text), in: path) } throws: { error in
      (error as? PullError)?.message.contains("row 2: \(words)") == true
    }
  }

  @Test func `What a pull stores of names may have begun before, and begin on the day after`() throws {
    let folder = try TemporaryFolder()
    let answer = Guarded(#"[{"d":"2020-01-01","v":1},{"d":"2026-11-04","v":2}]"#)
    let source = try TestSource { _, _ in json(answer.withLock { $0 }) }
    let names = try pull(
      #"{"pull":"test","request":{"url":"\#(source.base)/"},"profile":{"profile":"p","records":"file","imports":"names","#
        + #""columns":{"from":"d","to":"e","campaign":"v"},"fixed":{"network":"a.skadnetwork","name":"x"}}}"#)
    #expect(throws: PullError.self) { try store(names, in: folder.file("skan.db")) }
    answer.withLock { $0 = #"[{"d":"2020-01-01","v":1,"e":""},{"d":"2026-11-04","v":2,"e":"2027-01-01"}]"# }
    #expect(try store(names, in: folder.file("skan.db")).rows == 2)
    answer.withLock { $0 = #"[{"d":"2020-01-01","v":1,"e":"2021-01-01"}]"# }
    #expect { _ = try store(names, in: folder.file("skan.db")) } throws: { error in
      (error as? PullError)?.message.contains("the row is of 2020-01-01 to 2020-12-31") == true
    }
  }

  @Test(arguments: [
    (#""network":"other.skadnetwork""#, "is of the network 'other.skadnetwork'"),
    (#""currency":"EUR""#, "is of the currency 'EUR', and all have to be of 'USD'"),
    (#""app":"7""#, "is of the app '7'"),
  ])
  func `What a pull stores is of the network, currency and app that its document fixes`(
    member: String, words: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let other = Guarded(#""network":"Acme Ads","currency":"usd","app":5"#)
    let source = try TestSource { _, _ in
      json(#"[{"day":"2026-11-01","name":"a","cost":1,\#(other.withLock { $0 })}]"#)
    }
    let fixed = try pull(
      #"{"pull":"test","request":{"url":"\#(source.base)/"},"set":{"network":"acme.skadnetwork","currency":"USD","app":"5"},"#
        + #""profile":{"profile":"p","imports":"spend","records":"file","columns":{"date":"day","campaign":"name","#
        + #""amount":"cost","network":"network","currency":"currency","app":"app"}}}"#)
    #expect(try store(fixed, in: path).rows == 1)
    other.withLock { $0 = member }
    #expect { _ = try store(fixed, in: path) } throws: { error in
      (error as? PullError)?.message.contains(words) == true
    }
    // A document that never reads the column fixes it too; what is no such name disagrees with nothing.
    let unread = try pull(
      #"{"pull":"test","request":{"url":"\#(source.base)/"},"profile":{"profile":"p","imports":"spend","records":"file","#
        + #""columns":{"date":"day","campaign":"name","amount":"cost"},"#
        + #""fixed":{"network":"acme.skadnetwork","currency":"USD","app":"5"}}}"#)
    #expect { _ = try store(unread, in: path) } throws: { error in
      (error as? PullError)?.message.contains(words) == true
    }
    other.withLock { $0 = #""network":"Acme Ads","currency":"Dollar","app":"Puzzle 2""# }
    #expect(try store(unread, in: path).rows == 1)
    #expect(try spend(path) == ["2026-11-01 a 1"])
  }

  @Test func `What a pull stores stays where an answer may be empty and is`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let source = try TestSource { _, number in
      json(number == 1 ? #"[{"day":"2026-11-01","name":"a","cost":1}]"# : "[]")
    }
    let pull = try pull(document(source.base, #","replaces":"days","may-be-empty":true"#))
    _ = try store(pull, in: path)
    #expect(try spend(path) == ["2026-11-01 a 1"])
    #expect(try store(pull, in: path).sentence == "test: 0 rows of 2026-11-01 to 2026-11-03")
    // No day of it is in the second answer.
    #expect(try spend(path) == ["2026-11-01 a 1"])
  }

  @Test func `What a pull stores is nothing, and no failure is noted, where the program ends meanwhile`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let source = try TestSource { _, _ in json(#"[{"day":"2026-11-01","name":"a","cost":1}]"#) }
    let pull = try pull(document(source.base))
    let changes = try LedgerFile(path: path)
    let state = try PullState(of: pull.name, in: LedgerReader(path: path))
    #expect {
      _ = try pull.run(
        novemberDays, try PullSecrets(of: pull, beside: "p.json", environment: [:]), after: state,
        in: changes,
        TestWait(stoppedAfter: 0).context, clock: { noon }
      ) { PullIntake(keyring: try Keyring(), settings: LedgerSettings()) }
    } throws: { error in (error as? PullError)?.code == .stopped }
    #expect(try spend(path) == [])
    #expect(try PullState(of: pull.name, in: LedgerReader(path: path)) == state)
  }

  @Test func `What a pull stores is noted before it begins, so that a run that dies is known`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let changes = try LedgerFile(path: path)
    let seen = Guarded<Instant?>(nil)
    let source = try TestSource { _, _ in
      let state = try? PullState(of: "test", in: LedgerReader(path: path))
      seen.withLock { $0 = state?.unfinished }
      return json(#"[{"day":"2026-11-01","name":"a","cost":1}]"#)
    }
    let pull = try pull(document(source.base))
    let state = try PullState(of: pull.name, in: LedgerReader(path: path))
    _ = try pull.run(
      novemberDays, try PullSecrets(of: pull, beside: "p.json", environment: [:]), after: state, in: changes,
      TestWait().context, clock: { noon }
    ) { PullIntake(keyring: try Keyring(), settings: LedgerSettings()) }
    #expect(seen.withLock { $0 } == noon)
    #expect(try PullState(of: pull.name, in: LedgerReader(path: path)).unfinished == nil)
  }

  @Test func `What a pull stores waits for what another run stores, and no source is waited for meanwhile`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    _ = try LedgerFile(path: path)
    let source = try TestSource { asked, _ in
      json(#"[{"day":"2026-11-01","name":"\#(asked.path.dropFirst())","cost":1}]"#)
    }
    @Sendable func run(_ name: String, _ wait: @escaping @Sendable () -> Void) throws {
      let text = document(source.base, path: "/\(name)").replacing(
        #""pull":"test""#, with: #""pull":"\#(name)""#)
      let pull = try pull(text)
      let state = try PullState(of: pull.name, in: LedgerReader(path: path))
      let context = PullContext { _ in
        wait()
        return true
      } note: { _ in
      } goesOn: {
        true
      } elapsed: {
        0
      }
      _ = try pull.run(
        novemberDays, try PullSecrets(of: pull, beside: "p.json", environment: [:]), after: state,
        in: try LedgerFile(path: path), context, clock: { noon }
      ) { PullIntake(keyring: try Keyring(), settings: LedgerSettings()) }
    }
    // The turn of the second one comes while the first one has its own.
    let (seen, second) = (Guarded<[[String]]>([]), Guarded<Worker?>(nil))
    try run("first") {
      let worker = try? Worker {
        try? run("second") { seen.withLock { $0.append((try? spend(path)) ?? []) } }
      }
      second.withLock { $0 = worker }
      while source.asked.count < 2 { rest(microseconds: 1000) }
    }
    second.withLock { $0 }?.join()
    #expect(seen.withLock { $0 } == [["2026-11-01 first 1"]])
    #expect(try spend(path) == ["2026-11-01 first 1", "2026-11-01 second 1"])
  }

  @Test func `What a pull stores of many rows is whole, in parts by key, and counts as one import`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let lines = (0..<2500).map { "2026-11-0\(1 + $0 % 3),c\($0 / 2),\($0)" }
    let source = try TestSource { _, number in
      // The second answer has other apps of the same campaigns, which take the place of those before as a whole.
      let head = number == 1 ? "day,name,cost\n" : "day,name,cost,app\n"
      let rows = number == 1 ? lines : lines.flatMap { ["\($0),1", "\($0),2"] }
      return Response(status: 200, contentType: "text/csv", text: head + rows.joined(separator: "\n"))
    }
    let first = try pull(document(source.base))
    #expect(
      try store(first, in: path).sentence.hasSuffix("2,500 rows of 2026-11-01 to 2026-11-03: 2,500 new"))
    #expect(try spend(path).count == 2500)
    let second = try pull(
      document(source.base, #","replaces":"days""#).replacing(
        #""amount":"cost""#, with: #""amount":"cost","app":"app""#))
    let outcome = try store(second, in: path)
    #expect(
      outcome.sentence.hasSuffix("5,000 rows of 2026-11-01 to 2026-11-03: 5,000 new, 2,500 removed"),
      "\(outcome.sentence)")
    #expect(try spend(path).count == 5000)
    let records = try LedgerReader(path: path).referenceImports(from: noon.day, to: noon.day.next)
    #expect(records.map(\.rows) == [10_000])
  }

  @Test func `What a pull stores of postbacks has verdicts and counts each conversion once`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let genuine = String(decoding: try SharedVectors.body("apple-3.0-win"), as: UTF8.self)
    let forged = genuine.replacing(#""app-id":525463029"#, with: #""app-id":525463028"#)
    let text = genuine.replacing("\"", with: "\\\"")
    let at = #""at":"2026-11-10T03:04:05Z""#
    let source = try TestSource { _, _ in
      json(
        #"{"items":[{\#(at),"postback":\#(genuine)},{\#(at),"postback":"\#(text)"},{\#(at),"postback":\#(forged)},{\#(at),"postback":{"a":1}}]}"#
      )
    }
    let pull = try pull(
      #"{"pull":"test","request":{"url":"\#(source.base)/"},"rows":"items","postbacks":{"member":"postback","received-at-member":"at"}}"#
    )
    let keyring = try Keyring()
    func ingest() throws -> PullOutcome {
      known(
        try pull.rows().ingest(
          into: path, by: PullIntake(keyring: keyring, settings: LedgerSettings()), clock: { noon }))
    }
    #expect(
      try ingest().sentence
        == "test: 4 rows of 2026-11-01 to 2026-11-03: 4 stored, 1 new, 1 copies, 1 invalid, 1 malformed")
    #expect(try ingest().sentence.contains("2 copies") && !(try ingest().sentence.contains("new")))
  }

  @Test func `What a pull stores of a partner's export is read as the export`() throws {
    let folder = try TemporaryFolder()
    let body = String(decoding: try SharedVectors.body("apple-3.0-win"), as: UTF8.self)
      .replacing("\"", with: "\"\"")
    let source = try TestSource { _, _ in json("sk_payload,sk_ts\n\"\(body)\",1800000000\n") }
    let pull = try pull(
      #"{"pull":"test","request":{"url":"\#(source.base)/"},"postbacks":{"export":"adjust-raw"}}"#)
    let later = Instant(seconds: 1_800_000_100)
    let outcome = known(
      try pull.rows().ingest(
        into: folder.file("skan.db"), by: PullIntake(keyring: try Keyring(), settings: LedgerSettings()),
        clock: { later }))
    #expect(outcome.sentence == "test: 1 row of 2026-11-01 to 2026-11-03: 1 stored, 1 new")
  }

  @Test func `What a pull stores has a state that leaves no gap`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let changes = try LedgerFile(path: path)
    func state() throws -> PullState { try PullState(of: "test", in: LedgerReader(path: path)) }
    #expect(try state() == PullState(lastSuccess: nil, lastFailure: nil, upTo: nil))
    try changes.note(pull: "test", stored: day("2026-11-01")..<day("2026-11-05"), after: state(), at: noon)
    // By hand, behind days that are not read yet.
    try changes.note(pull: "test", stored: day("2026-11-08")..<day("2026-11-09"), after: state(), at: noon)
    #expect(try state().upTo == day("2026-11-05"))
    try changes.note(pull: "test", stored: day("2026-11-04")..<day("2026-11-10"), after: state(), at: noon)
    #expect(try state().upTo == day("2026-11-10") && state().lastSuccess == noon)
    #expect(try PullState(of: "other", in: LedgerReader(path: path)).lastSuccess == nil)
  }
}
