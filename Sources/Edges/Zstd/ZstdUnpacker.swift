internal import CZstd

/// Unpacks messages, with memory that is kept from one to the next; one thread at a time can use it.
@safe package struct ZstdUnpacker: ~Copyable {
  private let context: OpaquePointer

  package init() {
    guard let made = unsafe ZSTD_createDCtx() else { preconditionFailure("there is no memory for zstd") }
    unsafe context = made
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  /// Unpacks one whole frame.
  ///
  /// - Parameter count: How many bytes have to come out; memory is taken for no more.
  /// - Throws: ``ZstdError`` for bytes that are damaged, or whose content is longer or shorter.
  package borrowing func unpack(_ bytes: [UInt8], count: Int) throws(ZstdError) -> [UInt8] {
    var written = 0
    let whole = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, filled in
      unsafe bytes.withUnsafeBufferPointer { input in
        written = unsafe ZSTD_decompressDCtx(
          context, output.baseAddress, count, input.baseAddress, input.count)
        filled = ZSTD_isError(written) == 0 ? written : 0
      }
    }
    guard ZSTD_isError(written) == 0 else {
      throw ZstdError(reason: unsafe String(cString: ZSTD_getErrorName(written)))
    }
    guard whole.count == count else { throw ZstdError(reason: "\(whole.count) bytes came out, not \(count)") }
    return whole
  }
}

/// Packed bytes that are not whole and sound.
package struct ZstdError: Error, Equatable, Sendable, CustomStringConvertible {
  /// zstd's own words.
  package let reason: String

  package var description: String { "the zstd data is damaged: \(reason)" }
}
