internal import Zstd

/// Packs batches; one thread at a time can use it.
package struct BatchPacker: ~Copyable {
  /// Level 1: higher ones take more time than the disk saves.
  private let zstd = ZstdPacker(level: 1)

  package init() {}

  /// Puts a content into the form of ``BatchEnvelope``.
  ///
  /// - Throws: ``BatchError/tooLong(bytes:most:)``.
  package borrowing func pack(_ content: [UInt8]) throws(BatchError) -> [UInt8] {
    guard content.count <= BatchEnvelope.longestContent else {
      throw .tooLong(bytes: content.count, most: BatchEnvelope.longestContent)
    }
    let packed = zstd.pack(content)
    let isShorter = packed.count < content.count
    let packing = isShorter ? BatchEnvelope.Packing.zstd : .none
    let length = UInt32(content.count)
    return [BatchEnvelope.format, packing.rawValue]
      + stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> $0) }
      + (isShorter ? packed : content)
  }
}
