import Glibc
import HTTPServer
import SQLite
import System
import TestSupport
import Testing
import Values

/// The other side of a relay: it notes the number and the body of each delivery before it answers.
private final class Receiver: Sendable {
  let got = Guarded<[(number: Int64, body: [UInt8])]>([])
  private let server: Server

  init() throws {
    let got = got
    server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      let number = Int64(request.header("Skan-Delivery") ?? "") ?? 0
      got.withLock { $0.append((number: number, body: request.body)) }
      reply.send(Response(status: 200, headers: [], body: []))
    }
  }

  var url: String { "http://127.0.0.1:\(server.address.port)/postbacks" }
  var count: Int { got.withLock { $0.count } }

  func waitFor(_ count: Int) {
    for _ in 0..<2000 where self.count < count { rest(microseconds: 5000) }
  }
}

struct `A relay that is killed` {
  @Test(arguments: [false, true])
  func `A relay that is killed in every round loses nothing, and sends 64 and those under way again at most`(
    isOrdered: Bool
  ) throws {
    let (rounds, parallel, each) = (6, 32, 150)
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let (database, receiver) = (folder.file("skan.db"), try Receiver())
    let lines = try keys.postbacks(1500, seed: 33).map { String(decoding: $0, as: UTF8.self) }
    let file = try folder.write(lines.joined(separator: "\n"), to: "postbacks.ndjson")
    let ingest = try Subprocess.run(
      "skan",
      ["ingest", "--route", "advertiser-copy", "-d", database, "--trust-test-keys", keys.publicFile, file])
    #expect(ingest.exitCode == 0, "\(ingest.errors)")
    let configuration = try folder.write(
      """
      {"relays":[{"name":"partner","url":"\(receiver.url)","environments":["test"],"from":"beginning",
        "parallel":\(parallel),"ordered":\(isOrdered)}]}
      """, to: "skan.json")
    let words = ["--config", configuration, "--trust-test-keys", keys.publicFile]
    for round in 0..<rounds {
      let daemon = try Daemon(database, words)
      receiver.waitFor(receiver.count + each + round)
      #expect(daemon.end(SIGKILL).exitCode == 128 + SIGKILL)
    }
    let stored = try number(database, "SELECT count(*) FROM postback")
    let last = try Daemon(database, words)
    for _ in 0..<400 {
      let numbers = Set(receiver.got.withLock { $0.map(\.number) })
      guard numbers.count < stored else { break }
      rest(microseconds: 25_000)
    }
    #expect(last.end(SIGTERM).exitCode == 0)
    #expect(try number(database, "SELECT postback FROM relay") == stored)
    var expected: [Int64: (app: Int64, body: [UInt8])] = [:]
    try Connection(path: database, mode: .readOnly).prepare("SELECT id, app, body FROM postback")
      .forEachRow { expected[$0.count(0)] = ($0.count(1), $0.bytes(2)) }
    var (seen, newest): (Set<Int64>, [Int64: Int64]) = ([], [:])
    let got = receiver.got.withLock { $0 }
    for (number, body) in got {
      let postback = try #require(expected[number])
      #expect(postback.body == body)
      guard seen.insert(number).inserted else { continue }
      if isOrdered { #expect(newest[postback.app, default: 0] < number) }
      newest[postback.app] = number
    }
    #expect(seen.count == Int(stored))
    #expect(got.count - seen.count <= rounds * (64 + parallel), "\(got.count - seen.count)")
  }
}
