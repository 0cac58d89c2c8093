import Configuration
@testable import Daemon
import Foundation
import HTTPServer
import Ledger
import Postbacks
import Service
import Signing
import System
import Testing
import TestSupport
import Values
import Verification

/// The other side of a relay: it notes what it gets and answers as a test wants.
private final class Receiver: Sendable {
  struct Delivery: Sendable {
    let name: String
    let body: [UInt8]
  }

  let got = Guarded<[Delivery]>([])
  let status = Guarded(200)
  /// Whether it leaves everyone without an answer.
  let isHanging = Guarded(false)
  private let server: Server

  init() throws {
    let (got, status, isHanging) = (got, status, isHanging)
    server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      while isHanging.withLock({ $0 }) { rest(microseconds: 10_000) }
      let code = status.withLock { $0 }
      if code == 200 {
        got.withLock { $0.append(Delivery(name: request.header("Skan-Delivery") ?? "", body: request.body)) }
      }
      reply.send(Response(status: code, headers: [], body: []))
    }
  }

  var url: String { "http://127.0.0.1:\(server.address.port)/postbacks" }

  /// Waits until it has that many.
  func waitFor(_ count: Int) {
    for _ in 0..<400 where got.withLock({ $0.count }) < count { rest(microseconds: 25_000) }
  }
}

final class `A daemon with relays` {
  private let folder: TemporaryFolder
  private let console = Console.captured()
  private let keys: SigningKeys
  private var generator = PostbackGenerator(seed: 5)

  init() throws {
    folder = try TemporaryFolder()
    keys = try SigningKeys.generate()
  }

  private func start(_ relays: String) throws -> RunningDaemon {
    let file = try folder.write(#"{"relays":\#(relays)}"#, to: "skan.json")
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    configuration.file = try ConfigurationFile.read(file)
    return try RunningDaemon(
      configuration, database: folder.file("skan.db"), trusting: keys.keys, on: console, clock: systemClock)
  }

  private func relay(_ name: String, _ receiver: Receiver, _ more: String = "") -> String {
    #"{"name":"\#(name)","url":"\#(receiver.url)","environments":["test"],"parallel":1\#(more)}"#
  }

  /// Posts genuine postbacks as devices do, and returns them.
  private func post(_ count: Int, to daemon: RunningDaemon) throws -> [[UInt8]] {
    let client = try HTTPClient(port: daemon.address.port)
    return try (0..<count).map { _ in
      let body = try keys.sign(generator.next())
      #expect(
        try client.request("POST", "/.well-known/skadnetwork/report-attribution", body: body).status == 200)
      return body
    }
  }

  @Test
  func `A daemon with relays passes genuine postbacks on byte for byte, and a dead address delays no other`()
    throws
  {
    let (partner, dead) = (try Receiver(), try Receiver())
    dead.status.withLock { $0 = 503 }
    let daemon = try start("[\(relay("dead", dead)),\(relay("partner", partner))]")
    let bodies = try post(150, to: daemon)
    // A forgery is stored and not passed on.
    let forged = Array(
      String(decoding: bodies[0], as: UTF8.self).replacing("\"app-id\":", with: "\"app-id\":1").utf8)
    _ = try HTTPClient(port: daemon.address.port)
      .request("POST", "/.well-known/skadnetwork/report-attribution", body: forged)
    partner.waitFor(150)
    #expect(partner.got.withLock { $0.map(\.body) } == bodies)
    #expect(partner.got.withLock { $0.map(\.name) } == (1...150).map { "\($0)" })
    #expect(dead.got.withLock { $0.isEmpty })
    let metrics = try HTTPClient(port: daemon.address.port).request("GET", "/metrics").text
    #expect(metrics.contains(#"skan_relay_lag_seconds{relay="dead"}"#))
    // It comes back, and gets all in order after the operator ends its pause.
    dead.status.withLock { $0 = 200 }
    #expect(try RelayControl(LedgerFile(path: folder.file("skan.db"))).retry("dead"))
    dead.waitFor(150)
    #expect(dead.got.withLock { $0.map(\.body) } == bodies)
    daemon.stop()
    #expect(console.errors.captured.contains(#"relay-failing relay=dead reason="answered 503""#))
    #expect(console.errors.captured.contains("relay-recovered relay=dead"))
  }

