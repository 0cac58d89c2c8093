import Foundation
import Postbacks
import SQLite
import Signing
import TestSupport
import Verification

/// Apple's address for SKAdNetwork.
let skanPath = "/.well-known/skadnetwork/report-attribution"

/// A running `skan serve` on a port of its own.
final class Daemon {
  /// Where it listens.
  let port: UInt16
  /// Where its pages are; 0 where it serves none.
  let pagesPort: UInt16
  private let process: Subprocess
  /// Its process number.
  var identifier: Int32 { process.identifier }

  /// Starts one and waits for its ready line.
  init(_ database: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    process = try Subprocess(
      "skan", ["serve", "--database", database, "--listen", "127.0.0.1:0"] + arguments,
      environment: environment)
    guard let line = process.waitForLine(containing: "listening on"),
      let digits = line.split(separator: ":").compactMap({ UInt16($0.prefix { $0.isNumber }) }).last
    else {
      throw HTTPClientError(description: "the daemon did not start: \(process.finish().errors)")
    }
    port = digits
    pagesPort =
      arguments.contains("--pages")
      ? process.waitForLine(containing: "pages on")?.split(separator: ":").last
        .flatMap { UInt16($0.prefix { $0.isNumber }) } ?? 0 : 0
  }

  /// Opens a connection.
  func client() throws -> HTTPClient { try HTTPClient(port: port) }

  /// Posts a body as a device does, on a connection of its own.
  func post(_ body: [UInt8], _ path: String = skanPath, headers: [(String, String)] = []) throws -> HTTPAnswer
  {
    try client().request("POST", path, headers: headers, body: body)
  }

  /// Asks for a path.
  func get(_ path: String, token: String? = nil) throws -> HTTPAnswer {
    try client().request("GET", path, headers: token.map { [("Authorization", "Bearer \($0)")] } ?? [])
  }

  /// Sends a signal.
  func send(_ signal: Int32) { process.send(signal) }

  /// Waits for a line of the log.
  func waitForLog(_ text: String) -> String? { process.waitForErrorLine(containing: text) }

  /// Waits for the end, which the caller has to cause.
  func waitForEnd() -> ProgramResult { process.finish() }

  /// Sends a signal and waits for the end.
  func end(_ signal: Int32) -> ProgramResult {
    process.send(signal)
    return process.finish()
  }
}

/// Throw-away keys in files.
struct TestKeys {
  let keys: SigningKeys
  let publicFile: String
  let secretFile: String

  init(in folder: borrowing TemporaryFolder) throws {
    keys = try SigningKeys.generate()
    publicFile = try folder.write(KeyFile.text(of: keys.keys, includingPrivateKeys: false), to: "public.json")
    secretFile = try folder.write(KeyFile.text(of: keys.keys, includingPrivateKeys: true), to: "secret.json")
  }

  /// Signed postbacks made from a seed.
  func postbacks(_ count: Int, seed: UInt64) throws -> [[UInt8]] {
    var generator = PostbackGenerator(seed: seed)
    return try (0..<count).map { _ in try keys.sign(generator.next()) }
  }
}

/// Reads one number from a database.
func number(_ database: String, _ sql: String) throws -> Int64 {
  try Connection(path: database, mode: .readOnly).integer(sql) ?? 0
}

/// Reads one text from a database.
func text(_ database: String, _ sql: String) throws -> String {
  try Connection(path: database, mode: .readOnly).text(sql) ?? ""
}

/// Every body that a database holds as a conversion's first copy.
func storedBodies(_ database: String) throws -> [[UInt8]] {
  var bodies: [[UInt8]] = []
  try Connection(path: database, mode: .readOnly).prepare("SELECT body FROM postback")
    .forEachRow { bodies.append($0.bytes(0)) }
  return bodies
}

/// What the totals and rows of a database come to, without times, for comparing two databases.
func figures(_ database: String) throws -> [Int64] {
  try [
    "SELECT count(*) FROM postback", "SELECT sum(postbacks) FROM v_campaign_days",
    "SELECT sum(postbacks) FROM v_campaign_days WHERE window = 1 AND outcome = 'install'",
    "SELECT sum(values_null) FROM v_campaign_days",
    "SELECT sum(fingerprint & 65535) FROM postback",
  ].map { try number(database, $0) }
}
