import Arguments
import Campaigns
import Imports
@testable import Ledger
import Postbacks
import Tables
import Testing
import TestSupport
import Values

/// Imported spend as commands and addresses list it.
final class `A list of spend` {
  private static let first = Day(number: 20_000)
  private static let networks = ["a.example", "b.example", "1", "c\u{1F}d"]
  private static let campaigns = ["1", "12.5", "t", "Été", "d\u{1F}e", "a, \"b\""]

  private let folder: TemporaryFolder
  private let reader: LedgerReader

  /// Stores rows of which some differ in one part of their key alone.
  init() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 7)
    var rows: [String: SpendRow] = [:]
    for number in 0..<600 {
      func one<Value>(of values: [Value]) -> Value { values[random.number(below: values.count)] }
      let row = SpendRow(
        day: Day(number: Self.first.number + Int32(random.number(below: 6))), network: one(of: Self.networks),
        campaign: one(of: Self.campaigns), app: one(of: [nil, 1, 2]), currency: one(of: ["EUR", "USD"]),
        micros: Int64(number) * 10_000, impressions: one(of: [nil, 5]),
        environment: one(of: [.production, .production, .test]))
      rows[SpendRow.table.keyText(of: row)] = row
    }
    _ = try ReferenceStore(path: folder.file("skan.db")).put(Array(rows.values))
    reader = try LedgerReader(path: folder.file("skan.db"))
    self.folder = folder
  }

  private static let questions: [[String: [String]]] = [
    [:], ["from": ["2024-10-06"]], ["to": ["2024-10-06"]], ["from": ["2024-10-05"], "to": ["2024-10-07"]],
    ["network": ["A.example"]], ["network": ["b.example", "1"]], ["network": ["none.example"]],
    ["campaign": ["12.5"]], ["campaign": ["Été"]], ["app": ["2"]], ["app": ["1", "2"]], ["app": ["0"]],
    ["environment": ["test"]], ["environment": ["development"]],
    [
      "from": ["2024-10-05"], "network": ["a.example", "b.example"], "campaign": ["1"], "app": ["1"],
      "environment": ["production"],
    ],
  ]

  /// The rows that a question means, looked for among all.
  private func wanted(_ question: SpendRows) throws -> [SpendRow] {
    let numbers = question.apps.map(\.number)
    let networks = question.scope.networks.map(\.canonical)
    return try reader.imported(SpendRow.self).filter { row in
      (question.period.from.map { $0 <= row.day } ?? true)
        && (question.period.to.map { row.day < $0 } ?? true)
        && (networks.isEmpty || networks.contains(row.network))
        && (question.scope.campaign.map { $0 == row.campaign } ?? true)
        && (numbers.isEmpty || row.app.map(numbers.contains) ?? false)
        && (question.environment.map { $0 == row.environment } ?? true)
    }
  }

  private func page(
    _ question: [String: [String]], _ limit: Int?, _ cursor: String? = nil
  ) throws -> (text: String, next: String?) {
    var text = ""
    let job = try ReportKind(ImportedListing<SpendRows>.self).job(question)
    let source = ReportSource(reader: reader, now: Instant(seconds: 0))
    let next = try job(source, Delivery(.csv, limit: limit, cursor: cursor), { false }) {
      text += $0
      return true
    }.next
    return (text, next)
  }

  @Test(arguments: questions)
  func `A list of spend has the rows of its question, whole and in pages`(question: [String: [String]]) throws
  {
    let filter = try SpendRows(question)
    let wanted = try wanted(filter)
    #expect(try filter.rows(in: reader) == wanted)
    let listed = filter.listed(in: reader)
    #expect(try listed.count() == wanted.count)
    #expect(try listed.part(from: 3, most: 20) == Array(wanted.dropFirst(3).prefix(20)))
    let whole = Table(SpendRows.columns, rows: wanted).text(.csv)
    #expect(try page(question, nil).text == whole)
    for question in [question, question.merging(["sort": ["-amount"]]) { $1 }] {
      var (text, next) = try page(question, 7)
      while let cursor = next {
        let page = try page(question, 7, cursor)
        text += page.text
        next = page.next
      }
      #expect(try text == page(question, nil).text)
    }
  }

  @Test func `A page of spend goes on where its last row was removed meanwhile`() throws {
    let all = try wanted(SpendRows())
    let (_, next) = try page([:], 7)
    #expect(try ReferenceStore(path: folder.file("skan.db")).remove([all[6]]) == 1)
    let lines = Table(SpendRows.columns, rows: Array(all[7..<14])).text(.csv).split(separator: "\r\n")
    let shown = try page([:], 7, next).text.split(separator: "\r\n")
    #expect(shown == Array(lines.dropFirst()))
  }

  @Test func `A place in a list of spend is read as it was written, and nothing else is one`() throws {
    for row in try wanted(SpendRows()) {
      let text = SpendRowPlace(row).description
      #expect(SpendRowPlace(text)?.description == text)
    }
    for text in ["", "0.1.2", "0.1.t.t.t.0.0", "0.1.t.t.0.tÄ", "0.1.t.t.t_w.x"] {
      #expect(SpendRowPlace(text) == nil)
    }
  }

  @Test func `A list of spend with a limit reads the pages of the rows that it shows, wherever it begins`()
    throws
  {
    let rows = (0..<20_000).map { number in
      SpendRow(
        day: Day(number: Self.first.number + Int32(number / 1000)), network: "many.example",
        campaign: "campaign \(number)", app: nil, currency: "EUR", micros: 1)
    }
    _ = try ReferenceStore(path: folder.file("skan.db")).put(rows)
    func read(_ work: () throws -> Void) rethrows -> Int {
      let before = reader.pagesRead
      try work()
      return reader.pagesRead - before
    }
    var next: String?
    let few = try read { next = try page([:], 100).next }
    let cursor = try #require(next)
    #expect(few < 40)
    #expect(try read { next = try page([:], 100, cursor).next } < 40)
    var count = 0
    let behind = try read {
      try reader.forEachSpend(SpendSelection(), behind: SpendRowPlace(rows[19_000])) { _ in
        count += 1
        return count < 100
      }
    }
    #expect(behind < 40 && count == 100)
    #expect(try read { _ = try page([:], nil) } > 200)
  }
}
