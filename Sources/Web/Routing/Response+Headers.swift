package import HTTPServer

extension Response {
  package func adding(_ more: [Header]) -> Response {
    var response = self
    response.headers += more
    return response
  }

  /// The same, with the header that makes browsers use its type as stated.
  ///
  /// Source: WHATWG Fetch, "X-Content-Type-Options header".
  var withoutSniffing: Response {
    var response = self
    response.headers.append(.init("X-Content-Type-Options", "nosniff"))
    return response
  }
}
