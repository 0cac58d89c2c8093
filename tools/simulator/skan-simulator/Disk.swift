import CFaultVFS
import Glibc

/// The folder of a node on a disk that fails on demand and can lose its power.
@safe final class Disk: @unchecked Sendable {
  // The world has a lock of its own, and the threads of a simulation run one at a time.
  private let world: OpaquePointer

  /// - Parameter folder: By its real name, because SQLite follows links before it opens a file.
  init(_ folder: String, seed: UInt64) { unsafe world = fault_world_make(folder, seed) }

  deinit { unsafe fault_world_free(world) }

  /// Has the next write or sync fail, after some that go well.
  func fail(_ kinds: Int32, code: Int32, after: Int64, times: Int64, shortens: Bool) {
    unsafe fault_world_fail(world, kinds, after, times, code, shortens ? 1 : 0)
  }

  /// Cuts the power at a write or sync, after some that go well.
  func cut(after operations: Int64) { unsafe fault_world_cut(world, operations) }

  /// Cuts the power now.
  func darken() { unsafe fault_world_darken(world) }

  func slow(microseconds: UInt32) { unsafe fault_world_slow(world, microseconds) }

  var isDark: Bool { unsafe fault_world_is_dark(world) != 0 }

  /// Gives a file another name, as an operator by mistake; returns whether it has it.
  static func move(_ path: String, to other: String) -> Bool { unsafe rename(path, other) == 0 }

  static func has(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  func heal() {
    unsafe fault_world_fail(world, 0, 0, 0, 0, 0)
    unsafe fault_world_slow(world, 0)
  }

  /// Brings the power back; no file may be open.
  func restore() -> Bool { unsafe fault_world_restore(world) == 0 }
}
