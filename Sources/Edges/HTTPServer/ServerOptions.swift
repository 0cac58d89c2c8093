public import System
public import Values

public struct ServerOptions: Sendable {
  public var address: HostPort
  /// The certificates and key of TLS, or nil for plain HTTP.
  public var identity: TLSIdentity?
  /// How many threads answer, at least 1.
  public var threads = 2
  /// Whether its threads yield to those of other servers and to other work: they get a tenth beside it.
  public var isBackground = false
  /// How many connections may be open at once, or fewer where the limit of open files does not allow as many; more
  /// wait until one of them closes.
  public var connections = 4096
  /// How many connections one subscriber may have open, who is an IPv4 address or all IPv6 addresses with the same
  /// first 64 bits; more are closed at once.
  ///
  /// An eighth of all connections is kept for subscribers that have none open. 0 means any number, and keeps none.
  public var connectionsPerAddress = 256
  /// Whether a further eighth is kept for subscribers from which the holder of a token or a session asked for something
  /// within a day, and for proxies.
  public var keepsConnectionsForHolders = false
  /// Returns whether an address is a proxy's that connects for many clients: it may take what is kept for others, and
  /// it is not hurried.
  public var isProxy: @Sendable (IPAddress) -> Bool = { _ in false }
  /// How many seconds a connection may be silent before it is closed, at least 1.
  public var idleSeconds = 30
  /// How many seconds a client may take over a head, counted from the connection's start or its last response, or
  /// 0 for any time; then the connection is closed, two seconds later at most.
  ///
  /// When less than half of the connections is free, this time and that for a body shrink to two seconds at least.
  public var headSeconds = 60
  /// How many seconds a body may take from its first byte to its last, at least 1.
  public var bodySeconds = 30
  /// Bytes of a target at most, beside the bound on the head as a whole; an answer that repeats the target grows with it.
  public var targetBytes = RequestHead.mostRoom
  /// Decides by the head of a request what becomes of the body that it announces; called before any of it is read, and
  /// not for a request without one.
  public var admission: @Sendable (borrowing Request) -> BodyAdmission = { _ in .admitted(limit: 65_536) }
  /// Bytes of all bodies of more than 4 KiB that may be in memory at once.
  ///
  /// Clients without a token or a session have at most half of it, and each of them a quarter of that; one with a token
  /// has at most half. Memory that cannot be had ends the process, so the bound has to be well below what there is.
  public var bodyBytes = 48 << 20
  /// Bytes of all bodies of answers of more than 4 KiB that may wait to be read at once.
  ///
  /// The holder of a token or a session has at most half of it, and each stranger a quarter of the quarter that all have
  /// together, unless a single answer is larger. A GET beyond that is answered 429, and so is a request with a large body,
  /// before it is sent. Where room is short, who has the most unread bytes loses the oldest answer with its connection. An
  /// answer that is read by less than 32 KiB a second ends half a minute later.
  public var answerBytes = 48 << 20
  /// Returns whose a request is; behind a proxy that is not who opened the connection.
  public var sender: @Sendable (borrowing Request) -> RequestSender = { .stranger($0.client.subscriber) }
  /// Makes the response to a request that the server rejects by itself; its body is not there to read.
  public var rejection: @Sendable (RequestRejection, borrowing Request) -> Response = { rejection, _ in
    Response(status: rejection.status)
  }

  public init(address: HostPort) { self.address = address }
}

/// What becomes of the body that a head announces.
public enum BodyAdmission: Sendable {
  /// It may come, with so many bytes at most.
  case admitted(limit: Int)
  /// The request is answered with this, and its body is not kept.
  case answered(Response)
}

public struct ServerCounters: Equatable, Sendable {
  public let openConnections: Int
  /// How many requests have begun and not ended.
  public let openRequests: Int
  /// How many requests were given to the handler since the start.
  public let handledRequests: Int
  /// How many requests the server rejected by itself since the start.
  public let rejectedRequests: Int
}

/// Answers requests.
///
/// It is called on the server's threads, so what blocks must go elsewhere and take the reply along.
public typealias Handler = @Sendable (borrowing Request, consuming Reply) -> Void
