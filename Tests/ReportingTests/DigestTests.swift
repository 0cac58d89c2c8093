import Campaigns
import JSONText
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Reports
import Testing
import TestSupport
import Values

final class `The digest of a week` {
  private let folder: TemporaryFolder
  private let path: String
  /// 2026-11-16, the first day of the week.
  private static let monday = Day(number: 20_773)
  private static let now = Day(number: 20_780).start + 8 * Hour.milliseconds
  private static let base = "https://skan.example"

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
    _ = try LedgerWriter(path: path)
  }

  private func loadMapping(from date: String = "2026-01-01") throws {
    let text = """
      {"name":"m","app":525463029,"currency":"USD","effective-from":"\(date)","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":3}}]}
      """
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m.json", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "m",
        loadedAt: mapping.effectiveFrom, document: Array(text.utf8))
    ])
  }

  /// Stores installs with a value on days counted from the Monday.
  private func store(_ groups: [(day: Int32, value: ConversionValue, campaign: String, count: Int)]) throws {
    var receipts: [Receipt] = []
    for group in groups {
      for _ in 0..<group.count {
        receipts.append(
          valid(
            "c\(receipts.count)", value: group.value,
            at: Day(number: Self.monday.number + group.day).start + 1000 * Int64(receipts.count),
            campaign: group.campaign))
      }
    }
    _ = try LedgerWriter(path: path).commit(receipts)
  }

  private func digest(apps: [AppID] = []) throws -> Digest {
    try Digest(
      weekOf: Self.monday, environment: .test, apps: apps,
      from: ReportSource(reader: LedgerReader(path: path), now: Self.now))
  }

  /// A week with a fall of revenue beyond chance, a token that ends, and a new mapping version.
  private func fill() throws {
    try loadMapping()
    try store([
      (-4, fine(1), "5239", 400), (-4, fine(0), "5239", 100), (-3, fine(1), "1111", 60),
      (2, fine(1), "5239", 200), (2, fine(0), "5239", 100), (3, fine(1), "1111", 60),
      (3, .absent, "5239", 40),
    ])
    _ = try TokenStore(path: path).add(
      .read, name: "anna", token: "a", expiresAt: Self.now + 5 * Day.milliseconds, now: Self.monday.start)
    _ = try TokenStore(path: path).add(
      .read, name: "ben", token: "b", expiresAt: Self.now + 50 * Day.milliseconds, now: Self.monday.start)
    try ReferenceStore(path: path).put(
      [("5239", 50_000), ("1111", 1)].flatMap { campaign, units in
        // What was paid on one day, and nothing on all others.
        (-26..<3).map { (day: Int32) in
          SpendRow(
            day: Day(number: Self.monday.number + day), network: "example123.skadnetwork",
            campaign: campaign, app: 525_463_029, currency: "USD",
            micros: day == -8 ? Int64(units) * 1_000_000 : 0,
            environment: .test)
        }
      })
    try LedgerUpkeep(path: path).note(.backup, at: Self.monday.start + -20 * Day.milliseconds)
  }

  @Test func `The digest as text, HTML and JSON`() throws {
    try fill()
    let digest = try digest()
    try expectGolden(digest.text(base: Self.base), "digest.txt")
    try expectGolden(digest.html(base: Self.base), "digest.html")
    try expectGolden(digest.json.text(pretty: true) + "\n", "digest.json")
    #expect(digest.subject.english.hasPrefix("Estimated revenue") && digest.subject.english.hasSuffix("less"))
    #expect(digest.sure.count { $0.text.english.contains("surely below 1") } == 1)
    #expect(digest.sure.count { $0.text.english.contains("surely above 1") } == 1)
    #expect(digest.weekNumber == 47 && digest.days.english == "16 to 22 Nov 2026")
    #expect(
      digest.lookAt.map(\.text.english) == [
        "Token 1 of anna ends on 28 Nov 2026.", "The last backup is from 27 Oct 2026.",
      ])
  }

  @Test func `The same database gives the same digest, below 30 KB, without style and pictures`() throws {
    try fill()
    let (first, second) = (try digest(), try digest())
    #expect(first == second)
    let html = first.html(base: Self.base)
    #expect(html.utf8.count < 30_000)
    for word in ["<style", "style=", "<img", "<script", "class="] { #expect(!html.contains(word), "\(word)") }
    for line in first.changed + first.sure + first.lookAt {
      #expect(
        html.contains("href=\"\(Self.base)\(line.address.replacing("&", with: "&amp;"))\""), "\(line.address)"
      )
      #expect(first.text(base: Self.base).contains(line.address))
    }
  }

  @Test func `A change that chance explains is no finding`() throws {
    try loadMapping()
    try store([(-4, fine(1), "5239", 20), (2, fine(1), "5239", 22)])
    let digest = try digest()
    #expect(digest.changed.isEmpty && digest.subject.english == "No sure change")
    #expect(abs((digest.figures.first?.conversions ?? 0) - 22) < 1e-6)
  }

  @Test func `A week without conversions states it`() throws {
    let digest = try digest()
    #expect(digest.subject.english == "Nothing arrived that a mapping decodes" && digest.figures.isEmpty)
    #expect(digest.lookAt.map(\.text.english) == ["No backup has been made yet."])
    #expect(digest.lookAt.first?.address == "/alerts")
  }

  @Test func `A mapping version that came into force is to be looked at, where its app is asked for`() throws
  {
    try loadMapping(from: "2026-11-18")
    try store([(2, fine(1), "5239", 3)])
    let digest = try digest()
    #expect(
      digest.lookAt.contains {
        $0.text.english == "A new mapping version of app 525463029 is in force from 18 Nov 2026."
          && $0.address == "/mappings?app=525463029"
      })
    let other = try self.digest(apps: [#require(AppID(7))])
    #expect(!other.lookAt.contains { $0.text.english.contains("mapping version") })
  }

  @Test(arguments: [
    ("2026-11-23T07:00:00Z", "2026-11-16"), ("2026-11-22T23:59:59Z", "2026-11-09"),
    ("2027-01-04T00:00:00Z", "2026-12-28"),
  ])
  func `The last week is the one that is over`(now: String, monday: String) throws {
    #expect(Digest.lastWeek(before: try #require(Instant(now))).description == monday)
  }
}
