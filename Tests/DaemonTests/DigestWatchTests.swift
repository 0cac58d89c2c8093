import Campaigns
@testable import Daemon
import Delivery
import EstimateReports
import JSONText
import Ledger
import Service
import System
import TestSupport
import Testing
import Values

final class `A watch of digests` {
  private let folder: TemporaryFolder
  private let database: String
  /// A Monday.
  private let time = Guarded(Instant("2026-11-23T07:59:00Z") ?? Instant(seconds: 0))
  private let sent = Guarded<[AlertNotice]>([])
  private let keeper = PartKeeper()
  private let webhook = Webhook(
    url: "http://127.0.0.1:9/hook", secret: Array("0123456789abcdef".utf8),
    digestPages: "https://skan.example")

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    self.folder = folder
    _ = try AlertStore(path: database)
  }

  private func watch(_ webhooks: [Webhook]) -> DigestWatch {
    let clock: WallClock = { [time] in time.withLock { $0 } }
    let context = DaemonContext(
      database: database, changes: LedgerFile.existing(database),
      log: ServiceLog(Console.captured(), clock: clock, isJSON: false), clock: clock,
      figures: OperatorFigures(), keeper: keeper)
    return DigestWatch(webhooks, context) { [sent] notices in sent.withLock { $0 += notices } }
  }

  private func pass(hours: Int64) { time.withLock { $0 = $0 + hours * Hour.milliseconds } }
  private var count: Int { sent.withLock { $0.count } }

  @Test func `Each week is handed over once, on Monday morning, across a restart and an outage too`() throws {
    let first = watch([webhook])
    // The week before last is due since its own Monday.
    first.look()
    #expect(count == 1)
    first.look()
    pass(hours: 1)
    first.look()
    first.look()
    #expect(count == 2)
    let second = watch([webhook])
    second.look()
    #expect(count == 2)
    pass(hours: 3 * 7 * 24)
    second.look()
    second.look()
    #expect(count == 3)
    let weeks = try sent.withLock { $0 }.map { notice in
      try JSONReader.read(notice.body).value.object?["digest"]?.value.object?["week"]?.value.object?["from"]?
        .value
        .string
    }
    #expect(weeks == ["2026-11-09", "2026-11-16", "2026-12-07"])
    #expect(try LedgerReader(path: database).alertNotices(for: webhook.digest, limit: 9).count == 3)
  }

  @Test func `Its estimates are made of what pages are made of`() throws {
    watch([webhook]).look()
    let made = keeper.counts.made
    #expect(count == 1 && made > 0)
    var money = EstimateReport()
    money.scope.environment = .production
    _ = try money.answer(
      from: ReportSource(
        reader: try LedgerReader(path: database), now: time.withLock { $0 }, keeper: keeper))
    #expect(keeper.counts.made == made && keeper.counts.answered > 0)
  }

  @Test func `The digest of a webhook with a language is a page in it`() throws {
    let arabic = Webhook(
      url: "http://127.0.0.1:9/ar", digestPages: "https://skan.example", language: "ar")
    watch([arabic]).look()
    let notice = try #require(sent.withLock { $0 }.first)
    let body = try #require(JSONReader.read(notice.body).value.object)
    let digest = try #require(body["digest"]?.value.object)
    let html = try #require(digest["html"]?.value.string)
    #expect(html.contains("<html lang=\"ar\" dir=\"rtl\">"))
    #expect(html.contains("\u{2068}") && !html.contains("u{2068}"), "\(html)")
    // What programs read stays English.
    #expect(digest["subject"]?.value.string == "Nothing arrived that a mapping decodes")
  }

  @Test func `A webhook that does not ask for digests gets none`() throws {
    let other = Webhook(url: "http://127.0.0.1:9/other")
    watch([other, webhook]).look()
    #expect(sent.withLock { $0.map(\.webhook) } == [webhook.digest])
  }

  @Test func `The notice has the digest for programs, as text and as HTML, and is signed as alerts are`()
    throws
  {
    watch([webhook]).look()
    let notice = try #require(sent.withLock { $0 }.first)
    let body = try #require(JSONReader.read(notice.body).value.object)
    #expect(body["delivery"]?.value.string == notice.id)
    let digest = try #require(body["digest"]?.value.object)
    #expect(digest["subject"]?.value.string == "Nothing arrived that a mapping decodes")
    #expect(digest["html"]?.value.string?.contains("https://skan.example/alerts") == true)
    #expect(digest["text"]?.value.string?.contains("No backup has been made yet.") == true)
    let headers = try webhook.headers(for: notice, now: notice.createdAt)
    #expect(
      headers.contains { $0.name == "Skan-Signature" } && headers.contains { $0.name == "Skan-Delivery" })
    #expect(notice.body.count < 60_000)
  }
}
