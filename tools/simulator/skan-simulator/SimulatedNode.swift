import Arguments
import Configuration
import CVirtualTime
import Daemon
import Foundation
import HTTPClient
import Journal
import JSONText
import Ledger
import Service
import System
import Values
import Verification

/// From a start of a node to its end or to the cut of its power, behind which nobody hears from it.
final class Life: Sendable {
  let node: Int
  let number: Int
  private let over = Guarded(false)

  init(node: Int, number: Int) { (self.node, self.number) = (node, number) }

  var isOver: Bool { over.withLock { $0 } }

  func end() { over.withLock { $0 = true } }
}

/// What all nodes have in common.
struct Setting: Sendable {
  let folder: String
  let seed: UInt64
  /// The wall's clock at the beginning.
  let beginning: Instant
  let keys: [TrustedKey]
  let journal: MemoryJournal?
  let partner: Partner
  let history: History
  /// Small quotas and runs of keys, which a short life fills.
  let ledger: LedgerSettings

  var mappings: String { folder + "/mappings" }
  var configuration: String { folder + "/skan.json" }
  var alerts: String { folder + "/alerts.json" }
}

/// A machine of the service: a disk, a clock, a way to the journal, and a daemon while it runs.
final class SimulatedNode: Sendable {
  enum State: Sendable {
    case down
    case starting(Life)
    case running(RunningNode, Life)
  }

  let number: Int
  let setting: Setting
  let road: Road?
  let state = Guarded(State.down)
  /// Milliseconds that its clock is wrong.
  let clockError = Guarded<Int64>(0)
  private let disks: Guarded<Disk?>
  private let lives = Guarded(0)
  private let log: Console

  init(_ number: Int, _ setting: Setting) throws {
    (self.number, self.setting) = (number, setting)
    road = setting.journal.map { Road($0) }
    let folder = "\(setting.folder)/node-\(number)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    disks = Guarded(Disk(folder, seed: setting.seed &+ UInt64(number)))
    let path = "\(setting.folder)/node-\(number).log"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let descriptor = unsafe open(path, O_WRONLY | O_APPEND)
    let stream = OutputStream(descriptor: descriptor)
    log = Console(
      output: stream, errors: stream, isInputTerminal: false, columns: 80, environment: [:])
  }

  var database: String { "\(setting.folder)/node-\(number)/skan.db" }
  var disk: Disk? { disks.withLock { $0 } }

  var clock: WallClock {
    { [setting, clockError] in
      Instant(
        milliseconds: setting.beginning.milliseconds + virtual_time_elapsed() / 1_000_000
          + clockError.withLock { $0 })
    }
  }

  var running: (node: RunningNode, life: Life)? {
    state.withLock { if case .running(let node, let life) = $0, !life.isOver { (node, life) } else { nil } }
  }

  /// Starts the daemon on a thread of its own, which can take as long as the disk and the journal let it.
  func start() throws {
    guard case .down = state.withLock({ $0 }) else { return }
    let life = Life(
      node: number,
      number: lives.withLock {
        $0 += 1
        return $0
      })
    state.withLock { $0 = .starting(life) }
    _ = try Worker { [self] in
      do {
        let node = try made(life)
        let isWanted = state.withLock { state in
          guard case .starting(let wanted) = state, wanted === life, !life.isOver else { return false }
          state = .running(node, life)
          return true
        }
        guard isWanted else { return node.stop() }
        do { try node.start() } catch { node.stop() }
        note("started", life)
      } catch {
        // Histories of one seed are equal, wherever they are made.
        let reason = "\(CommandError(error).message)".replacing(setting.folder, with: "")
        note("not-started", life, [.init("reason", .string(reason))])
        state.withLock { state in
          if case .starting(let wanted) = state, wanted === life { state = .down }
        }
      }
    }
  }

  private func made(_ life: Life) throws -> RunningNode {
    var configuration = ServiceConfiguration()
    configuration.mappings = FilePath(setting.mappings)
    configuration.file = try ConfigurationFile.read(setting.configuration)
    configuration.secondsBetweenAlerts = 5
    configuration.alerts = FilePath(setting.alerts)
    var surroundings = Surroundings(clock: clock)
    surroundings.ledger = setting.ledger
    surroundings.relayChannel = { [setting] in PartnerChannel(setting.partner, life) }
    surroundings.post = { [setting] webhook, notice, _ in
      guard !life.isOver else { throw Partner.NoAnswer() }
      let (outcome, after) = setting.partner.take(
        "notified",
        [
          .init("node", .integer(Int64(life.node))), .init("id", .string(notice.id)),
          .init("notice", .string(String(decoding: notice.body, as: UTF8.self))),
        ], body: notice.body)
      rest(microseconds: after)
      if life.isOver { throw Partner.NoAnswer() }
      return try outcome.get().status
    }
    let journal = road.flatMap { road in
      NodeName("n\(number)").map { LedgerJournal(road, as: $0, role: .full) }
    }
    return try RunningNode(
      configuration, database: database, following: journal, trusting: setting.keys, environment: [:],
      log: ServiceLog(log, clock: clock, isJSON: false), figures: OperatorFigures(), in: surroundings)
  }

  /// Ends the daemon as an operator would.
  func stop() {
    guard let (node, life) = running else { return }
    note("stopping", life)
    node.stop()
    life.end()
    state.withLock { $0 = .down }
    note("stopped", life)
  }

  /// Cuts the power after some operations of the disk, or now where there are none; the node is down when this returns.
  func crash(after operations: Int64) {
    guard let disk, let (node, life) = running else { return }
    disk.cut(after: operations)
    for _ in 0..<200 where !disk.isDark { rest(microseconds: 10_000) }
    disk.darken()
    // The machine's own connections are gone with it.
    life.end()
    road?.state.withLock { $0.isCut = true }
    note("crashed", life)
    node.stop()
    // What takes longer to end, as a relay that waits for an answer.
    rest(microseconds: 20_000_000)
    state.withLock { $0 = .down }
    if !disk.restore() { note("not-restored", life) }
    road?.state.withLock { $0 = Road.State() }
  }

  /// Deletes everything that it stored, as a new machine in its place has it.
  func forget() throws {
    guard case .down = state.withLock({ $0 }) else { return }
    disks.withLock { $0 = nil }
    let folder = "\(setting.folder)/node-\(number)"
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let again = lives.withLock { UInt64($0) } << 32
    disks.withLock { $0 = Disk(folder, seed: setting.seed &+ UInt64(number) &+ again) }
    setting.history.note("forgotten", [.init("node", .integer(Int64(number)))])
  }

  func finishLog() { log.errors.flush() }

  private func note(_ event: String, _ life: Life, _ members: [JSONOutput.Member] = []) {
    setting.history.note(
      event,
      [.init("node", .integer(Int64(number))), .init("life", .integer(Int64(life.number)))] + members)
  }
}
