import CVirtualTime
import Daemon
import Intake
import JSONText
import Ledger
import NetworkForms
import Postbacks
import Signing
import System
import Values
import Verification

/// Devices and networks: they send until someone says that it is stored.
final class Senders: Sendable {
  private struct Sent: Sendable {
    let body: [UInt8]
    let route: Route
    /// When it is sent again where no answer came.
    var due: Int64
    var attempts = 0
    var isDone = false
  }

  private struct State: Sendable {
    var sent: [Sent] = []
    var random: SplitMix64
  }

  private static let patience: Int64 = 15_000_000_000
  private static let most = 40

  private let state: Guarded<State>
  private let history: History

  init(_ history: History, seed: UInt64) {
    self.history = history
    state = Guarded(State(random: SplitMix64(seed: seed)))
  }

  /// Whether something waits for an answer still.
  var isWaiting: Bool { state.withLock { $0.sent.contains { !$0.isDone } } }

  /// Takes a body on, to be sent with the next ``send(to:)``.
  func add(_ body: [UInt8], _ route: Route) {
    let number = state.withLock { state in
      state.sent.append(Sent(body: body, route: route, due: 0))
      return state.sent.count - 1
    }
    history.note(
      "new",
      [
        .init("body", .integer(Int64(number))), .init("route", .string(route.rawValue)),
        .init("text", .string(String(decoding: body, as: UTF8.self))),
      ])
  }

  /// Sends what is due, each to a node by chance.
  func send(to nodes: [SimulatedNode]) {
    let now = virtual_time_elapsed()
    let due = state.withLock { state in
      var due: [(number: Int, sent: Sent, node: Int)] = []
      for number in state.sent.indices where !state.sent[number].isDone && state.sent[number].due <= now {
        state.sent[number].due = now + Self.patience
        state.sent[number].attempts += 1
        if state.sent[number].attempts > Self.most { state.sent[number].isDone = true }
        due.append((number, state.sent[number], state.random.number(below: nodes.count)))
      }
      return due
    }
    for (number, sent, place) in due { send(number, sent, to: nodes[place]) }
  }

  private func send(_ number: Int, _ sent: Sent, to node: SimulatedNode) {
    let which: [JSONOutput.Member] = [
      .init("body", .integer(Int64(number))), .init("node", .integer(Int64(node.number))),
      .init("life", .integer(Int64(node.running?.life.number ?? 0))),
    ]
    guard let (running, life) = node.running else {
      again(number)
      return
    }
    history.note("sent", which)
    let completion: PostbackIntake.Completion = { [self] result in
      guard !life.isOver else { return }
      switch result {
      case .success(let commitment):
        running.counters.count(commitment)
        history.note("stored", which + [.init("as", .string(Self.word(commitment.effect)))])
        state.withLock { $0.sent[number].isDone = true }
      case .failure(let error):
        let reason = "\(error)".replacing(node.setting.folder, with: "")
        running.counters.countFailure()
        history.note("not-stored", which + [.init("reason", .string(reason))])
        again(number)
      }
    }
    if sent.route == .forwarded {
      let network = NetworkIntake(running.intake, network: "net", profile: .apple)
      for document in network.documents(of: sent.body) {
        let item = network.judge(document)
        running.counters.count(item.judgement.state)
        network.store(item, completion)
      }
    } else {
      let judgement = running.intake.judge(PostbackReading(sent.body))
      running.counters.count(judgement.state)
      running.intake.store(
        judgement, of: sent.body, from: Origin(sent.route), quotaSource: "a", completion)
    }
  }

  private func again(_ number: Int) {
    state.withLock { state in
      let seconds = Int64(1 + state.random.number(below: 4))
      state.sent[number].due = virtual_time_elapsed() + seconds * 1_000_000_000
    }
  }

  static func word(_ effect: Commitment.Effect) -> String {
    switch effect {
    case .first: "first"
    case .copy: "copy"
    case .conflict: "conflict"
    case .keptRejected: "rejected"
    case .countedRejected: "rejected-counted"
    case .inboxOnly: "inbox"
    }
  }
}
