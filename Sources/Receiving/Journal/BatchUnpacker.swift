internal import Zstd

/// Reads batches; one thread at a time can use it.
package struct BatchUnpacker: ~Copyable {
  private let zstd = ZstdUnpacker()

  package init() {}

  /// The content of a batch.
  ///
  /// - Throws: ``BatchError`` for bytes that are none, or whose content is too long; memory is taken for no more.
  package borrowing func unpack(_ batch: [UInt8]) throws(BatchError) -> [UInt8] {
    guard batch.count >= BatchEnvelope.headLength else { throw .tooShort }
    guard batch[0] == BatchEnvelope.format else { throw .unknownFormat(batch[0]) }
    guard let packing = BatchEnvelope.Packing(rawValue: batch[1]) else { throw .unknownPacking(batch[1]) }
    let stated = batch[2..<BatchEnvelope.headLength].reduce(0) { ($0 << 8) | Int($1) }
    guard stated <= BatchEnvelope.longestContent else {
      throw .tooLong(bytes: stated, most: BatchEnvelope.longestContent)
    }
    let rest = Array(batch[BatchEnvelope.headLength...])
    switch packing {
    case .none:
      guard rest.count == stated else { throw .wrongLength(found: rest.count, stated: stated) }
      return rest
    case .zstd:
      do throws(ZstdError) { return try zstd.unpack(rest, count: stated) } catch {
        throw .damaged(reason: error.reason)
      }
    }
  }
}
