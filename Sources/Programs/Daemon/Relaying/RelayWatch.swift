import Configuration
import Delivery
import Ledger
import Service
import System
import Values

/// Runs the relays of the configuration file, and follows its changes at a reload.
final class RelayWatch: Watch {
  private let path: String?
  private let context: DaemonContext
  private let relayContext: RelayWorker.Context
  private let workers: Guarded<[RelayWorker]>

  /// Notes where new relays begin, which has to be before the first postback is answered.
  init(
    _ configuration: ConfigurationFile, _ ledger: PostbackLedger, _ context: DaemonContext
  ) throws(LedgerError) {
    path = configuration.path
    self.context = context
    relayContext = RelayWorker.Context(
      database: context.database, clock: context.clock, news: { ledger.statistics.news },
      save: { (progress) throws(LedgerError) in try context.changes.write(progress) },
      report: { [log = context.log] name, event in log.write(name, event) },
      show: { [figures = context.figures] shown in figures.update { $0.relays[shown.name] = shown } })
    let made = Self.workers(configuration.relays, relayContext, context)
    workers = Guarded(made)
    warn(of: configuration.relays)
    for worker in made { try worker.prepare() }
    try noteRemoved(except: configuration.relays)
  }

  private static func workers(
    _ relays: [Relay], _ relayContext: RelayWorker.Context, _ context: DaemonContext
  ) -> [RelayWorker] {
    let now = context.clock()
    return relays.enumerated().map { index, relay in
      let seed = UInt64(bitPattern: now.milliseconds) &+ UInt64(index)
      return RelayWorker(relay, relayContext, seed: seed, through: context.channels.relay())
    }
  }

  func start() throws(ThreadError) {
    for worker in workers.withLock({ $0 }) { try worker.start() }
  }

  func stop() {
    let workers = workers.withLock { $0 }
    for worker in workers { worker.askToStop() }
    for worker in workers { worker.stop(withinSeconds: 2) }
  }

  /// Reads the relays of the configuration file again; where it is wrong, the old ones go on.
  func reload() {
    guard let path else { return }
    context.log.noteRereading(of: "relays", from: path) { file in
      try use(file.relays)
      warn(of: file.relays)
      return [("relays", .integer(Int64(file.relays.count)))]
    }
  }

  private func warn(of relays: [Relay]) {
    for relay in relays where relay.hasShortSecret {
      context.log.write(
        .warning, "relay-secret-short",
        [
          ("relay", .string(relay.name)),
          ("note", .string("a secret of fewer than \(Webhook.shortestSecret) bytes could be guessed")),
        ])
    }
  }

  private func use(_ relays: [Relay]) throws {
    let running = workers.withLock { $0 }
    let ending = running.filter { worker in !relays.contains { $0.name == worker.relay.name } }
    for worker in ending { worker.askToStop() }
    // Until its end, or one of the same name that is added soon after could run beside it.
    for worker in ending { worker.stop() }
    let names = Set(running.map(\.relay.name))
    let added = Self.workers(
      relays.filter { !names.contains($0.name) }, relayContext, context)
    var kept = running.filter { worker in !ending.contains { $0 === worker } }
    workers.withLock { $0 = kept }
    for worker in kept {
      if let relay = relays.first(where: { $0.name == worker.relay.name }) { worker.use(relay) }
    }
    for worker in added {
      try worker.prepare()
      try worker.start()
      kept.append(worker)
      workers.withLock { [kept] in $0 = kept }
    }
    context.figures.update { figures in
      for worker in ending { figures.relays[worker.relay.name] = nil }
    }
    try noteRemoved(except: relays)
  }

  /// Notes which relays the configuration has no longer, so that no worker waits for them.
  private func noteRemoved(except relays: [Relay]) throws(LedgerError) {
    let names = Set(relays.map(\.name))
    for var state in try LedgerReader(path: context.database).relays()
    where state.removedAt == nil && !names.contains(state.name) {
      state.removedAt = context.clock()
      try context.changes.write(RelayProgress(state))
    }
  }
}

extension ServiceLog {
  fileprivate func write(_ relay: String, _ event: RelayEvent) {
    let name = ("relay", Value.string(relay))
    switch event {
    case .failing(let reason): write(.warning, "relay-failing", [name, ("reason", .string(reason))])
    case .recovered(let failures):
      write(.info, "relay-recovered", [name, ("failed-attempts", .integer(failures))])
    case .gaveUp(let postback, let reason):
      write(.error, "relay-gave-up", [name, ("postback", .integer(postback)), ("reason", .string(reason))])
    case .stopped(let reason): write(.error, "relay-stopped", [name, ("reason", .string(reason))])
    }
  }
}
