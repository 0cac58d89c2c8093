import CMicroHTTPD

/// The library's form of a response, released with its owner; the library counts its own uses.
@safe struct RawResponse: ~Copyable, Sendable {
  // Sendable: after `init` the library only reads it, and counts uses under its own lock.
  nonisolated(unsafe) let pointer: OpaquePointer

  /// Bytes of a body beyond which it is not copied whole, and bytes of a piece that is copied as the client reads.
  private static let (mostCopied, piece) = (65_536, 65_536)

  /// Takes a response, or returns nil when memory is short.
  ///
  /// The C functions are `MHD_create_response_from_buffer` and `MHD_create_response_from_callback`.
  /// - Parameter isShared: Whether many requests are answered with it.
  init?(_ response: Response, closing: Bool, isShared: Bool = false) {
    let made =
      isShared || response.body.count <= Self.mostCopied
      ? unsafe Self.copy(response.body) : unsafe Self.inPieces(response.body)
    guard let pointer = unsafe made else { return nil }
    unsafe self.pointer = pointer
    for header in response.headers {
      // The library rejects a name or value that would break the head; the rest of the response is kept.
      _ = unsafe MHD_add_response_header(pointer, header.name, header.value)
    }
    if closing { _ = unsafe MHD_add_response_header(pointer, "Connection", "close") }
  }

  private static func copy(_ body: [UInt8]) -> OpaquePointer? {
    unsafe body.withUnsafeBytes { bytes in
      // The library promises to copy, so that it never writes through the pointer.
      unsafe MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  /// Makes the library copy a piece whenever it can write one.
  private static func inPieces(_ body: [UInt8]) -> OpaquePointer? {
    let source = unsafe Unmanaged.passRetained(BodySource(body))
    let made = unsafe MHD_create_response_from_callback(
      UInt64(body.count), piece, onPiece, source.toOpaque(),
      { context in
        if let context = unsafe context { unsafe Unmanaged<BodySource>.fromOpaque(context).release() }
      })
    if unsafe made == nil { unsafe source.release() }
    return unsafe made
  }

  deinit { unsafe MHD_destroy_response(pointer) }
}

/// The bytes of a body that the library reads in pieces.
private final class BodySource: Sendable {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The library calls this when it can write more of a body.
private func onPiece(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ piece: UnsafeMutablePointer<CChar>?, _ most: Int
) -> Int {
  /// `MHD_CONTENT_READER_END_WITH_ERROR`, which Swift does not import.
  let error = -2
  guard let context = unsafe context, let piece = unsafe piece else { return error }
  let bytes = unsafe Unmanaged<BodySource>.fromOpaque(context).takeUnretainedValue().bytes
  guard position < bytes.count else { return error }
  let part = bytes[Int(position)...].prefix(most)
  unsafe UnsafeMutableRawBufferPointer(start: piece, count: most).copyBytes(from: part)
  return part.count
}
