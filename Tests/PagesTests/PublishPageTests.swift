import Ledger
import MappingEditing
import MappingLibrary
import Mappings
import Postbacks
import Testing
import TestSupport
import Values

struct `The page that publishes a mapping` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func document(from date: String, edges: String = "0, 20, null", _ more: String = "") -> [UInt8] {
    Array(
      """
      {"name": "m", "app": 7, "currency": "USD", "effective-from": "\(date)", "protocol": "skan4",
       "grids": [{"first-value": 1, "revenue": [\(edges)], "worth": "low"}]\(more)}
      """.utf8)
  }

  /// Pages with a version and a draft; the address of its review.
  private func site(draft: [UInt8]) throws -> (site: OpenSite, address: String) {
    let now = now
    let first = document(from: "2026-11-01")
    var id: Int64 = 0
    let site = try OpenSite(at: now) { database in
      _ = try MappingLoad.load(
        [MappingLoad.File(source: "first.json", contents: .success(first))],
        into: MappingStore(path: database), isWhole: false, now: now)
      id = try MappingDrafts(LedgerFile.existing(database)).begin(
        .document(draft), app: #require(AppID(7)), by: "ana", now: now
      ).id
    }
    return (site, "/mappings/publish?draft=\(id)")
  }

  private func value(_ name: String, in page: String) throws -> String {
    let start = try #require(page.firstRange(of: "name=\"\(name)\" value=\""), "\(name)")
    return String(page[start.upperBound...].prefix { $0 != "\"" })
  }

  private func boxes(_ page: String) -> [String] {
    page.components(separatedBy: "name=\"ack\" value=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  /// Sends the form as the page shows it.
  private func publish(_ site: OpenSite, _ address: String, boxes: [String]) throws -> HTTPAnswer {
    let page = try site.page(address)
    let day = try value("reviewed", in: page)
    return try site.post(
      address,
      [
        ("etag", try value("etag", in: page)), ("reviewed", day), ("effective-from", day), ("do", "publish"),
      ] + boxes.map { ("ack", $0) })
  }

  /// Three values that others outrank, which is one kind of warning, no coarse values, and values that change.
  private var doubtful: [UInt8] {
    document(
      from: "2026-12-01", edges: "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, null",
      """
      , "fine": [{"value": 40, "events": ["a"]}, {"value": 41, "events": ["a"]}, {"value": 42, "events": ["b"]},
        {"value": 43, "events": ["b"]}, {"value": 44, "events": ["c"]}, {"value": 45, "events": ["c"]}]
      """)
  }

  @Test func `Each kind of warning has one box, whatever the number of its findings`() throws {
    let (site, address) = try site(draft: doubtful)
    let page = try site.page(address)
    let kinds = boxes(page)
    #expect(kinds.count == Set(kinds).count && kinds.contains("changed"), "\(kinds)")
    let reading = MappingDocument.check(doubtful, at: now)
    #expect(Set(kinds).subtracting(["changed"]) == Set(reading.findings.map(\.code.text)))
    #expect(reading.findings.count > kinds.count)
  }

  @Test
  func `It is published only with every box, which the server checks, and then developers get their page`()
    throws
  {
    let (site, address) = try site(draft: doubtful)
    let kinds = boxes(try site.page(address))
    for left in kinds {
      let answer = try publish(site, address, boxes: kinds.filter { $0 != left })
      #expect(answer.status == 200 && answer.text.contains("Check the box of each warning"), "\(left)")
    }
    #expect(try LedgerReader(path: site.database).mappings().count == 1)
    let done = try publish(site, address, boxes: kinds)
    #expect(done.status == 303)
    #expect(done.header("location") == "/mappings/handover?app=7&version=2&published=2")
    #expect(try LedgerReader(path: site.database).mappings().count == 2)
    let page = try site.page("/mappings/handover?app=7&version=2&published=2")
    #expect(page.contains("Version 2 is published."))
  }

  @Test func `The page has the next version's number, and no number where a version has the day`() throws {
    let (site, address) = try site(draft: document(from: "2026-12-01", edges: "0, 30, null"))
    #expect(try site.page(address).contains("It becomes version 2 of app"))
    #expect(try site.page("\(address)&from=2026-10-01").contains("It becomes version 1 of app"))
    #expect(
      try site.page("\(address)&from=2026-10-01").contains("versions that begin later get the next numbers"))
    let taken = try site.page("\(address)&from=2026-11-01")
    #expect(!taken.contains("It becomes version"))
    let message = try #require(taken.firstRange(of: "Version 1 begins on"))
    let form = try #require(taken.firstRange(of: "class=\"stages\""))
    #expect(message.lowerBound < form.lowerBound)
    #expect(taken.contains("aria-disabled=\"true\""))
  }

  @Test func `The usual day is one that no version has`() throws {
    let (site, address) = try site(draft: document(from: "2026-11-01", edges: "0, 30, null"))
    _ = try MappingLoad.load(
      [MappingLoad.File(source: "next.json", contents: .success(document(from: "2026-11-25")))],
      into: MappingStore(path: site.database), isWhole: false, now: now)
    #expect(try value("reviewed", in: site.page(address)) == "2026-11-26")
  }

  @Test(arguments: ["", "soon", "2026-13-40"])
  func `A field without a date is named above the boxes, and nothing is published`(words: String) throws {
    let (site, address) = try site(draft: document(from: "2026-12-01", edges: "0, 30, null"))
    let page = try site.page(address)
    let answer = try site.post(
      address,
      [("etag", try value("etag", in: page)), ("effective-from", words), ("do", "publish")]
        + boxes(page).map { ("ack", $0) })
    #expect(answer.text.contains("Enter the first day as a date"))
    #expect(try LedgerReader(path: site.database).mappings().count == 1)
  }

  @Test func `A version that another editor published is shown before the boxes, with its differences`()
    throws
  {
    let (site, address) = try site(draft: document(from: "2026-12-01", edges: "0, 30, null"))
    _ = try MappingLoad.load(
      [
        MappingLoad.File(
          source: "theirs.json", contents: .success(document(from: "2026-11-20", edges: "0, 5, null")))
      ],
      into: MappingStore(path: site.database), isWhole: false, now: now)
    let page = try site.page(address)
    let message = try #require(page.firstRange(of: "Another version was published meanwhile"))
    let form = try #require(page.firstRange(of: "class=\"stages\""))
    #expect(message.lowerBound < form.lowerBound)
    #expect(page.contains("new=2&amp;old=1#h-differences"))
    let answer = try publish(site, address, boxes: boxes(page))
    #expect(answer.status == 409)
    #expect(try LedgerReader(path: site.database).mappings().count == 2)
  }

  @Test func `The page states which users, reports and apps a version changes`() throws {
    let (site, address) = try site(draft: document(from: "2026-12-01", edges: "0, 30, 60, null"))
    let changes = try site.section("changes", of: address)
    #expect(changes.contains("2 values mean something else"))
    #expect(changes.contains("1 value is new: 3."))
    #expect(changes.contains("Nothing. Their values keep the meaning of version 1."))
    #expect(changes.contains("sends values of version 1, and they are read as version 2"))
  }
}
