import HTTPClient
@testable import Ledger
import PostbackFixtures
import Postbacks
@testable import Delivery
import System
import TestSupport
import Testing
import Values
@_spi(Unsigned) import Verification

/// A receipt of a postback that counts as valid; its body is its identifier, or another one.
func receipt(
  _ id: String, at time: Instant = noon, by origin: Origin = Origin(.advertiserCopy),
  network: String = "example123.skadnetwork", app: Int64 = 525_463_029, body: String? = nil
) -> Receipt {
  valid(id, value: .absent, at: time, origin: origin, network: network, app: app, body: body ?? id)
}

/// Posts of a relay to a function of a test, each on a thread of its own.
final class TestChannel: RelayChannel {
  typealias Post = @Sendable (RelayMessage, _ url: String) throws -> PostAnswer

  private struct State {
    var ended: [(number: Int, outcome: RelayOutcome)] = []
    var underWay: Set<Int> = []
  }

  private let post: Post
  private let state = Guarded(State())
  private let workers = Guarded<[Worker]>([])

  init(_ post: @escaping Post) { self.post = post }

  deinit { for worker in workers.withLock({ $0 }) { worker.join() } }

  func start(_ message: RelayMessage, to url: String, as number: Int) {
    state.withLock { _ = $0.underWay.insert(number) }
    let worker = try? Worker { [post, state] in
      let outcome = RelayOutcome { try post(message, url) }
      state.withLock { state in
        guard state.underWay.remove(number) != nil else { return }
        state.ended.append((number: number, outcome: outcome))
      }
      state.wakeAll()
    }
    guard let worker else {
      return state.withLock { $0.ended.append((number: number, outcome: .failure(ThreadMissing()))) }
    }
    workers.withLock { $0.append(worker) }
  }

  private struct ThreadMissing: Error {}

  func ended(withinMilliseconds milliseconds: Int) -> [(number: Int, outcome: RelayOutcome)] {
    let found = state.wait(atMostMicroseconds: UInt64(milliseconds) * 1000) { state in
      defer { state.ended = [] }
      return state.ended.isEmpty ? nil : state.ended
    }
    return found ?? []
  }

  func abandon() {
    state.withLock { $0.underWay = [] }
  }
}

/// A relay, its ledger, and the other side, whose answers a test decides.
final class RelayFixture {
  let folder: TemporaryFolder
  let path: String
  let ledger: PostbackLedger
  var relay: Relay
  /// The bodies that the other side got, in order.
  let got = Guarded<[String]>([])
  let events = Guarded<[RelayEvent]>([])
  let figures = Guarded<RelayFigures?>(nil)
  /// Whether the database takes what is to be stored.
  let isWritable = Guarded(true)
  /// The address that each post went to, and its headers, in order.
  let sent = Guarded<[(url: String, headers: [String: String])]>([])
  let time = Guarded(noon)
  private let looks = Guarded(0)
  private let answers: Guarded<@Sendable (String) -> PostAnswer?>
  private var worker: RelayWorker?

  init(_ change: (inout Relay) -> Void = { _ in }) throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
    ledger = try PostbackLedger(path: path)
    var relay = Relay(name: "partner", address: Webhook(url: "http://127.0.0.1:9/postbacks"))
    relay.selection.environments = [.test]
    relay.start = .beginning
    relay.parallel = 1
    change(&relay)
    self.relay = relay
    let accepting: @Sendable (String) -> PostAnswer? = { _ in PostAnswer(status: 200) }
    answers = Guarded(accepting)
  }

  deinit { ledger.close() }

  /// Stores receipts, each in a transaction of its own.
  func store(_ receipts: [Receipt]) throws {
    for receipt in receipts {
      let done = Guarded<Result<Commitment, LedgerError>?>(nil)
      #expect(
        ledger.submit(receipt) { result in
          done.withLock { $0 = result }
          done.wakeAll()
        })
      _ = try done.wait { $0 }.get()
    }
  }

  func store(_ ids: [String]) throws { try store(ids.map { receipt($0) }) }

  /// Sets what the other side answers to a body; `nil` for no answer.
  func answer(_ answer: @escaping @Sendable (String) -> PostAnswer?) { answers.withLock { $0 = answer } }

  func pass(seconds: Int64) { time.withLock { $0 = $0 + seconds * 1000 } }

  /// Starts another process: nothing is remembered but what is stored.
  func restart() { worker = nil }

  /// Lets the relay look for what is due, whatever it waits for.
  func run() {
    let worker = relayWorker
    // What is neither new nor due is looked at every twentieth time.
    for _ in 0..<20 { worker.round() }
  }

  /// The worker, which is another one after a restart.
  var relayWorker: RelayWorker {
    let worker =
      self.worker
      ?? RelayWorker(
        relay,
        RelayWorker.Context(
          database: path, clock: { [time] in time.withLock { $0 } },
          news: { [looks] in
            looks.withLock {
              $0 += 1; return $0
            }
          },
          save: { [ledger, isWritable] (progress) throws(LedgerError) in
            guard isWritable.withLock({ $0 }) else { throw .busy }
            try ledger.write(progress)
          }, report: { [events] _, event in events.withLock { $0.append(event) } },
          show: { [figures] shown in figures.withLock { $0 = shown } }), seed: 7,
        through: TestChannel { [got, answers, sent] message, url in
          let text = String(decoding: message.body, as: UTF8.self)
          sent.withLock {
            $0.append((url, Dictionary(message.headers.map { ($0.name, $0.value) }) { first, _ in first }))
          }
          guard let answer = answers.withLock({ $0 })(text) else {
            throw PostError(code: .notConnected, reason: "nobody is there")
          }
          if answer.status == 200 { got.withLock { $0.append(text) } }
          return answer
        })
    self.worker = worker
    return worker
  }

  var reader: LedgerReader { get throws { try LedgerReader(path: path) } }
  var state: RelayState { get throws { try #require(try reader.relays().first) } }
}
