import Foundation
import HTTPServer
import System
import TestSupport
import Testing
import Values

/// Answers what it is given on a thread of its own, so that connections are suspended meanwhile.
private final class Answerer: Sendable {
  private let waiting = Waiting()
  private let hasEnded = Guarded(false)
  private let worker: Worker

  init() throws {
    let (waiting, hasEnded) = (waiting, hasEnded)
    worker = try Worker {
      while !hasEnded.withLock({ $0 }) {
        waiting.finish { $0.send(Response(status: 200)) }
        usleep(50)
      }
    }
  }

  /// Takes a reply over.
  func take(_ reply: consuming Reply) { waiting.hold(reply) }

  /// Answers what is left and ends the thread.
  func end() {
    hasEnded.withLock { $0 = true }
    worker.join()
    waiting.finish { $0.send(Response(status: 200)) }
  }
}

/// Posts over kept connections, and over new ones whenever one closes, until it is stopped.
private func post(to port: UInt16, until hasEnded: Guarded<Bool>) {
  while !hasEnded.withLock({ $0 }) {
    guard let client = try? HTTPClient(port: port, seconds: 5) else { continue }
    while let answer = try? client.request("POST", "/", body: [1, 2, 3]), answer.status == 200,
      !hasEnded.withLock({ $0 })
    {}
  }
}

/// Starts and stops servers under clients that never pause.
private func stopUnderLoad(rounds: Int, seed: UInt64) throws {
  var random = SplitMix64(seed: seed)
  for _ in 0..<rounds {
    let answerer = try Answerer()
    let server = try TestServer(handler: { _, reply in answerer.take(reply) })
    let hasEnded = Guarded(false)
    let port = server.port
    let clients = try (0..<6).map { _ in try Worker { post(to: port, until: hasEnded) } }
    usleep(UInt32(random.next() % 20_000))
    let areAllDone = server.server.stop(withinSeconds: 10)
    hasEnded.withLock { $0 = true }
    for client in clients { client.join() }
    answerer.end()
    guard areAllDone else { throw HTTPClientError(description: "requests were cut off") }
  }
}

@Suite struct `Stopping a server under load` {
  @Test func `Stopping a server under load never aborts the process`() async {
    await #expect(processExitsWith: .success) { try stopUnderLoad(rounds: 60, seed: 20_260_101) }
  }
}
