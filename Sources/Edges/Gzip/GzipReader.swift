import CZlib

/// A stream of bytes that is unpacked while it is read, if it is packed at all.
///
/// Bytes that begin with gzip's magic number are unpacked, several members one after another as one; all others pass
/// as they are. Memory stays bounded by ``chunkSize``, however much comes out.
/// Source: RFC 1952, section 2.
@safe package struct GzipReader: ~Copyable {
  /// The most bytes that one call of ``next()`` returns.
  package static let chunkSize = 262_144

  /// Gives the next bytes, or none at the end.
  package typealias Source = () throws -> [UInt8]

  private enum Mode { case unknown, plain, packed, ended }

  private let source: Source
  /// A heap cell, because zlib's state points back at it.
  ///
  /// Nil until the magic number is seen.
  private var stream: UnsafeMutablePointer<z_stream>?
  private var mode = Mode.unknown
  private var input: [UInt8] = []
  private var position = 0
  /// How many bytes came before `input`.
  private var earlier = 0
  private var isBetweenMembers = false

  package init(_ source: @escaping Source) { self.source = source }

  deinit {
    if let stream = unsafe stream {
      unsafe inflateEnd(stream)
      unsafe stream.deallocate()
    }
  }

  /// Returns the next bytes, at most ``chunkSize`` of them and at least one, or nil at the end.
  ///
  /// - Throws: ``GzipError`` for packed bytes that are not whole and sound, or the source's own error.
  package mutating func next() throws -> [UInt8]? {
    while true {
      switch mode {
      case .unknown: try detect()
      case .ended: return nil
      case .plain:
        if position == input.count {
          guard try refill() else { continue }
        }
        let end = min(input.count, position + Self.chunkSize)
        defer { position = end }
        return position == 0 && end == input.count ? input : Array(input[position..<end])
      case .packed:
        if isBetweenMembers {
          guard try nextMember() else { continue }
        }
        if position == input.count {
          guard try refill() else { throw GzipError.truncated(at: earlier + position) }
        }
        let chunk = try unpack()
        if !chunk.isEmpty { return chunk }
      }
    }
  }

  private mutating func detect() throws {
    guard try hasMagic() else {
      mode = input.isEmpty ? .ended : .plain
      return
    }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe skan_inflate_start(stream)
    precondition(code == Z_OK, "there is no memory for zlib")
    unsafe self.stream = stream
    mode = .packed
  }

  /// Prepares for another member; false at a clean end.
  private mutating func nextMember() throws -> Bool {
    guard try hasMagic() else {
      guard position == input.count else { throw GzipError.trailingBytes(at: earlier + position) }
      mode = .ended
      return false
    }
    // The state is sound, so the call cannot fail; see zlib.h.
    unsafe inflateReset(stream)
    isBetweenMembers = false
    return true
  }

  /// Whether the next two bytes are gzip's magic number.
  private mutating func hasMagic() throws -> Bool {
    while input.count - position < 2 {
      let more = try source()
      guard !more.isEmpty else { return false }
      earlier += position
      input = Array(input[position...]) + more
      position = 0
    }
    return input[position] == 0x1f && input[position + 1] == 0x8b
  }

  private mutating func refill() throws -> Bool {
    earlier += input.count
    position = 0
    input = []
    input = try source()
    if input.isEmpty, mode == .plain { mode = .ended }
    return !input.isEmpty
  }

  private mutating func unpack() throws(GzipError) -> [UInt8] {
    guard let stream = unsafe stream else { preconditionFailure("packed bytes are read without a stream") }
    var code = Z_OK
    var used = 0
    let available = input.count - position
    let output = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { output, count in
      unsafe input.withUnsafeBufferPointer { input in
        // zlib only reads what `next_in` points at.
        unsafe stream.pointee.next_in = input.baseAddress.map {
          unsafe UnsafeMutablePointer(mutating: $0 + position)
        }
        unsafe stream.pointee.avail_in = UInt32(clamping: available)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        code = unsafe inflate(stream, Z_NO_FLUSH)
        used = unsafe min(available, Int(UInt32.max)) - Int(stream.pointee.avail_in)
        count = unsafe output.count - Int(stream.pointee.avail_out)
      }
    }
    position += used
    switch code {
    case Z_OK: return output
    case Z_STREAM_END:
      isBetweenMembers = true
      return output
    // No progress was possible, which more input mends.
    case Z_BUF_ERROR where position == input.count: return output
    default:
      let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "zlib's code is \(code)"
      throw .corrupt(at: earlier + position, reason: reason)
    }
  }
}

/// Unpacks a whole gzip message.
///
/// - Parameters:
///   - bytes: The packed bytes; bytes that are not packed come back as they are.
///   - limit: The most bytes that may come out.
/// - Returns: The unpacked bytes.
/// - Throws: ``GzipError``, with ``GzipError/tooLarge(limit:)`` as soon as the limit is passed.
package func gunzip(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
  var rest: [UInt8]? = bytes
  var reader = GzipReader { rest.take() ?? [] }
  var whole: [UInt8] = []
  do {
    while let chunk = try reader.next() {
      guard chunk.count <= limit - whole.count else { throw GzipError.tooLarge(limit: limit) }
      whole += chunk
    }
  } catch let error as GzipError {
    throw error
  } catch {
    preconditionFailure("a source that cannot fail has failed")
  }
  return whole
}
