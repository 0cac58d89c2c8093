import CFaultVFS
import Foundation
@testable import Ledger
import System

/// A folder on a disk that fails on demand and can lose its power.
final class FaultWorld {
  /// What can fail.
  struct Kinds: OptionSet {
    let rawValue: Int
    static let open = Kinds(rawValue: FAULT_OPEN)
    static let read = Kinds(rawValue: FAULT_READ)
    static let write = Kinds(rawValue: FAULT_WRITE)
    static let sync = Kinds(rawValue: FAULT_SYNC)
    static let truncate = Kinds(rawValue: FAULT_TRUNCATE)
    static let delete = Kinds(rawValue: FAULT_DELETE)
  }

  private let folder: URL
  private let world: OpaquePointer
  let database: String

  init(seed: UInt64) throws {
    // SQLite follows links before it opens a file, so the world has to be known by its real name.
    folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "skan-fault-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = folder.appending(path: "skan.db").path
    world = fault_world_make(folder.path, seed)
  }

  deinit {
    fault_world_free(world)
    try? FileManager.default.removeItem(at: folder)
  }

  func fail(_ kinds: Kinds, after: Int, times: Int = 1, code: Int32, shortens: Bool = false) {
    fault_world_fail(world, Int32(kinds.rawValue), Int64(after), Int64(times), code, shortens ? 1 : 0)
  }

  func heal() { fail([], after: 0, times: 0, code: 0) }

  func cutPower(after operations: Int) { fault_world_cut(world, Int64(operations)) }

  var isDark: Bool { fault_world_is_dark(world) != 0 }
  var failures: Int { Int(fault_world_failures(world)) }
  var operations: Int { Int(fault_world_operations(world)) }

  /// Restores the power; no connection may be open.
  func restorePower() -> Bool { fault_world_restore(world) == 0 }
}

/// Submits receipts, waits for all answers, and returns them in order; nil where none was taken.
func submit(_ receipts: [Receipt], to ledger: PostbackLedger) -> [Result<Commitment, LedgerError>?] {
  let state = Guarded<(answers: [Result<Commitment, LedgerError>?], open: Int)>(
    ([Result<Commitment, LedgerError>?](repeating: nil, count: receipts.count), receipts.count))
  for (place, receipt) in receipts.enumerated() {
    let isTaken = ledger.submit(receipt) { answer in
      state.withLock { state in
        state.answers[place] = answer
        state.open -= 1
      }
      state.wakeAll()
    }
    if !isTaken { state.withLock { $0.open -= 1 } }
  }
  return state.wait { state in state.open == 0 ? state.answers : nil }
}
