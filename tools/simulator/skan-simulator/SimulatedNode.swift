import Arguments
import Configuration
import CVirtualTime
import Daemon
import HTTPClient
import Journal
import JSONText
import Ledger
import Service
import System
import Values

/// A machine of the service: a disk, a clock, a way to the journal, and a daemon while it runs.
final class SimulatedNode: Sendable {
  enum State: Sendable {
    case down
    case starting(Life)
    case running(RunningNode, Life)
  }

  enum Cure: Sendable {
    /// The journal no longer has what comes next for it.
    case backup
    /// Its file has what the journal lost.
    case newFile
    /// Another node has a newer version of the program.
    case newVersion
  }

  let number: Int
  let setting: Setting
  let road: Road?
  let state = Guarded(State.down)
  /// Milliseconds that its clock is wrong.
  let clockError = Guarded<Int64>(0)
  private let disks: Guarded<Disk?>
  /// Whether an operator stops it or its power is cut: its disk can be taken away only after the one who ends it is done.
  private let isEnding = Guarded(false)
  private let lives = Guarded(0)
  /// How its version of the program reads and counts.
  let level = Guarded<Int64>(1)
  /// What it needs before it can start again.
  let cure = Guarded<Cure?>(nil)
  private let log: Console

  init(_ number: Int, _ setting: Setting, followsStandby: Bool) throws {
    (self.number, self.setting) = (number, setting)
    road = setting.journal.map { Road($0, followsStandby: followsStandby) }
    let folder = "\(setting.folder)/node-\(number)"
    _ = try Folder(making: folder)
    disks = Guarded(Disk(folder, seed: setting.seed &+ UInt64(number)))
    log = .captured()
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
        let reason = CommandError(error).message
        note("not-started", life, [.init("reason", .string(reason))])
        if let needed = Self.cure(of: reason) { cure.withLock { $0 = needed } }
        state.withLock { state in
          if case .starting(let wanted) = state, wanted === life { state = .down }
        }
      }
    }
  }

  /// What an error asks for, in its own words.
  static func cure(of reason: String) -> Cure? {
    if reason.contains("the oldest batch of the journal is") { return .backup }
    if reason.contains("and this skan reads and counts as of level") { return .newVersion }
    if reason.contains("the server has batches up to") { return .newFile }
    return reason.contains("has another past than this node") ? .newFile : nil
  }

  private func made(_ life: Life) throws -> RunningNode {
    var configuration = ServiceConfiguration()
    configuration.mappings = FilePath(
      setting.hasOddMappings && number == 1 ? setting.oddMappings : setting.mappings)
    configuration.file = try ConfigurationFile.read(setting.configuration)
    configuration.secondsBetweenAlerts = 5
    configuration.alerts = FilePath(setting.alerts)
    var channels = DeliveryChannels()
    channels.relay = { [setting] in PartnerChannel(setting.partner, life) }
    channels.webhook = { [setting] webhook, notice, _ in
      guard !life.isOver else { throw Partner.NoAnswer() }
      let (outcome, after) = setting.partner.take(
        "notified",
        [
          .init("node", .integer(Int64(life.node))), .init("id", .string(notice.id)),
          .init("notice", .string(String(decoding: notice.body, as: UTF8.self))),
        ], body: String(decoding: notice.body, as: UTF8.self))
      rest(microseconds: after)
      if life.isOver { throw Partner.NoAnswer() }
      return try outcome.get().status
    }
    channels.pull = { [setting] () throws(PostError) in
      if life.isOver { throw PostError(code: .system, reason: "the machine has no power") }
      return setting.source.channel(life)
    }
    let journal = road.flatMap { road in
      NodeName("n\(number)").map {
        LedgerJournal(road, as: $0, role: .full, level: level.withLock { $0 })
      }
    }
    return try RunningNode(
      configuration, database: database, following: journal, keyring: setting.keyring, environment: [:],
      log: ServiceLog(log, clock: clock, isJSON: true), figures: OperatorFigures(), clock: clock,
      settings: setting.ledger, channels: channels)
  }

  /// Ends the daemon as an operator would.
  func stop() {
    guard let (node, life) = running, beginsToEnd() else { return }
    defer { isEnding.withLock { $0 = false } }
    note("stopping", life)
    node.stop()
    life.end()
    state.withLock { $0 = .down }
    note("stopped", life)
  }

  /// Whether its end was decided and is still to come, as of one whose power goes after some more operations.
  var isDoomed: Bool { isEnding.withLock { $0 } }

  private func beginsToEnd() -> Bool {
    isEnding.withLock { isEnding in
      defer { isEnding = true }
      return !isEnding
    }
  }

  /// Cuts the power after some operations of the disk, or now where there are none; the node is down when this returns.
  func crash(after operations: Int64) {
    guard let disk, let (node, life) = running, beginsToEnd() else { return }
    defer { isEnding.withLock { $0 = false } }
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

  /// Installs a newer version of the program, which counts otherwise than those before.
  func upgrade() {
    level.withLock { $0 = 2 }
    cure.withLock { $0 = nil }
    setting.history.note("upgraded", [.init("node", .integer(Int64(number)))])
  }

  /// Deletes everything that it stored, as a new machine in its place has it.
  func forget() throws {
    guard case .down = state.withLock({ $0 }) else { return }
    disks.withLock { $0 = nil }
    let folder = try Folder(making: "\(setting.folder)/node-\(number)")
    for entry in try folder.entries() { try folder.remove(entry.name) }
    let again = lives.withLock { UInt64($0) } << 32
    disks.withLock { $0 = Disk(folder.path, seed: setting.seed &+ UInt64(number) &+ again) }
    cure.withLock { $0 = nil }
    setting.history.note("forgotten", [.init("node", .integer(Int64(number)))])
  }

  /// Notes what the daemon has logged.
  func noteLog() {
    for line in log.errors.captured.split(separator: "\n") {
      setting.history.note(
        "log",
        [
          .init("node", .integer(Int64(number))),
          .init("line", .string(String(line))),
        ])
    }
  }

  private func note(_ event: String, _ life: Life, _ members: [JSONOutput.Member] = []) {
    setting.history.note(
      event,
      [.init("node", .integer(Int64(number))), .init("life", .integer(Int64(life.number)))] + members)
  }
}
