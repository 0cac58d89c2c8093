@testable import Daemon
import Foundation
import HTTPServer
import Service
import System
import TestSupport
import Testing
import Values

final class `A running daemon` {
  private let folder: TemporaryFolder
  private let console = Console.captured()

  init() throws { folder = try TemporaryFolder() }

  private func options(_ database: String = "skan.db") throws -> DaemonOptions {
    let clock: WallClock = { noon }
    var options = DaemonOptions(
      database: folder.file(database), listen: HostPort(host: "127.0.0.1", port: 0),
      log: ServiceLog(console, clock: clock, isJSON: false), clock: clock)
    let mappings = folder.file("mappings")
    try FileManager.default.createDirectory(atPath: mappings, withIntermediateDirectories: true)
    options.mappings = mappings
    options.alertsFile = try folder.write(#"{"rules":[{"kind":"disk-space","enabled":false}]}"#, to: "a.json")
    options.configuration = try Configuration.read(
      Array(#"{"alert-webhooks":[{"url":"http://127.0.0.1:9/hook"}]}"#.utf8), named: "c.json")
    options.environment = ["NOTIFY_SOCKET": folder.file("nobody"), "WATCHDOG_USEC": "1000000"]
    return options
  }

  @Test func `A running daemon can be started twice in one process, and serves each time`() throws {
    for _ in 0..<2 {
      let daemon = try RunningDaemon(options())
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
    let daemon = try RunningDaemon(options())
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
    let first = try RunningDaemon(options("a.db"))
    let second = try RunningDaemon(options("b.db"))
    first.stop()
    #expect(HTTPProbe.get("/healthz", at: second.address, overTLS: false) == "ok\n")
    second.stop()
  }

  @Test func `A running daemon reloads alert rules, and keeps the old ones if the file is wrong`() throws {
    let daemon = try RunningDaemon(options())
    daemon.reload()
    #expect(console.errors.captured.contains("alert-rules-loaded"))
    _ = try folder.write("{", to: "a.json")
    daemon.reload()
    #expect(console.errors.captured.contains("alert-rules-not-loaded"))
    daemon.stop()
  }

  @Test func `A daemon that cannot start leaves nothing behind`() throws {
    let running = try RunningDaemon(options("a.db"))
    var taken = try options("b.db")
    taken.listen = running.address
    #expect(throws: ListenError.self) { try RunningDaemon(taken) }
    running.stop()
  }
}
