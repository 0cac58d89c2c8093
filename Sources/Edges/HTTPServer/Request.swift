public import System

/// The methods of HTTP that the application distinguishes.
public enum Method: String, Hashable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
  case options = "OPTIONS"
  case patch = "PATCH"
  /// Any other method; names are case-sensitive, so `post` is one of these.
  case other = ""
}

/// A request while its handler runs.
///
/// It can be borrowed only: headers and query are read where the server's memory holds them, and that memory is
/// gone when the handler returns. What is needed longer is copied out, as `body` and `path` are by themselves.
public struct Request: ~Copyable {
  private let exchange: Exchange

  init(_ exchange: Exchange) { self.exchange = exchange }

  public var method: Method { exchange.method }

  /// The path without the query, percent-decoded; bytes that are not UTF-8 become U+FFFD.
  public var path: String { exchange.path }

  /// The body, complete in a handler and empty in a hook that is called before.
  public var body: [UInt8] { exchange.body }

  /// Whether ``ServerOptions/admission`` has let the request pass; it is asked about those that announce a body.
  public var isAdmitted: Bool { exchange.isAdmitted }

  /// Looks up a header.
  ///
  /// - Parameter name: The header's name in any case.
  /// - Returns: Its first value, or nil where there is none.
  public func header(_ name: StaticString) -> String? { exchange.connection.value(of: name, in: .headers) }

  /// Looks up a header that may be on several lines.
  ///
  /// - Parameter name: The header's name in any case.
  /// - Returns: The value of each of its lines, in order.
  public func headers(_ name: String) -> [String] { exchange.connection.headers(named: name) }

  /// Looks up a query parameter.
  ///
  /// - Parameter name: The parameter's name.
  /// - Returns: Its first value, percent-decoded, which is "" for `?flag`, or nil where there is none.
  public func query(_ name: StaticString) -> String? { exchange.connection.value(of: name, in: .query) }

  /// All query parameters in order, percent-decoded, so that unknown and doubled ones can be rejected.
  public var queryItems: [(name: String, value: String)] { exchange.connection.queryItems }

  /// The client's address, `::` where the system does not report it; behind a proxy the proxy's.
  public var client: IPAddress { exchange.connection.client }

  /// Whose the request is by ``ServerOptions/sender``, which is asked each time.
  public var sender: RequestSender { exchange.identifySender() }
}
