struct RequestHead {
  enum BodyEnd {
    /// After that many bytes; the most that an Int holds where it is more.
    case length(Int)
    /// Up to its last chunk.
    case chunks
    /// By a coding that the server does not support.
    case unknownCoding
  }

  /// Whether the head has one Host, no two lines of Authorization or Origin, no header on several lines, lines that all end
  /// with CR LF, and no byte that no header or target may have.
  let isPlain: Bool
  /// Whether two readers could see different ends of the body: two lengths, a length beside a transfer coding, or a
  /// header name with a space in it, which some take for the header without.
  ///
  /// Source: RFC 9112, sections 5.1 and 6.3; what a proxy and a server read differently can smuggle a request.
  let isFramingAmbiguous: Bool
  let bodyEnd: BodyEnd
  /// Bytes that the library needs for the head; there have to be some left for that of its response.
  let room: Int

  /// Bytes that the library may need for a head, of the 32 KiB that it has for a connection.
  static let mostRoom = 28 << 10
  /// Parameters of a target at most.
  static let mostParameters = 256
  /// Bytes that the library needs for a parameter or a header, besides its text.
  static let roomOfItem = 64
}
