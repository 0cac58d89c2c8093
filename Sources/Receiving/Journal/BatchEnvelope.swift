/// The form of a batch in the journal: a byte for the format, one for the packing, four for the length of the content
/// with the most significant first, and the content.
package enum BatchEnvelope {
  /// The most bytes of a content.
  package static let longestContent = 1 << 25
  /// The most bytes of a batch: packing makes no content longer, because one that grows is left as it is.
  package static let longestBatch = longestContent + headLength

  static let headLength = 6
  /// The format of the first release; versions before it had format 1.
  static let format: UInt8 = 2

  enum Packing: UInt8 {
    case none = 0
    case zstd = 1
  }
}

/// What is wrong with the bytes of a batch.
package enum BatchError: Error, Equatable, Sendable {
  /// The bytes end within the head.
  case tooShort
  /// A newer program wrote them.
  case unknownFormat(UInt8)
  case unknownPacking(UInt8)
  case tooLong(bytes: Int, most: Int)
  /// The content does not have the length that the head states.
  case wrongLength(found: Int, stated: Int)
  /// The packed bytes are not sound; the reason is zstd's.
  case damaged(reason: String)
}

extension BatchError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooShort: "the batch ends within its head"
    case .unknownFormat(let format):
      "the batch has format \(format); this skan reads format \(BatchEnvelope.format)"
    case .unknownPacking(let packing): "the batch is packed in a way that this skan does not read: \(packing)"
    case .tooLong(let bytes, let most): "the batch has \(bytes) bytes; at most \(most) are allowed"
    case .wrongLength(let found, let stated): "the batch has \(found) bytes of content, and states \(stated)"
    case .damaged(let reason): "the batch is damaged: \(reason)"
    }
  }
}
