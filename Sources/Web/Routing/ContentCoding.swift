import Gzip
package import HTTPServer

/// The one content coding of bodies, gzip.
///
/// Source: RFC 9110, section 8.4.
package enum ContentCoding {
  /// Bytes of an answer from which packing is worth its time.
  package static let longBody = 2048

  /// Whether a body is packed, by its first bytes; senders forget the header.
  package static func isPacked(_ body: [UInt8]) -> Bool { body.starts(with: [0x1F, 0x8B]) }

  /// Unpacks a body where it is packed.
  ///
  /// - Parameters:
  ///   - limit: Bytes of the result at most.
  /// - Throws: A ``Problem`` for a body that is longer or damaged.
  package static func unpack(_ body: [UInt8], limit: Int) throws(Problem) -> [UInt8] {
    guard isPacked(body) else { return body }
    do throws(GzipError) {
      return try gunzip(body, limit: limit)
    } catch {
      if case .tooLarge(let limit) = error { throw .rejected(.bodyTooLarge(limit: limit)) }
      throw .notJSON("\(error)")
    }
  }
}

extension Response {
  package var packed: Response {
    var response = self
    response.headers.append(.init("Content-Encoding", "gzip"))
    response.body = gzip(body)
    return response
  }
}
