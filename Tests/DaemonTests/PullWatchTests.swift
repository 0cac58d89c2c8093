import Configuration
@testable import Daemon
import Foundation
import HTTPServer
import Ledger
import Postbacks
import Pulls
import Service
import System
import Testing
import TestSupport
import Values
import Verification

final class `A watch of pulls` {
  private let folder: TemporaryFolder
  private let database: String
  private let time = Guarded(Instant("2026-11-23T03:00:00Z") ?? Instant(seconds: 0))
  private let status = Guarded(200)
  private let asked = Guarded(0)
  private let console = Console.captured()
  private let figures = OperatorFigures()
  private let server: Server

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    _ = try ReferenceStore(path: database)
    server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) {
      [status, asked] request, reply in
      asked.withLock { $0 += 1 }
      reply.send(
        Response(
          status: request.header("X-Key") == "geheim" ? status.withLock { $0 } : 403, contentType: "text/csv",
          text: "day,campaign,cost\n\(request.query("from") ?? ""),5239,12.5\n"))
    }
    try folder.write(
      #"{"pull":"costs","request":{"url":"http://127.0.0.1:\#(server.address.port)/?from={from}","headers":{"X-Key":"${file:key}"}},"#
        + #""profile":{"profile":"p","imports":"spend","records":"file","columns":{"date":"day","campaign":"campaign","#
        + #""amount":"cost"},"fixed":{"network":"example123.skadnetwork","currency":"USD"}}}"#,
      to: "costs.json")
    try folder.write("geheim\n", to: "key")
    self.folder = folder
  }

  private func watch(_ path: String? = nil) throws -> PullWatch {
    let clock: WallClock = { [time] in time.withLock { $0 } }
    let context = DaemonContext(
      database: database, changes: LedgerFile.existing(database),
      log: ServiceLog(console, clock: clock, isJSON: false), clock: clock, figures: figures)
    let text = #"{"pulls":[{"file":"\#(folder.file("costs.json"))","at":"03:30"}]}"#
    let configuration =
      try path.map { try ConfigurationFile.read($0) }
      ?? ConfigurationFile.read(Array(text.utf8), named: "skan.json")
    let keyring = try Keyring()
    return PullWatch(configuration, environment: [:], context) {
      PullIntake(keyring: keyring, settings: LedgerSettings())
    }
  }

  private func pass(minutes: Int64) { time.withLock { $0 = $0 + minutes * 60_000 } }

  private func look(by watch: PullWatch) {
    watch.look()
    watch.waitForRuns(withinSeconds: 60)
  }

  private var requests: Int { asked.withLock { $0 } }

  @Test
  func `A watch of pulls runs each once a day, across a restart and after a failure, and shows no secret`()
    throws
  {
    look(by: try watch())
    #expect(requests == 1)
    let watch = try watch()
    look(by: watch)
    #expect(requests == 1)
    pass(minutes: 31)
    look(by: watch)
    look(by: watch)
    #expect(requests == 2)
    #expect(figures.reading.pulls["costs"]?.lastSuccess == time.withLock { $0 })
    status.withLock { $0 = 400 }
    pass(minutes: 24 * 60)
    look(by: watch)
    look(by: watch)
    pass(minutes: 59)
    look(by: watch)
    #expect(requests == 3)
    #expect(figures.reading.pulls["costs"]?.lastFailure != nil)
    status.withLock { $0 = 200 }
    pass(minutes: 2)
    look(by: watch)
    #expect(requests == 4)
    let days = try LedgerReader(path: database).imported(SpendRow.self).map {
      "\($0.day)"
    }
    #expect(days == ["2026-11-16", "2026-11-17"])
    let log = console.errors.captured + console.output.captured
    #expect(log.contains("pull-failed") && log.contains("the source answered 400"), "\(log)")
    #expect(!log.contains("geheim"))
  }

  @Test
  func `A watch of pulls names a document that cannot be read once, and runs it when it is right again`()
    throws
  {
    let document = try folder.read("costs.json")
    try folder.write("{", to: "costs.json")
    let watch = try watch()
    look(by: watch)
    look(by: watch)
    let log = console.errors.captured + console.output.captured
    #expect(log.components(separatedBy: "pull-not-read").count == 2, "\(log)")
    try folder.write([UInt8](document), to: "costs.json")
    look(by: watch)
    #expect(requests == 1)
  }

  @Test func `A watch of pulls waits for an hour after a run with which the program died`() throws {
    let changes = LedgerFile.existing(database)
    let watch = try watch()
    try changes.note(.pullBegun("costs"), at: time.withLock { $0 })
    pass(minutes: 1)
    look(by: watch)
    #expect(requests == 0 && figures.reading.pulls["costs"]?.unfinished != nil)
    pass(minutes: 59)
    look(by: watch)
    #expect(requests == 1 && figures.reading.pulls["costs"]?.unfinished == nil)
  }

  @Test func `A watch of pulls runs others beside a slow source, whose run ends when it is withdrawn`() throws
  {
    let costs = String(decoding: try folder.read("costs.json"), as: UTF8.self)
    let slow = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { _, reply in
      reply.send(Response(status: 429, headers: [.init("Retry-After", "600")]))
    }
    let address = "http://127.0.0.1:\(slow.address.port)/"
    try folder.write(
      costs.replacing("\"costs\"", with: "\"slow\"").replacing(
        "http://127.0.0.1:\(server.address.port)/", with: address), to: "slow.json")
    let entries = ["slow.json", "costs.json"].map { #"{"file":"\#(folder.file($0))","at":"03:30"}"# }
    try folder.write(#"{"pulls":[\#(entries.joined(separator: ","))]}"#, to: "skan.json")
    let watch = try watch(folder.file("skan.json"))
    watch.look()
    let isStored = (0..<300).contains { _ in
      rest(microseconds: 100_000)
      return figures.reading.pulls["costs"]?.lastSuccess != nil
    }
    #expect(isStored && figures.reading.pulls["slow"]?.lastFailure == nil)
    let reader = try LedgerReader(path: database)
    #expect(try PullState(of: "slow", in: reader).unfinished != nil)
    try folder.write(#"{"pulls":[\#(entries[1])]}"#, to: "skan.json")
    watch.reload()
    watch.waitForRuns(withinSeconds: 60)
    let state = try PullState(of: "slow", in: LedgerReader(path: database))
    #expect(state == PullState(lastSuccess: nil, lastFailure: nil, upTo: nil))
  }
}
