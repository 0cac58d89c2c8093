import Foundation
import SQLite
import System
import TestSupport
import Testing

/// A daemon under a service manager that watches it.
private final class Managed {
  let folder: TemporaryFolder
  let socket: NotifySocket
  let daemon: Daemon
  var database: String { folder.file("skan.db") }

  init(watchdogMilliseconds: Int? = nil) throws {
    let folder = try TemporaryFolder()
    socket = try NotifySocket(folder.file("notify"))
    var environment = ["NOTIFY_SOCKET": folder.file("notify")]
    if let watchdogMilliseconds { environment["WATCHDOG_USEC"] = "\(watchdogMilliseconds * 1000)" }
    daemon = try Daemon(folder.file("skan.db"), environment: environment)
    self.folder = folder
  }
}

@Suite struct `The messages to a service manager` {
  @Test func `A service manager learns that the daemon listens, reloads and stops`() throws {
    let managed = try Managed()
    let ready = try #require(managed.socket.next())
    #expect(ready == "READY=1\nSTATUS=Listening on 127.0.0.1:\(managed.daemon.port)")
    #expect(try managed.daemon.get("/healthz").status == 200)
    managed.daemon.send(SIGHUP)
    let reloading = try #require(managed.socket.next())
    let time = try #require(reloading.split(separator: "=").last.flatMap { UInt64($0) })
    #expect(reloading == "RELOADING=1\nMONOTONIC_USEC=\(time)")
    #expect(Double(time) <= wallMicroseconds())
    #expect(managed.socket.next() == ready)
    #expect(managed.daemon.end(SIGTERM).exitCode == 0)
    #expect(managed.socket.next() == "STOPPING=1")
    // No watchdog was asked for.
    #expect(managed.socket.count(of: "WATCHDOG=1") == 0)
  }

  @Test func `A service manager receives nothing from a daemon that does not start`() throws {
    let folder = try TemporaryFolder()
    let socket = try NotifySocket(folder.file("notify"))
    let result = try Subprocess.run(
      "skan", ["serve", "--database", folder.file("no/such/folder/skan.db"), "--listen", "127.0.0.1:0"],
      environment: ["NOTIFY_SOCKET": folder.file("notify")])
    #expect(result.exitCode != 0)
    #expect(socket.count(of: "STOPPING=1") == 0)
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": folder.file("notify")]))
    manager.notify(.alive)
    // The first message is the test's own.
    #expect(socket.next() == "WATCHDOG=1")
  }

  @Test func `A service manager receives heartbeats as long as the writer ends what it begins`() throws {
    let managed = try Managed(watchdogMilliseconds: 1000)
    // A daemon with nothing to do lives.
    for _ in 0..<3 { #expect(managed.socket.next(containing: "WATCHDOG=1") != nil) }
    // Another program holds the lock for longer than the looks are apart: the writer waits, with a postback in hand.
    let holder = try Connection(path: managed.database, mode: .readWrite)
    try holder.execute("BEGIN IMMEDIATE")
    let before = managed.socket.count(of: "WATCHDOG=1")
    let body = try #require(try SharedVectors.bodies("apple-").first).body
    #expect(try managed.daemon.post(body).status == 503)
    let meanwhile = managed.socket.count(of: "WATCHDOG=1") - before
    // Five seconds have twenty looks; one may come before the postback, and one finds it new.
    #expect(meanwhile <= 4, "\(meanwhile) signs of life from a writer that waits")
    try holder.execute("ROLLBACK")
    #expect(managed.socket.next(containing: "WATCHDOG=1") != nil)
    #expect(try managed.daemon.post(body).status == 200)
    #expect(managed.daemon.end(SIGTERM).exitCode == 0)
  }
}
