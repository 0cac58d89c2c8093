import Foundation
import HTTPServer
import Ledger
import PostbackFixtures
import Pulls
import System
import TestSupport
import Testing
import Values
import Verification

/// When postbacks of a pull arrived: as their source states it, and never by guess.
struct `The time of a pulled postback` {
  private static let names = ["apple-3.0-win", "apple-4.0-web-fine"]
  private static let time = "2026-11-10T03:04:05+00:00"

  private func bodies() throws -> [String] {
    try Self.names.map { String(decoding: try SharedVectors.body($0), as: UTF8.self) }
  }

  private func document(_ base: String, _ postbacks: String, _ others: String = "") throws -> Pull {
    try pull(#"{"pull":"test","request":{"url":"\#(base)/"},"postbacks":{\#(postbacks)}\#(others)}"#)
  }

  private func ingest(_ pull: Pull, into path: String) throws -> PullOutcome {
    known(
      try pull.rows().ingest(
        into: path, by: PullIntake(keyring: try Keyring(), settings: LedgerSettings()), clock: { noon }))
  }

  private func arrivals(_ path: String) throws -> [String] {
    try bodies().flatMap { body in
      let id = body.split(separator: "transaction-id").dropFirst().first?.split(separator: "\"").dropFirst()
        .first
      return try LedgerReader(path: path).conversions(identifier: String(id ?? "")).map { "\($0.receivedAt)" }
    }
  }

  @Test(arguments: [
    (#""received-at-member":"received""#, false), (#""member":"p","received-at-member":"received""#, true),
    (#""member":"p","received-at-member":"meta.at""#, true),
  ])
  func `The time of a pulled postback is in it, beside it or in a member of its row`(
    postbacks: String, isWrapped: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let rows = try bodies().map { body in
      let stated = #""received":"\#(Self.time)","meta":{"at":"\#(Self.time)"}"#
      return isWrapped ? #"{\#(stated),"p":\#(body)}"# : "{\(stated),\(body.dropFirst())"
    }
    for text in [rows.joined(separator: "\n"), "[\(rows.joined(separator: ","))]"] {
      let source = try TestSource { _, _ in json(text) }
      let path = folder.file("\(text.utf8.count).db")
      #expect(try ingest(try document(source.base, postbacks), into: path).sentence.contains("2 new"))
      #expect(try arrivals(path) == ["2026-11-10T03:04:05Z", "2026-11-10T03:04:05Z"])
    }
  }

  @Test func `The time of a pulled postback that is a text is within it too`() throws {
    let folder = try TemporaryFolder()
    let texts = try bodies().map { body in
      let whole = #"{"received":1795000000,\#(body.dropFirst())"#
      return #"{"p":"\#(whole.replacing("\"", with: "\\\""))"}"#
    }
    let source = try TestSource { _, _ in json(texts.joined(separator: "\n")) }
    let pull = try document(source.base, #""member":"p","received-at-member":"received""#)
    _ = try ingest(pull, into: folder.file("skan.db"))
    #expect(try arrivals(folder.file("skan.db")) == ["2026-11-18T11:06:40Z", "2026-11-18T11:06:40Z"])
  }

  @Test(arguments: [
    (#""recieved":"2026-11-10T03:04:05Z""#, "found no time of arrival in 'received'"),
    (#""received":null"#, "found no time of arrival in 'received'"),
    (#""received":"""#, "found no time of arrival in 'received'"),
    (#""received":"yesterday""#, #"yesterday\"" in received cannot be read"#),
    (#""received":46346"#, "before there were postbacks"),
    (#""received":"2027-11-10T03:04:05Z""#, "which is not past"),
  ])
  func `The time of a pulled postback that is missing or wrong is an error, and nothing is stored`(
    second: String, words: String
  ) throws {
    let folder = try TemporaryFolder()
    let bodies = try bodies()
    let source = try TestSource { _, _ in
      json(
        #"{"rows":[{"received":"\#(Self.time)","p":\#(bodies[0])},{\#(second),"p":\#(bodies[1])}]}"#)
    }
    let pull = try document(
      source.base, #""member":"p","received-at-member":"received""#, #","rows":"rows""#)
    #expect { _ = try ingest(pull, into: folder.file("skan.db")) } throws: { error in
      let error = error as? PullError
      return error?.message.contains(words) == true && error?.message.contains("postback 2") == true
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("skan.db")))
  }

  @Test func `The time of a pulled row of an export that cannot be read leaves all rows out`() throws {
    let folder = try TemporaryFolder()
    let cells = try bodies().map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
    let source = try TestSource { _, _ in
      json("sk_payload,sk_ts\n\(cells[0]),1795000000\n\(cells[1]),20/11/2026\n")
    }
    let pull = try document(source.base, #""export":"adjust-raw""#)
    #expect { _ = try ingest(pull, into: folder.file("skan.db")) } throws: { error in
      (error as? PullError)?.message.contains("line 3: the time") == true
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("skan.db")))
  }
}
