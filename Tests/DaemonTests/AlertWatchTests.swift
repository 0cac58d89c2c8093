import Alerts
@testable import Daemon
import Glibc
import HTTPClient
import HTTPServer
import Ledger
import PostbackFixtures
import SQLite
import Service
import System
import TestSupport
import Testing
import Values
import Delivery

final class `A watch of alerts` {
  private let folder: TemporaryFolder
  private let database: String
  private let time = Guarded(noon)
  private let console = Console.captured()
  private let webhook = Webhook(url: "http://127.0.0.1:9/hook", secret: Array("0123456789abcdef".utf8))

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    self.folder = folder
    _ = try AlertStore(path: database)
  }

  private var clock: WallClock { { [time] in time.withLock { $0 } } }
  private var context: DaemonContext {
    DaemonContext(
      database: database, changes: LedgerFile.existing(database),
      log: ServiceLog(console, clock: clock, isJSON: false), clock: clock,
      figures: OperatorFigures())
  }

  private func watch(_ lost: Guarded<Int>, _ board: AlertSnapshot) -> AlertWatch {
    var disk = AlertRule(.diskSpace)
    disk.isEnabled = false
    return AlertWatch(
      AlertRules([disk]), file: nil, board: board, webhooks: [webhook], context,
      trouble: { .init(lost: lost.withLock { $0 }) })
  }

  private func worker() -> WebhookSender {
    WebhookSender(webhook, context, seed: 1)
  }

  private func pass(_ minutes: Int64) { time.withLock { $0 = $0 + minutes * 60_000 } }

  @Test func `A watch of alerts reports each beginning and each end once, across a restart too`() throws {
    let (lost, board) = (Guarded(0), AlertSnapshot())
    let first = watch(lost, board)
    first.look()
    #expect(board.records.isEmpty)
    lost.withLock { $0 = 3 }
    pass(1)
    first.look()
    pass(1)
    first.look()
    #expect(board.firing.map(\.id) == ["not-stored"])
    #expect(try LedgerReader(path: database).alertNotices(for: webhook.digest, limit: 9).count == 1)
    // Another process: it knows of no loss, so the alert ends after a while, and is not reported again.
    let second = watch(Guarded(0), board)
    second.look()
    #expect(board.firing.map(\.since) == [noon + 60_000])
    #expect(try LedgerReader(path: database).alertNotices(for: webhook.digest, limit: 9).count == 1)
    pass(10)
    second.look()
    #expect(board.firing.isEmpty)
    #expect(board.records.map(\.state) == ["resolved"])
    #expect(try LedgerReader(path: database).alertNotices(for: webhook.digest, limit: 9).count == 2)
    pass(8 * 24 * 60)
    second.look()
    #expect(board.records.isEmpty)
    let lines = console.errors.captured.split(separator: "\n").filter { $0.contains("id=not-stored") }
    #expect(lines.map { $0.split(separator: " ")[2] } == ["alert-firing", "alert-resolved"])
  }

  @Test func `A watch of alerts delivers once to a webhook that fails first, across a restart too`() throws {
    let store = try AlertStore(path: database)
    let notices = (0..<3).map { index in
      AlertNotice(
        webhook: webhook.digest, id: "n\(index)", createdAt: noon, nextAt: noon, body: Array("{}".utf8))
    }
    try store.save([], notices, forgettingBefore: noon)
    let (seen, answers) = (Guarded<[String]>([]), Guarded([503, 500, 302]))
    let post: WebhookSender.Post = { (notice, headers) throws(PostError) in
      seen.withLock { $0.append(notice.id) }
      return answers.withLock { $0.isEmpty ? 204 : $0.removeFirst() }
    }
    let first = worker()
    first.load()
    first.deliver(by: post)
    // The first one failed, so the others wait behind it, and nothing is tried before its time.
    first.deliver(by: post)
    #expect(seen.withLock { $0 } == ["n0"])
    pass(1)
    first.deliver(by: post)
    let second = worker()
    second.load()
    #expect(second.waiting == 3)
    second.deliver(by: post)
    #expect(seen.withLock { $0 } == ["n0", "n0"])
    pass(1)
    second.deliver(by: post)
    pass(1)
    second.deliver(by: post)
    #expect(seen.withLock { $0 } == ["n0", "n0", "n0", "n0", "n1", "n2"])
    #expect(second.waiting == 0)
    let third = worker()
    third.load()
    #expect(third.waiting == 0)
  }

  @Test func `A notice that arrived while the database could not be written is removed from it later`() throws
  {
    let notice = AlertNotice(
      webhook: webhook.digest, id: "n", createdAt: noon, nextAt: noon, body: Array("{}".utf8))
    try AlertStore(path: database).save([], [notice], forgettingBefore: noon)
    let (worker, seen) = (worker(), Guarded(0))
    worker.load()
    let post: WebhookSender.Post = { [database] (_, _) throws(PostError) in
      seen.withLock { $0 += 1 }
      #expect(rename(database, database + "-aside") == 0)
      return 204
    }
    worker.deliver(by: post)
    #expect(rename(database + "-aside", database) == 0)
    #expect(try LedgerReader(path: database).alertNotices(for: webhook.digest, limit: 9).count == 1)
    worker.deliver(by: post)
    #expect(try LedgerReader(path: database).alertNotices(for: webhook.digest, limit: 9).isEmpty)
    #expect(seen.withLock { $0 } == 1)
  }

  @Test func `A notice that is saved only after it arrived does not stay in the database`() throws {
    let notice = AlertNotice(
      webhook: webhook.digest, id: "n", createdAt: noon, nextAt: noon, body: Array("{}".utf8))
    let worker = worker()
    worker.add([notice])
    worker.deliver { (_, _) throws(PostError) in 204 }
    try AlertStore(path: database).save([], [notice], forgettingBefore: noon)
    worker.noteSaved([notice])
    worker.deliver { (_, _) throws(PostError) in 500 }
    #expect(try LedgerReader(path: database).alertNotices(for: webhook.digest, limit: 9).isEmpty)
  }

  @Test func `A watch of alerts gives up a webhook that fails for a day`() throws {
    let worker = worker()
    worker.add([
      AlertNotice(webhook: webhook.digest, id: "n", createdAt: noon, nextAt: noon, body: [])
    ])
    for _ in 0..<200 where worker.waiting > 0 {
      worker.deliver { (_, _) throws(PostError) in throw PostError(code: .timedOut, reason: "slow") }
      pass(10)
    }
    #expect(worker.waiting == 0)
    #expect(console.errors.captured.contains("alert-not-delivered webhook=http://127.0.0.1:9 delivery=n"))
    #expect(!console.errors.captured.contains("/hook"))
  }

  @Test func `A watch of alerts delivers in time after the clock was ahead and was set back`() throws {
    let worker = worker()
    pass(365 * 24 * 60)
    worker.add([
      AlertNotice(webhook: webhook.digest, id: "n", createdAt: clock(), nextAt: clock(), body: [])
    ])
    worker.deliver { (_, _) throws(PostError) in throw PostError(code: .timedOut, reason: "slow") }
    pass(-365 * 24 * 60)
    worker.deliver { (_, _) throws(PostError) in 204 }
    #expect(worker.waiting == 0)
  }

  @Test func `A watch of alerts reports that the clock was set back, and ends that alert in time`() throws {
    let board = AlertSnapshot()
    let watch = watch(Guarded(0), board)
    pass(365 * 24 * 60)
    watch.look()
    pass(-365 * 24 * 60)
    watch.look()
    #expect(board.firing.map(\.id) == ["clock"])
    for _ in 0..<12 {
      pass(1)
      watch.look()
    }
    #expect(board.firing.isEmpty)
    #expect(board.records.map(\.id) == ["clock"])
  }

  @Test func `A watch of alerts splits very many alerts into notices that fit, and few log lines`()
    throws
  {
    let many = (0..<2500).map { number in
      AlertRecord(
        id: "null-share/campaign=\(number)", kind: "null-share", severity: "warning", app: nil, network: nil,
        campaign: "\(number)", origin: nil, since: noon, value: 1, bound: 0.5,
        sentence: Sentence(name: "Many."), remedy: Sentence(""),
        command: "")
    }
    try AlertStore(path: database).save(many, [], forgettingBefore: noon)
    let board = AlertSnapshot()
    let watch = watch(Guarded(0), board)
    watch.look()
    #expect(board.firing.count == 2500)
    pass(10)
    watch.look()
    #expect(board.firing.isEmpty)
    let reader = try LedgerReader(path: database)
    #expect(try reader.alerts(endedSince: noon).filter { $0.resolvedAt != nil }.count == 2500)
    let notices = try reader.alertNotices(for: webhook.digest, limit: 10_000)
    #expect(notices.count == 25)
    #expect(Set(notices.map(\.id)).count == 25)
    #expect(notices.allSatisfy { $0.body.count < 100_000 })
    let lines = console.errors.captured.split(separator: "\n")
    #expect(lines.count < 110)
    #expect(lines.contains { $0.contains("alert-resolved") && $0.contains("more=2400") })
  }
}