  @Test func `A daemon with relays follows a reload, and keeps the old ones if the file is wrong`() throws {
    let (first, second) = (try Receiver(), try Receiver())
    let daemon = try start("[\(relay("first", first))]")
    let early = try post(3, to: daemon)
    first.waitFor(3)
    _ = try folder.write(
      #"{"relays":[\#(relay("second", second, #","from":"beginning""#))]}"#, to: "skan.json")
    daemon.reload()
    let late = try post(2, to: daemon)
    second.waitFor(5)
    #expect(first.got.withLock { $0.map(\.body) } == early)
    #expect(second.got.withLock { $0.map(\.body) } == early + late)
    let states = try LedgerReader(path: folder.file("skan.db")).relays()
    #expect(states.map(\.name) == ["first", "second"])
    #expect(states.map { $0.removedAt == nil } == [false, true])
    _ = try folder.write(#"{"relays":[{"name":"x"}]}"#, to: "skan.json")
    daemon.reload()
    #expect(console.errors.captured.contains("relays-not-read"))
    let last = try post(1, to: daemon)
    second.waitFor(6)
    #expect(second.got.withLock { $0.map(\.body) } == early + late + last)
    // The first one is back, and goes on where it was.
    _ = try folder.write(#"{"relays":[\#(relay("first", first))]}"#, to: "skan.json")
    daemon.reload()
    first.waitFor(6)
    #expect(first.got.withLock { $0.map(\.body) } == early + late + last)
    daemon.stop()
  }

  @Test func `A new address and a new token of a relay count within two seconds, whatever the old one does`()
    throws
  {
    let (old, new) = (try Receiver(), try Receiver())
    old.isHanging.withLock { $0 = true }
    defer { old.isHanging.withLock { $0 = false } }
    let daemon = try start("[\(relay("partner", old))]")
    let bodies = try post(3, to: daemon)
    rest(microseconds: 300_000)
    _ = try folder.write(#"{"relays":[\#(relay("partner", new))]}"#, to: "skan.json")
    let began = ContinuousClock.now
    daemon.reload()
    while new.got.withLock({ $0.isEmpty }), ContinuousClock.now - began < .seconds(5) {
      rest(microseconds: 10_000)
    }
    #expect(ContinuousClock.now - began < .seconds(2))
    new.waitFor(3)
    #expect(new.got.withLock { $0.map(\.body) } == bodies)
    // A token that is rejected pauses the relay, and another one ends the pause.
    new.status.withLock { $0 = 401 }
    let more = try post(1, to: daemon)
    rest(microseconds: 1_500_000)
    new.status.withLock { $0 = 200 }
    _ = try folder.write(
      #"{"relays":[\#(relay("partner", new, #","token":"other""#))]}"#, to: "skan.json")
    let changed = ContinuousClock.now
    daemon.reload()
    new.waitFor(4)
    #expect(ContinuousClock.now - changed < .seconds(2))
    #expect(new.got.withLock { $0.map(\.body) } == bodies + more)
    let stopping = ContinuousClock.now
    daemon.stop()
    #expect(ContinuousClock.now - stopping < .seconds(5))
  }

  @Test func `A daemon with relays that was stopped goes on without a gap or a duplicate`() throws {
    let partner = try Receiver()
    let first = try start("[\(relay("partner", partner))]")
    var bodies = try post(20, to: first)
    first.stop()
    let second = try start("[\(relay("partner", partner))]")
    bodies += try post(20, to: second)
    partner.waitFor(40)
    second.stop()
    #expect(partner.got.withLock { $0.map(\.body) } == bodies)
  }
}
