import Arguments
import Configuration
@testable import Daemon
import Foundation
import HTTPServer
import PostbackFixtures
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
