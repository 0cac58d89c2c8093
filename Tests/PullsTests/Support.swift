import Foundation
import HTTPServer
import PostbackFixtures
import Pulls
import System
import Testing
import Values

/// What a source of a test was asked.
struct Asked: Sendable {
  let method: String
  let path: String
  let query: [String: String]
  let authorization: String?
  let body: String
}

/// A source that answers what a test wants, on this machine.
final class TestSource: Sendable {
  typealias Answer = @Sendable (_ asked: Asked, _ number: Int) -> Response

  private let server: Server
  private let notes: Guarded<[Asked]>

  init(_ answer: @escaping Answer) throws {
    let notes = Guarded<[Asked]>([])
    self.notes = notes
    server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      let asked = Asked(
        method: "\(request.method)", path: request.path,
        query: Dictionary(request.queryItems.map { ($0.name, $0.value) }) { $1 },
        authorization: request.header("Authorization"), body: String(decoding: request.body, as: UTF8.self))
      let number = notes.withLock { notes in
        notes.append(asked)
        return notes.count
      }
      reply.send(answer(asked, number))
    }
  }

  var asked: [Asked] { notes.withLock { $0 } }
  var base: String { "http://127.0.0.1:\(server.address.port)" }
}

/// A clock that no run waits for.
final class TestWait: Sendable {
  private let waits = Guarded<[Int64]>([])
  private let notes = Guarded<[String]>([])
  private let most: Int

  /// - Parameter most: Waits after which the program is asked to end.
  init(stoppedAfter most: Int = .max) { self.most = most }

  var context: PullContext {
    PullContext { [waits, most] milliseconds in
      waits.withLock {
        $0.append(milliseconds)
        return $0.count <= most
      }
    } note: { [notes] note in
      notes.withLock { $0.append(note) }
    } goesOn: {
      true
    } elapsed: { [waits] in
      waits.withLock { $0.reduce(0, +) }
    }
  }

  /// The waits in seconds.
  var seconds: [Double] { waits.withLock { $0.map { Double($0) / 1000 } } }
  var noted: [String] { notes.withLock { $0 } }
}

let novemberDays = day("2026-11-01")..<day("2026-11-04")

func day(_ text: String) -> Day { Day(text) ?? Day(number: 0) }

func json(_ text: String, status: Int = 200, headers: [Response.Header] = []) -> Response {
  Response(
    status: status, headers: [.init("Content-Type", "application/json")] + headers, body: Array(text.utf8))
}

func pull(_ text: String) throws -> Pull {
  try Pull(Array(text.utf8), named: "p.json")
}

/// A pull of spend with members of a request and others.
func document(_ base: String, path: String = "/rows?a={from}&b={to}", _ others: String = "") -> String {
  #"{"pull":"test","request":{"url":"\#(base)\#(path)"},"profile":{"profile":"p","imports":"spend","records":"file","#
    + #""columns":{"date":"day","campaign":"name","amount":"cost"},"#
    + #""fixed":{"network":"example123.skadnetwork","currency":"USD"}}\#(others)}"#
}

extension PullRows {
  func text() throws -> String {
    let next = try source()
    var bytes: [UInt8] = []
    while let piece = try next() { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Pull {
  func rows(
    _ days: Range<Day> = novemberDays, _ wait: TestWait = TestWait(), environment: [String: String] = [:]
  ) throws -> PulledRows {
    try PulledRows(
      self, of: days, PullSecrets(of: self, beside: "p.json", environment: environment), wait.context,
      now: noon)
  }

  func failure(
    _ days: Range<Day> = novemberDays, _ wait: TestWait = TestWait(), environment: [String: String] = [:]
  ) throws -> PullError? {
    do {
      _ = try rows(days, wait, environment: environment)
      return nil
    } catch let error as PullError {
      return error
    }
  }
}
