@testable import Campaigns
@testable import Explanations
import Foundation
import Gzip
import JSONText
import Ledger
import OpenSSL
import PostbackFixtures
import Postbacks
import System
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `An export of postbacks` {
  private let folder: TemporaryFolder
  private let database: String
  private let target: String
  private var stored = 0

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    target = folder.file("warehouse")
    self.folder = folder
    _ = try LedgerWriter(path: database)
  }

  /// Stores postbacks that come on some days in no order; the last ones are of the first day.
  private func store(_ count: Int, days: Int = 3, seed: UInt64 = 1) throws {
    var random = SplitMix64(seed: seed)
    let receipts = (0..<count).map { _ in
      stored += 1
      let value = fine(Int(random.next() % 64))
      let day = Int64(random.next() % UInt64(days))
      return valid(
        "id-\(stored)", value: value, at: noon + day * Day.milliseconds, network: "net.skadnetwork", app: 1,
        campaign: "0039")
    }
    _ = try LedgerWriter(path: database).commit(receipts)
  }

  private func export(
    restarts: Bool = false, rows: Int = 1_000_000, waiting: Int = 1 << 20,
    of environment: Environment = .test,
    goesOn: (Int) -> Bool = { _ in true }
  ) throws -> PostbackExport.Outcome {
    var limits = PostbackExport.Limits()
    (limits.rows, limits.waitingBytes) = (rows, waiting)
    let export = PostbackExport(to: target, of: environment, program: "skan 0", limits: limits)
    return try export.run(from: LedgerReader(path: database), restarts: restarts, goesOn: goesOn)
  }

  /// The rows that the report prints, by the day that they name.
  private func reported() throws -> [String: [String]] {
    var text = ""
    let source = ReportSource(reader: try LedgerReader(path: database), now: Instant(seconds: 0))
    let job = try ReportKind(PostbackReport.self).job(["environment": ["test"]])
    _ = try job(source, Delivery(.ndjson), { false }) {
      text += $0
      return true
    }
    let lines = text.split(separator: "\n").map { Self.underscored(String($0)) }
    return Dictionary(grouping: lines) { line in
      line.range(of: #""received_at":"[0-9-]{10}"#, options: .regularExpression)
        .map { String(line[$0].suffix(10)) } ?? "none"
    }
  }

  /// A row with underscores in the names of its members, as files for data warehouses have it.
  private static func underscored(_ line: String) -> String {
    var line = line
    for name in [
      "received-at", "revenue-low", "revenue-mid", "revenue-high", "adds-up", "launch-earliest",
      "launch-latest",
      "event-estimates", "effective-from",
    ] {
      line = line.replacing("\"\(name)\":", with: "\"\(name.replacing("-", with: "_"))\":")
    }
    return line
  }

  /// The files of a stream that the manifest lists, their rows by day; checks what it states about each.
  private func listed(_ stream: PartPath.Stream = .rows) throws -> [String: [String]] {
    let manifest = try JSONReader.read(try FileReader.contents(of: "\(target)/manifest.json")).value.object
    var rows: [String: [String]] = [:]
    for node in manifest?["files"]?.value.array ?? [] {
      let file = try #require(node.value.object)
      let path = try #require(file["path"]?.value.string)
      guard try #require(PartPath(path)).stream == stream else { continue }
      let bytes = try FileReader.contents(of: "\(target)/\(path)")
      #expect(file["bytes"]?.value.number?.integer == Int64(bytes.count))
      #expect(file["sha-256"]?.value.string == SHA256Digest(of: bytes).hex)
      var source: [[UInt8]] = [[], bytes]
      var reader = GzipReader { source.popLast() ?? [] }
      var text: [UInt8] = []
      while let chunk = try reader.next() { text += chunk }
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
      #expect(file["rows"]?.value.number?.integer == Int64(lines.count))
      let day = String(path.dropFirst(stream.rawValue.count + 5).prefix(10))
      rows[day, default: []] += lines
    }
    return rows
  }

  /// All files below the folder but the hidden ones, as other programs see them.
  private func visible() throws -> Set<String> {
    Set(
      try FileManager.default.subpathsOfDirectory(atPath: target).filter { path in
        path.hasSuffix(".gz") && path.split(separator: "/").allSatisfy { !$0.hasPrefix(".") }
      })
  }

  @Test
  func
    `An export of postbacks has the rows of the report by day of arrival, in several members where they are many`()
    throws
  {
    try store(500)
    let outcome = try export(waiting: 20_000)
    #expect(outcome.rows == 500 && outcome.files == 3 && outcome.allRows == 500)
    #expect(try reported().count == 3)
    #expect(try listed() == reported())
    #expect(
      try visible() == [
        "date=2026-11-21/part-0001.ndjson.gz", "date=2026-11-22/part-0001.ndjson.gz",
        "date=2026-11-23/part-0001.ndjson.gz",
      ])
  }

  @Test func `An export of postbacks goes on after the last row, in a new part of a day that has one`() throws
  {
    try store(50, days: 2)
    _ = try export()
    let path = "\(target)/date=2026-11-21/part-0001.ndjson.gz"
    let before = try FileReader.contents(of: path)
    #expect(try export().rows == 0)
    try store(20, days: 1, seed: 2)
    let outcome = try export()
    #expect(outcome.rows == 20 && outcome.files == 1 && outcome.allRows == 70)
    #expect(try FileReader.contents(of: path) == before)
    #expect(try visible().contains("date=2026-11-21/part-0002.ndjson.gz"))
    #expect(try listed() == reported())
  }

  @Test func `An export of postbacks has parts of at most so many rows`() throws {
    try store(100, days: 1)
    #expect(try export(rows: 30).files == 4)
    #expect(try listed() == reported())
  }

  @Test func `An export of postbacks keeps what an interrupted run has read, and continues`() throws {
    try store(100)
    let outcome = try export { $0 < 40 }
    #expect(outcome.isInterrupted && outcome.rows == 40)
    #expect(try listed().values.reduce(0) { $0 + $1.count } == 40)
    #expect(try export().rows == 60)
    #expect(try listed() == reported())
  }

  @Test func `An export of postbacks deletes what a killed run left, and nothing else`() throws {
    try store(10, days: 1)
    _ = try export()
    let day = "\(target)/date=2026-11-21"
    let old = try FileReader.contents(of: "\(day)/part-0001.ndjson.gz")
    // A run that was killed after it renamed a file, before the manifest, and while it wrote another one.
    try AtomicFile.write(Array("left".utf8), to: "\(day)/part-0002.ndjson.gz")
    try AtomicFile.write(Array("left".utf8), to: "\(day)/.part-0003.ndjson.gz.partial")
    try AtomicFile.write(Array("left".utf8), to: "\(target)/manifest.json.77.0")
    #expect(try export().leftovers == 3)
    #expect(try visible() == ["date=2026-11-21/part-0001.ndjson.gz"])
    #expect(try FileReader.contents(of: "\(day)/part-0001.ndjson.gz") == old)
    #expect(try export().leftovers == 0)
  }

  @Test func `An export of postbacks leaves no file behind where a run fails`() throws {
    try store(10, days: 2)
    _ = try export { $0 < 1 }
    let before = try visible()
    // A folder where the next part should be.
    let second = try reported().keys.sorted().first { !before.contains("date=\($0)/part-0001.ndjson.gz") }
    let day = "\(target)/date=\(second ?? "none")"
    try FileManager.default.createDirectory(
      atPath: "\(day)/.part-0001.ndjson.gz.partial", withIntermediateDirectories: true)
    #expect(throws: ExportError.self) { _ = try self.export() }
    #expect(try visible() == before)
    try FileManager.default.removeItem(atPath: "\(day)/.part-0001.ndjson.gz.partial")
    _ = try export()
    #expect(try listed() == reported())
  }

  @Test func `An export of postbacks rejects a folder with anything that is not its own`() throws {
    try store(1)
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    for name in ["notes.txt", "date=2026-11-21"] {
      let path = "\(target)/\(name)"
      if name.contains("=") {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } else {
        try AtomicFile.write([], to: path)
      }
      #expect(throws: ExportError.foreign(folder: target, name: name)) { _ = try self.export() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: target) == [name])
      try FileManager.default.removeItem(atPath: path)
    }
    _ = try export()
    for name in ["date=2026-11-21/x.csv", "date=2026-11-21/part-1.ndjson.gz", "date=2026-11-31", "x"] {
      let path = "\(target)/\(name)"
      try FileManager.default.createDirectory(
        atPath: "\(target)/date=2026-11-21", withIntermediateDirectories: true)
      try AtomicFile.write([], to: path)
      #expect(throws: ExportError.foreign(folder: target, name: name)) { _ = try self.export(restarts: true) }
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(try export().rows == 0)
  }

  @Test func `An export of postbacks rejects another environment or database, which --restart replaces`()
    throws
  {
    try store(20)
    _ = try export()
    #expect(
      throws: ExportError.otherEnvironment(folder: target, found: "test", asked: "production")
    ) { _ = try self.export(of: .production) }
    let other = try `An export of postbacks`()
    try other.store(30, seed: 9)
    let last = try JSONReader.read(try FileReader.contents(of: "\(target)/manifest.json")).value.object?[
      "last-postback"]
    #expect(last?.value.object?["row"]?.value.number?.integer == 20)
    let export = PostbackExport(to: target, of: .test, program: "skan 0")
    let reader = try LedgerReader(path: other.database)
    #expect(throws: ExportError.otherDatabase(folder: target, row: 20)) { _ = try export.run(from: reader) }
    #expect(try export.run(from: reader, restarts: true).rows == 30)
    #expect(try listed() == other.reported())
  }

  private func load(_ mappings: [(day: Int32, rules: String)]) throws {
    try MappingStore(path: database).replaceAll(
      with: mappings.map { day, rules in
        let from = Day(number: noon.day.number + day)
        let text =
          #"{"name":"m","app":1,"currency":"USD","effective-from":"\#(from)","protocol":"skan4","fine":[\#(rules)]}"#
        return StoredMapping(
          source: "m\(day)", app: known(AppID(1)), effectiveFrom: from.start,
          digest: SHA256Digest(of: Array(text.utf8)).hex, loadedAt: noon, document: Array(text.utf8))
      })
  }

  @Test func `Rows that another mapping decodes since are exported again, once, as they are now`() throws {
    try store(300, days: 20)
    try load([(-30, #"{"value":1,"events":["buy"]}"#)])
    #expect(try export().rows == 300)
    #expect(try export().corrections == 0)
    let before = try listed()
    // A version from the eleventh day on: installs of before keep their meaning, and their rows.
    try load([(-30, #"{"value":1,"events":["buy"]}"#), (10, #"{"value":1,"events":["trial"]}"#)])
    try store(10, days: 20, seed: 5)
    let outcome = try export()
    #expect(outcome.rows == 10 && outcome.allRows == 310)
    let corrections = try listed(.corrections)
    #expect(!corrections.isEmpty && outcome.corrections == corrections.values.reduce(0) { $0 + $1.count })
    let now = try reported()
    for (day, lines) in corrections {
      #expect(try #require(Day(day)).number >= noon.day.number + 10)
      #expect(lines.allSatisfy { now[day]?.contains($0) ?? false })
    }
    // With the corrections, all rows are as they are now.
    for (day, lines) in now {
      #expect(Set(lines).isSubset(of: Set((try listed()[day] ?? []) + (corrections[day] ?? []))))
    }
    #expect(try listed().allSatisfy { Set(before[$0.key] ?? []).isSubset(of: Set($0.value)) })
    #expect(try export().corrections == 0)
  }

  @Test func `Corrections of an interrupted run are made again`() throws {
    try store(40, days: 1)
    _ = try export()
    try load([(-30, #"{"value":1,"events":["buy"]}"#)])
    #expect(try export { $0 < 15 }.corrections == 15)
    #expect(try export().corrections == 40)
    #expect(try export().corrections == 0)
  }

  @Test func `The schemas beside an export have the columns of its rows`() throws {
    try store(3)
    _ = try export()
    let row = try JSONReader.read(Array(try #require(try listed().values.first?.first).utf8))
    let names = try #require(row.value.object).members.map(\.name)
    #expect(names.contains("received_at") && names.allSatisfy { !$0.contains("-") })
    let bigQuery = try JSONReader.read(try FileReader.contents(of: "\(target)/schema-bigquery.json"))
    let fields = try #require(bigQuery.value.array)
    #expect(try fields.map { try #require($0.value.object?["name"]?.value.string) } == names)
    for file in ["schema-snowflake.sql", "schema-duckdb.sql"] {
      let text = String(decoding: try FileReader.contents(of: "\(target)/\(file)"), as: UTF8.self)
      #expect(names.allSatisfy { text.contains("\($0)") }, "\(file)")
    }
  }

  @Test func `An export of postbacks fails while another run has the folder`() throws {
    try store(2)
    var found: ExportError?
    _ = try export { _ in
      do { _ = try self.export() } catch { found = error as? ExportError }
      return true
    }
    #expect(found == .busy(folder: target))
  }

  @Test(arguments: [
    ("{", "is not JSON"), ("[]", "must be an object"), (#"{"layout":3}"#, "layout 3"),
    (#"{"layout":1}"#, #"needs a "format""#),
    (
      #"{"format":"skan-export","layout":2,"program":"x","database-layout":1,"environment":"test","last-postback":null,"mappings":[],"rows":0,"files":[{"path":"../x","rows":1,"bytes":1,"sha-256":""}]}"#,
      "$.files[0].path must be a path such as date="
    ),
  ]) func `An export of postbacks names what is wrong with a manifest`(text: String, problem: String) throws {
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    try AtomicFile.write(Array(text.utf8), to: "\(target)/manifest.json")
    do {
      _ = try export()
      Issue.record("the manifest was accepted")
    } catch let error as any UserFacingError {
      #expect(error.message.contains(problem), "\(error.message)")
      #expect(error.exitCode == .data && error.remedy != nil)
    }
  }

  @Test func `An export of postbacks reads its own manifest as it wrote it`() throws {
    try store(5)
    _ = try export()
    let bytes = try FileReader.contents(of: "\(target)/manifest.json")
    let manifest = try ExportManifest(JSONFile(bytes, name: "m", schema: "s"), folder: target)
    #expect(Array(manifest.text(program: "skan 0", schema: LedgerReader.layout).utf8) == bytes)
    #expect(manifest.rows == 5)
  }
}
