import Foundation
import JSONText
import System
import TestSupport
import Testing

private let configuration = #"""
  {"networks":[{"name":"loud","token":"loud-0123456789abcdef"},{"name":"quiet","token":"quiet-0123456789abcdef"}],
   "limits":{"requests-per-second":0}}
  """#

@Suite(.serialized) final class `The shares of networks` {
  private let folder: TemporaryFolder
  private let keys: TestKeys
  private let daemon: Daemon

  init() throws {
    let folder = try TemporaryFolder()
    keys = try TestKeys(in: folder)
    daemon = try Daemon(
      folder.file("skan.db"),
      ["--config", folder.write(configuration, to: "skan.json"), "--trust-test-keys", keys.publicFile])
    self.folder = folder
  }

  private static func forward(_ body: [UInt8], as network: String, on client: HTTPClient) throws -> HTTPAnswer
  {
    try client.request(
      "POST", "/v1/networks/\(network)/postbacks",
      headers: [("Authorization", "Bearer \(network)-0123456789abcdef")], body: body)
  }

  @Test func `A network's single postbacks are stored while another's rejected batches fill the queue`()
    throws
  {
    let batch = Array(("[" + repeatElement("{}", count: 10_000).joined(separator: ",") + "]").utf8)
    let (batches, ended) = (Guarded<[Int]>([]), Guarded(0))
    let port = daemon.port
    let senders = try (0..<6).map { _ in
      try Worker {
        for _ in 0..<3 {
          let answer = try? Self.forward(batch, as: "loud", on: HTTPClient(port: port, seconds: 120))
          batches.withLock { $0.append(answer?.status ?? 0) }
        }
        ended.withLock { $0 += 1 }
      }
    }
    let singles = try keys.postbacks(400, seed: 1)
    var statuses: [Int] = []
    for body in singles where ended.withLock({ $0 }) < 6 || statuses.count < 20 {
      statuses.append(try Self.forward(body, as: "quiet", on: daemon.client()).status)
    }
    for sender in senders { sender.join() }
    #expect(statuses.allSatisfy { $0 == 200 })
    // The loud one has only itself to wait for: it is turned away or served, and nothing is cut off.
    #expect(batches.withLock { $0.allSatisfy { $0 == 200 || $0 == 503 } })
    #expect(daemon.end(SIGTERM).exitCode == 0)
    #expect(try number(folder.file("skan.db"), "SELECT count(*) FROM postback") == Int64(statuses.count))
  }

  @Test
  func `A network gets an answer for each item that is too large, and the others of the batch are stored`()
    throws
  {
    let bodies = try keys.postbacks(3, seed: 2)
    func padded(_ body: [UInt8], to count: Int) -> [UInt8] {
      let start = Array(#"{"padding":""#.utf8)
      let end = Array("\",".utf8) + body.dropFirst()
      return start + [UInt8](repeating: 120, count: count - start.count - end.count) + end
    }
    let documents = [bodies[0], padded(bodies[1], to: 65_537), padded(bodies[2], to: 65_536)]
    let answer = try Self.forward(
      Array(documents.joined(separator: [10])), as: "quiet", on: daemon.client())
    #expect(answer.status == 200)
    let results = try #require(JSONReader.read(answer.body).value.object?["results"]?.value.array)
    let members = results.map { $0.value.object }
    #expect(members.map { $0?["state"]?.value.string } == ["valid", "malformed", "valid"])
    #expect(members.map { $0?["stored"]?.value.string } == ["first", "kept", "first"])
    #expect(members[1]?["reason"]?.value.string == "too-large: the body has more than 65536 bytes")
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }
}
