/// What a client is sent.
///
/// Content-Length, Date and Connection are added by the server. To a HEAD request the body is not sent, but its
/// length is known.
public struct Response: Equatable, Sendable {
  public struct Header: Equatable, Sendable {
    /// The name, such as `Content-Type`.
    public let name: String
    /// The value; a header whose value holds a line break is left out.
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The status code, 200 to 599.
  public var status: Int
  /// The header lines, in order.
  public var headers: [Header]
  public var body: [UInt8]

  public init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public init(status: Int, contentType: String, text: String) {
    self.init(status: status, headers: [Header("Content-Type", contentType)], body: Array(text.utf8))
  }
}

/// Why the server itself rejects a request, before any handler sees it.
public enum RequestRejection: Equatable, Sendable {
  /// The body is longer than the limit, in bytes; 413.
  case bodyTooLarge(limit: Int)
  /// The body did not arrive within that many seconds; 408.
  case bodyTooSlow(seconds: Int)
  /// The body has a transfer coding other than `chunked`; 501.
  case unknownTransferCoding
  /// Two readers could see different ends of the body, so it may be an attempt to smuggle a request; 400.
  case ambiguousFraming
  /// The head has no Host or two, two lines of Authorization or Origin, a header on several lines, a line that does not end
  /// with CR LF, or a byte that no header or target may have; 400.
  case ambiguousHead
  /// The request came when the server was about to end; 503.
  case stopping
  /// The target has more bytes than the server reads, or more parameters; 414.
  case targetTooLong(bytes: Int, parameters: Int)
  /// Target and headers together are longer than the server reads; 431.
  case headTooLarge
  /// The sender has as many large bodies on their way as one may have; 429.
  case senderHasTooManyBodies
  /// All senders together have as many large bodies on their way as there is memory for; 503.
  case tooManyBodies
  /// The client has as many large answers that it has not read as one may have; 429.
  case clientHasUnreadAnswers
  /// All clients together have as many large answers that they have not read as there is memory for; 503.
  case tooManyUnreadAnswers

  public var status: Int {
    switch self {
    case .bodyTooLarge: 413
    case .bodyTooSlow: 408
    case .unknownTransferCoding: 501
    case .ambiguousFraming, .ambiguousHead: 400
    case .stopping, .tooManyBodies, .tooManyUnreadAnswers: 503
    case .targetTooLong: 414
    case .headTooLarge: 431
    case .senderHasTooManyBodies, .clientHasUnreadAnswers: 429
    }
  }
}
