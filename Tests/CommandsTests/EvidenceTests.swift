import Foundation
import Intake
import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import TestSupport
import Testing
import Values
import Verification

/// What is stored as it came, and what finds that it no longer is.
final class `Stored evidence` {
  private let folder: TemporaryFolder
  private let database: String
  private let keys: (secret: String, trusted: String)

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("skan.db")
    keys = try makeKeys(in: folder)
    let keyring = try Keyring()
    func receipt(_ body: [UInt8], from origin: Origin, form: NetworkForm? = nil) -> Receipt {
      Receipt(
        Arrival(receivedAt: noon, origin: origin, quotaSource: "s", body: body, form: form),
        keyring.judge(body))
    }
    let body = try SharedVectors.body("apple-4.0-web-fine")
    let other = String(decoding: body, as: UTF8.self).replacing(
      "\"conversion-value\":63", with: "\"conversion-value\":62")
    let network = Origin(.forwarded, name: "acme")
    _ = try LedgerWriter(path: database).commit([
      receipt(
        body, from: Origin(.advertiserCopy), form: NetworkForm(profile: "own", bytes: Array("a=1".utf8))),
      receipt(try SharedVectors.body("apple-3.0-win"), from: Origin(.advertiserCopy)),
      receipt(try SharedVectors.body("apple-aak-dev1-reengagement"), from: Origin(.networkAddress)),
      receipt(Array(other.utf8), from: network, form: NetworkForm(profile: "own", bytes: Array("b=1".utf8))),
      receipt(body + [0x20], from: network),
      receipt(Array("{\"version\":\"9.0\"}".utf8), from: network),
    ])
    let signed = skan("sign", "--test-key", keys.secret, "--count", "2", "--seed", "5").output
    let file = try folder.write(signed, to: "signed.ndjson")
    #expect(skan("ingest", "-d", database, "--trust-test-keys", keys.trusted, file).code == .done)
  }

  private func examine(trusting: Bool = true) throws -> BodyFindings {
    let trusted = trusting ? try KeyFile.read(Array(try Data(contentsOf: URL(filePath: keys.trusted)))) : []
    return try LedgerReader(path: database).examineBodies(by: Keyring(trusting: trusted))
  }

  private func execute(_ sql: String) throws { try Connection(path: database, mode: .readWrite).execute(sql) }

  @Test func `What is sound is counted by what shows it, and what cannot be verified by itself`() throws {
    let found = try examine()
    #expect(found.areSound)
    #expect(found.digested == 10 && found.verified == 7)
    #expect(found.withoutKey == 0)
    let without = try examine(trusting: false)
    #expect(without.areSound)
    #expect(without.verified == 5 && without.withoutKey == 2)
  }

  @Test(arguments: ["postback", "postback_copy", "rejected"])
  func `A changed byte of a stored body is found wherever it is, and its row is named`(table: String) throws {
    let connection = try Connection(path: database, mode: .readWrite)
    let bodies = try connection.prepare("SELECT id, body FROM \(table)").rows { ($0.count(0), $0.bytes(1)) }
    #expect(bodies.count >= 1)
    let change = try connection.prepare("UPDATE \(table) SET body = ?1 WHERE id = ?2")
    for (row, body) in bodies {
      for place in stride(from: Int(row) % 5, to: body.count, by: 5) {
        var changed = body
        changed[place] ^= UInt8(1 << (place % 8))
        try change.run(changed, row)
        let found = try examine(trusting: place.isMultiple(of: 2))
        #expect(found.faults.map(\.table) == [table] && found.faults.map(\.row) == [row], "byte \(place)")
        #expect(found.faults.first?.parts.contains(.digest) == true)
      }
      try change.run(body, row)
    }
    #expect(try examine().areSound)
  }

  static let changes: [(sql: String, table: String, row: Int64, part: BodyFault.Part)] = [
    ("UPDATE postback SET digest = digest + 1 WHERE id = 2", "postback", 2, .digest),
    ("UPDATE postback SET received_at = received_at + 1 WHERE id = 2", "postback", 2, .digest),
    ("UPDATE postback SET environment = 1 WHERE id = 2", "postback", 2, .environment),
    ("UPDATE postback SET environment = 3 WHERE id = 2", "postback", 2, .environment),
    ("UPDATE postback SET environment = 77 WHERE id = 2", "postback", 2, .environment),
    ("UPDATE postback SET fingerprint = fingerprint + 256 WHERE id = 2", "postback", 2, .identity),
    ("UPDATE postback_copy SET digest = x'00' WHERE id = 1", "postback_copy", 1, .digest),
    ("UPDATE postback_copy SET conflict = 'app' WHERE id = 1", "postback_copy", 1, .conflict),
    ("UPDATE postback_copy SET conflict = NULL WHERE id = 1", "postback_copy", 1, .conflict),
    ("UPDATE postback_copy SET postback = 2 WHERE id = 2", "postback_copy", 2, .identity),
    ("UPDATE postback_copy SET postback = 99 WHERE id = 2", "postback_copy", 2, .environment),
    ("UPDATE network_form SET received = x'61' WHERE kind = 0", "network_form of postback", 1, .digest),
    ("UPDATE network_form SET digest = 1 WHERE kind = 1", "network_form of postback_copy", 1, .digest),
    ("UPDATE network_form SET row = 9 WHERE kind = 1", "network_form of postback_copy", 9, .digest),
    ("UPDATE rejected SET received_at = received_at - 1", "rejected", 1, .digest),
    (
      """
      UPDATE postback SET body = CAST(replace(CAST(body AS TEXT), 'MEUCIG', 'MEUCIH') AS BLOB) WHERE id = 1
      """, "postback", 1, .signature
    ),
  ]

  @Test(arguments: changes.indices) func `A change beside a body is found, and its row is named`(index: Int)
    throws
  {
    let (sql, table, row, part) = Self.changes[index]
    try execute(sql)
    let fault = try #require(try examine().faults.first)
    #expect(fault.table == table && fault.row == row)
    #expect(fault.parts.contains(part), "\(fault.parts)")
  }

  @Test func `A damaged number of a row or hour, far from all others, stops no check and no report`() throws {
    try execute("UPDATE postback SET id = \(Int64(1) << 60) WHERE id = 2")
    try execute("UPDATE arrival_hour SET hour = \(Int64.max / 2)")
    #expect(skan("rebuild", "--check", "-d", database).code == .failedCheck)
    #expect(skan("doctor", "--deep", "-d", database, "--listen", "127.0.0.1:0").code == .failedCheck)
    #expect(skan("report", "campaigns", "-d", database).code == .done)
  }

  @Test func `skan rebuild and skan doctor name the row, and end with 1`() throws {
    func commands() -> [Outcome] {
      [
        skan("rebuild", "--check", "-d", database, "--trust-test-keys", keys.trusted),
        skan("rebuild", "--check", "-d", database, "--trust-test-keys", keys.trusted, "--format", "json"),
        skan(
          "doctor", "--deep", "-d", database, "--listen", "127.0.0.1:0", "--trust-test-keys", keys.trusted),
      ]
    }
    let good = commands()
    #expect(good.map(\.code) == [.done, .done, .done])
    let sentence = "10 digests of stored bodies agree, and 7 signatures are valid"
    #expect(
      good[0].output.hasSuffix("\(sentence)\n") && good[2].output.contains("OK    evidence: \(sentence)\n"))
    #expect(good[1].output.contains("\"valid-signatures\": 7"))
    let without = skan("doctor", "--deep", "-d", database, "--listen", "127.0.0.1:0")
    #expect(
      without.output.contains("WARN  evidence: ")
        && without.output.contains("2 signed by a key that was not given"))
    // Only the digest shows it.
    try execute(
      "UPDATE postback_copy SET body = CAST(replace(CAST(body AS TEXT), '\"conversion-value\":62', '\"conversion-value\":61') AS BLOB)"
    )
    let bad = commands()
    #expect(bad.map(\.code) == [.failedCheck, .failedCheck, .failedCheck])
    #expect(
      bad[0].output.contains("postback_copy    1  digest") && bad[0].output.contains("1 row is not as stored")
    )
    #expect(
      bad[1].output.contains("\"equal\": false") && bad[1].output.contains("\"table\": \"postback_copy\""))
    #expect(bad[2].output.contains("FAIL  evidence: not as stored: row 1 of postback_copy (digest)"))
    #expect(
      skan("rebuild", "--repair", "-d", database, "--trust-test-keys", keys.trusted).code == .failedCheck)
  }
}
