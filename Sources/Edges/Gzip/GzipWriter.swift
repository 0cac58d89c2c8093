import CZlib

/// A stream of bytes that is packed while it is written.
///
/// The packed bytes are whole only after ``finish()``; a writer that goes before leaves a truncated stream, which
/// every reader notices.
@safe package struct GzipWriter: ~Copyable {
  /// Takes packed bytes.
  package typealias Sink = ([UInt8]) throws -> Void

  private static let chunkSize = 65_536

  private let sink: Sink
  /// A heap cell, because zlib's state points back at it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Starts a stream.
  ///
  /// - Parameters:
  ///   - level: How hard to try, 1 (fast) to 9 (small).
  ///   - sink: Takes the packed bytes.
  package init(level: Int = 6, _ sink: @escaping Sink) {
    precondition((1...9).contains(level), "the level of a gzip stream is 1 to 9")
    self.sink = sink
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe skan_deflate_start(stream, Int32(level))
    precondition(code == Z_OK, "there is no memory for zlib")
    unsafe self.stream = stream
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Packs bytes.
  ///
  /// - Throws: The sink's own error.
  package mutating func write(_ bytes: [UInt8]) throws { try pack(bytes, flush: Z_NO_FLUSH) }

  /// Packs what is left and ends the stream.
  ///
  /// - Throws: The sink's own error.
  package consuming func finish() throws { try pack([], flush: Z_FINISH) }

  private func pack(_ bytes: [UInt8], flush: Int32) throws {
    var position = 0
    var isDone = false
    while !isDone {
      let output = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { output, count in
        unsafe bytes.withUnsafeBufferPointer { input in
          let available = min(input.count - position, Int(UInt32.max))
          // zlib only reads what `next_in` points at.
          unsafe stream.pointee.next_in = input.baseAddress.map {
            unsafe UnsafeMutablePointer(mutating: $0 + position)
          }
          unsafe stream.pointee.avail_in = UInt32(available)
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(output.count)
          let code = unsafe deflate(stream, flush)
          precondition(code != Z_STREAM_ERROR, "the state of a gzip stream is broken")
          position += unsafe available - Int(stream.pointee.avail_in)
          count = unsafe output.count - Int(stream.pointee.avail_out)
          // Room left over means that zlib has no more to give for this input.
          isDone = unsafe stream.pointee.avail_out > 0 && position == bytes.count
        }
      }
      if !output.isEmpty { try sink(output) }
    }
  }
}

/// Packs a whole message.
package func gzip(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
  let packed = Collected()
  do {
    var writer = GzipWriter(level: level) { packed.bytes += $0 }
    try writer.write(bytes)
    try writer.finish()
  } catch {
    preconditionFailure("a sink that cannot fail has failed")
  }
  return packed.bytes
}

private final class Collected {
  var bytes: [UInt8] = []
}
