import Arguments
import Configuration
@testable import Daemon
import Foundation
import HTTPServer
import Ledger
import PostbackFixtures
import Postbacks
import Service
import System
import Testing
import TestSupport
import Values

final class `A running daemon` {
  private let folder: TemporaryFolder
  private let console: Console

  init() throws {
    folder = try TemporaryFolder()
    console = .captured(environment: ["NOTIFY_SOCKET": folder.file("nobody"), "WATCHDOG_USEC": "1000000"])
  }

  private func configuration() throws -> ServiceConfiguration {
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    let mappings = folder.file("mappings")
    try FileManager.default.createDirectory(atPath: mappings, withIntermediateDirectories: true)
    configuration.mappings = FilePath(mappings)
    configuration.alerts = FilePath(
      try folder.write(#"{"rules":[{"kind":"disk-space","enabled":false}]}"#, to: "a.json"))
    configuration.file = try ConfigurationFile.read(
      Array(#"{"alert-webhooks":[{"url":"http://127.0.0.1:9/hook"}]}"#.utf8), named: "c.json")
    return configuration
  }

  private func start(
    _ configuration: ServiceConfiguration? = nil, on database: String = "skan.db"
  ) throws -> RunningDaemon {
    try RunningDaemon(
      configuration ?? self.configuration(), database: folder.file(database), on: console, clock: { noon })
  }

  @Test func `A running daemon can be started twice in one process, and serves each time`() throws {
    for _ in 0..<2 {
      let daemon = try start()
      #expect(HTTPProbe.get("/healthz", at: daemon.address, overTLS: false) == "ok\n")
      daemon.stop()
      #expect(HTTPProbe.get("/healthz", at: daemon.address, overTLS: false) == nil)
    }
    let lines = console.errors.captured.split(separator: "\n")
    #expect(lines.count { $0.contains(" listening ") } == 2)
    #expect(lines.count { $0.contains(" stopped ") } == 2)
  }

  @Test func `A running daemon leaves no thread behind when it stops`() throws {
    // Threads inherit the name of the thread that starts them, so that those of other tests are not counted.
    let file = "/proc/thread-self/comm"
    let before = try String(contentsOfFile: file, encoding: .utf8)
    try Data("daemon-test".utf8).write(to: URL(filePath: file))
    defer { try? Data(before.trimmingCharacters(in: .newlines).utf8).write(to: URL(filePath: file)) }
    #expect(threads(named: "daemon-test") == 1)
    let daemon = try start()
    // The writer, a reader's threads, the watches, a webhook's and the heartbeat's at least.
    #expect(threads(named: "daemon-test") >= 9)
    daemon.stop()
    // The system shows a thread that was joined a moment longer.
    for _ in 0..<100 where threads(named: "daemon-test") > 1 { rest(microseconds: 50_000) }
    #expect(threads(named: "daemon-test") == 1)
  }

  private func threads(named name: String) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count {
      (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == name + "\n"
    }
  }

  @Test func `A running daemon runs beside another one with its own database`() throws {
    let first = try start(on: "a.db")
    let second = try start(on: "b.db")
    first.stop()
    #expect(HTTPProbe.get("/healthz", at: second.address, overTLS: false) == "ok\n")
    second.stop()
  }

  @Test func `The background makes what the usual pages are estimated from, and they are answered from it`()
    throws
  {
    try fill(folder.file("skan.db"))
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    configuration.pages = HostPort(host: "127.0.0.1", port: 0)
    configuration.arePagesOpen = true
    let daemon = try start(configuration)
    defer { daemon.stop() }
    // It asks questions of one fit, and the last install days at the end.
    for _ in 0..<600 where try figure("estimates_made_total", of: daemon) < 2 { rest(microseconds: 50_000) }
    let kept = try figure("estimates_kept_total", of: daemon)
    #expect(try figure("estimates_made_total", of: daemon) == 2)
    let pages = try #require(daemon.pagesAddress)
    for path in ["/", "/campaigns", "/campaign?campaign=11"] {
      let page = try #require(HTTPProbe.get(path, at: pages, overTLS: false))
      #expect(page.contains("USD"), "\(path)")
    }
    #expect(try figure("estimates_made_total", of: daemon) == 2)
    #expect(try figure("estimates_kept_total", of: daemon) >= kept + 4 + 1 + 3)
    #expect(try figure("estimates_kept_bytes", of: daemon) > 0)
  }

  private func figure(_ name: String, of daemon: RunningDaemon) throws -> Int {
    let metrics = try #require(HTTPProbe.get("/metrics", at: daemon.address, overTLS: false))
    let line = metrics.split(separator: "\n").first { $0.hasPrefix("skan_\(name) ") }
    return try #require(line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) })
  }

  /// A mapping and conversions of the usual days of pages.
  private func fill(_ database: String) throws {
    let text = """
      {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":9}}]}
      """
    try store(
      (0..<300).map { index in
        valid(
          "\(index)", value: index % 3 == 0 ? .absent : fine(index % 2),
          at: noon + -Int64(6 + index % 20) * Day.milliseconds, app: 1,
          campaign: index % 4 == 0 ? "12" : "11", environment: .production)
      }, in: database)
    try MappingStore(path: database).replaceAll(with: [
      StoredMapping(
        source: "m", app: try #require(AppID(1)),
        effectiveFrom: try #require(Instant("2020-01-01T00:00:00Z")), digest: "m", loadedAt: noon,
        document: Array(text.utf8))
    ])
  }

  @Test func `A running daemon reloads alert rules, and keeps the old ones if the file is wrong`() throws {
    let daemon = try start()
    daemon.reload()
    #expect(console.errors.captured.contains("alert-rules-loaded"))
    _ = try folder.write("{", to: "a.json")
    daemon.reload()
    #expect(console.errors.captured.contains("alert-rules-not-loaded"))
    daemon.stop()
  }

  @Test func `A daemon that cannot start leaves nothing behind`() throws {
    let running = try start(on: "a.db")
    var taken = try configuration()
    taken.listen = running.address
    #expect(throws: ListenError.self) { try start(taken, on: "b.db") }
    running.stop()
  }
}
