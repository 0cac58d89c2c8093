import Arguments
import Configuration
import Foundation
import HTTPServer
import Intake
import JSONText
@testable import Ledger
@testable import Routing
@testable import Service
import SQLite
import System
import Testing
import TestSupport
import Values
import Verification

private let token = "read-0123456789abc"

/// A service in this process with one resource, which answers when it is let.
private final class SlowService {
  private let folder: TemporaryFolder
  private let ledger: PostbackLedger
  let service: PostbackService
  /// How many questions wait in the resource, and whether they may go on.
  let gate = Guarded((waiting: 0, isOpen: false))

  init(readSeconds: Double = 30) throws {
    folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    ledger = try PostbackLedger(path: database)
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    let context = ServiceContext(
      database: database, access: Access(readTokens: [.init(of: Array(token.utf8))]))
    configuration.readSeconds = readSeconds
    let gate = gate
    let slow = ReadResource(path: "/v1/slow", words: []) { _ throws(ParameterError) in
      { _ in
        gate.withLock { $0.waiting += 1 }
        gate.wakeAll()
        return gate.wait { $0.isOpen ? ReadResource.Answer(text: "slow\n") : nil }
      }
    }
    let late = ReadResource(path: "/v1/late", words: []) { _ throws(ParameterError) in
      {
        // Counts for minutes unless it is interrupted.
        let count = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 5000000000)"
        _ = try $0.reader.connection.integer("\(count) SELECT count(*) FROM c")
        return nil
      }
    }
    service = try PostbackService(
      configuration, context, intake: PostbackIntake(keyring: try Keyring(), ledger: ledger), ledger: ledger,
      resources: [slow, late])
  }

  func ask(_ method: String, _ path: String, body: [UInt8] = []) throws -> HTTPAnswer {
    try HTTPClient(port: service.address.port).request(
      method, path, headers: [("Authorization", "Bearer \(token)")], body: body)
  }

  func open() {
    gate.withLock { $0.isOpen = true }
    gate.wakeAll()
  }

  deinit {
    open()
    service.stop(withinSeconds: 10)
    ledger.close()
  }
}

struct `A slow query` {
  @Test(.timeLimit(.minutes(1))) func `A slow query delays no device and no operator`() throws {
    let slow = try SlowService()
    let answers = Guarded<[String]>([])
    // More of them than the server has threads, so that one that took a thread would be noticed.
    let readers = try (0..<6).map { _ in
      try Worker { [port = slow.service.address.port] in
        let answer = try? HTTPClient(port: port).request(
          "GET", "/v1/slow", headers: [("Authorization", "Bearer \(token)")], body: [])
        answers.withLock { $0.append(answer?.text ?? "none") }
      }
    }
    _ = slow.gate.wait { $0.waiting == 2 ? true : nil }
    let posted = try slow.ask(
      "POST", "/.well-known/skadnetwork/report-attribution", body: SharedVectors.body("apple-4.0-web-fine"))
    #expect(posted.status == 200)
    #expect(try slow.ask("GET", "/healthz").status == 200)
    #expect(answers.withLock { $0.isEmpty })
    slow.open()
    for reader in readers { reader.join() }
    #expect(answers.withLock { $0 } == Array(repeating: "slow\n", count: 6))
  }

  @Test(.timeLimit(.minutes(1))) func `A slow query that took too long gets an error`() throws {
    let slow = try SlowService(readSeconds: 0.2)
    let answer = try slow.ask("GET", "/v1/late")
    #expect(answer.status == 503)
    #expect(answer.header("retry-after") == "30")
    #expect(answer.text.contains("\"took-too-long\""))
    #expect(answer.header("x-content-type-options") == "nosniff")
  }
}

struct `A pool of readers` {
  @Test func `A pool of readers answers readers in turn, however much one of them asks`() {
    var turns = ReaderTurns<String>(mostOfReader: 5)
    let readers = Array(repeating: "a", count: 9) + ["b", "b", "c"]
    let areTaken = readers.enumerated().map { turns.append($1 + "\($0)", of: .holder($1)) }
    #expect(areTaken.count { !$0 } == 4)
    let first = (0..<4).map { _ in turns.next() }
    #expect(first == ["a0", "b9", "c11", "a1"])
    // Who comes later waits for one query of each of the others.
    let isTaken = turns.append("d", of: .holder("d"))
    #expect(isTaken)
    let next = (0..<4).map { _ in turns.next() }
    #expect(next == ["b10", "a2", "d", "a3"])
    #expect(turns.removeAll() == ["a4"])
    #expect(turns.next() == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A pool of readers rejects queries beyond its limit, and those that wait at its end`() throws {
    let pool = try ReaderPool(threads: 1, mostWaiting: 2)
    let state = Guarded((isBusy: false, isOpen: false, ends: [ReaderPool.Turn]()))
    func ask(_ reader: String) {
      pool.answer(.holder(reader)) { turn in state.withLock { $0.ends.append(turn) } }
    }
    pool.answer(.holder("a")) { _ in
      state.withLock { $0.isBusy = true }
      state.wakeAll()
      _ = state.wait { $0.isOpen ? true : nil }
    }
    _ = state.wait { $0.isBusy ? true : nil }
    for _ in 0..<3 { ask("a") }
    #expect(state.withLock { $0.ends } == [.tooMany])
    // Another reader waits for its own queries alone.
    ask("b")
    #expect(state.withLock { $0.ends } == [.tooMany])
    pool.close()
    #expect(state.withLock { $0.ends } == [.tooMany, .stopping, .stopping, .stopping])
    ask("a")
    #expect(state.withLock { $0.ends.last } == .stopping)
    state.withLock { $0.isOpen = true }
    state.wakeAll()
  }

  @Test(.timeLimit(.minutes(1))) func `A pool of readers answers every accepted query`() throws {
    let pool = try ReaderPool(threads: 3, mostWaiting: 30)
    let count = Guarded(0)
    for _ in 0..<30 {
      pool.answer(.holder("a")) { turn in
        count.withLock { $0 += turn == .come ? 1 : 0 }
        count.wakeAll()
      }
    }
    _ = count.wait { $0 == 30 ? true : nil }
  }
}
