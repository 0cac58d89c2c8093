package import Values

/// What is wrong with compressed bytes; offsets count the compressed bytes from the start.
package enum GzipError: Error, Equatable, Sendable {
  /// The bytes end before the compressed data does.
  case truncated(at: Int)
  /// The bytes break the format or fail its checksum; the reason is zlib's.
  case corrupt(at: Int, reason: String)
  /// After the compressed data comes something that is not compressed data.
  case trailingBytes(at: Int)
  /// There is more than the caller wants to have.
  case tooLarge(limit: Int)

  /// A stable word for the kind of error.
  package var code: String {
    switch self {
    case .truncated: "gzip-truncated"
    case .corrupt: "gzip-corrupt"
    case .trailingBytes: "gzip-trailing-bytes"
    case .tooLarge: "gzip-too-large"
    }
  }
}

extension GzipError: CustomStringConvertible {
  /// One sentence on what is wrong and where.
  package var description: String {
    switch self {
    case .truncated(let offset): "the gzip data ends early, after \(offset) bytes"
    case .corrupt(let offset, let reason): "the gzip data is damaged near byte \(offset): \(reason)"
    case .trailingBytes(let offset): "found data that is not gzip after the gzip data, at byte \(offset)"
    case .tooLarge(let limit): "the gzip data unpacks to more than \(limit) bytes"
    }
  }
}

extension GzipError: UserFacingError {
  package var exitCode: ExitCode { .data }
  package var remedy: String? { "get the file again; it is damaged" }
}
