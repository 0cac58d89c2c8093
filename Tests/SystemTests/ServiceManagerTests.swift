import Foundation
import System
import TestSupport
import Testing

@Suite struct `A service manager` {
  @Test(arguments: [
    [:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "relative"], ["NOTIFY_SOCKET": "/"], ["NOTIFY_SOCKET": "@"],
    ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 108)], ["NOTIFY_SOCKET": "vsock:2:1234"],
  ]) func `A service manager exists only if its socket is named`(environment: [String: String]) {
    #expect(ServiceManager(environment: environment) == nil)
  }

  @Test(
    arguments: [
      ([:], nil), (["WATCHDOG_USEC": "3000000"], 3_000_000), (["WATCHDOG_USEC": "0"], nil),
      (["WATCHDOG_USEC": "soon"], nil), (["WATCHDOG_USEC": "5", "WATCHDOG_PID": "1"], nil),
      (["WATCHDOG_USEC": "5", "WATCHDOG_PID": "\(getpid())"], 5),
    ] as [([String: String], UInt64?)])
  func `A service manager watches the process that it names`(
    environment: [String: String], microseconds: UInt64?
  ) throws {
    let all = environment.merging(["NOTIFY_SOCKET": "/run/notify"]) { $1 }
    #expect(try #require(ServiceManager(environment: all)).watchdogMicroseconds == microseconds)
  }

  @Test(arguments: [true, false])
  func `A service manager receives every message as one datagram`(isAbstract: Bool) throws {
    let folder = try TemporaryFolder()
    let address =
      isAbstract ? "@skan-test-\(getpid())-\(UInt32.random(in: 0...(.max)))" : folder.file("notify")
    let socket = try NotifySocket(address)
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": address]))
    let messages: [(ServiceManager.Message, String)] = [
      (.ready(status: "Listening on 127.0.0.1:8080"), "READY=1\nSTATUS=Listening on 127.0.0.1:8080"),
      (.reloading(monotonicMicroseconds: 17), "RELOADING=1\nMONOTONIC_USEC=17"),
      (.alive, "WATCHDOG=1"), (.stopping, "STOPPING=1"),
    ]
    for (message, text) in messages {
      #expect(manager.notify(message))
      #expect(socket.next() == text)
    }
    // A line break in a status would begin another assignment.
    #expect(manager.notify(.ready(status: "a\nMAINPID=1")))
    #expect(socket.next()?.contains("\nMAINPID") == false)
  }

  @Test func `A service manager that is gone does no harm`() throws {
    let folder = try TemporaryFolder()
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": folder.file("nothing")]))
    #expect(!manager.notify(.alive))
  }
}

@Suite struct `A file's name` {
  @Test(arguments: [
    ("a/b/events.csv", "events.csv"), ("/events.csv", "events.csv"), ("e", "e"), ("a/b/", "b"),
  ])
  func `A file's name is the last part of its path`(path: String, name: String) {
    #expect(fileName(path) == name)
  }
}
