internal import CZstd

/// Packs messages, with tables that are kept from one to the next.
///
/// One thread at a time can use it. Source: zstd's manual, "Explicit context".
@safe package struct ZstdPacker: ~Copyable {
  private let context: OpaquePointer
  private let level: Int32

  /// - Parameter level: How hard to try, 1 (fast) to 19 (small).
  package init(level: Int = 1) {
    guard let made = unsafe ZSTD_createCCtx() else { preconditionFailure("there is no memory for zstd") }
    unsafe context = made
    self.level = Int32(max(1, min(level, 19)))
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  /// Packs a whole message into one frame.
  package borrowing func pack(_ bytes: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { output, count in
      unsafe bytes.withUnsafeBufferPointer { input in
        let written = unsafe ZSTD_compressCCtx(
          context, output.baseAddress, output.count, input.baseAddress, input.count, level)
        precondition(ZSTD_isError(written) == 0, "zstd fails although its output has room")
        count = written
      }
    }
  }
}
