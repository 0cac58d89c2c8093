import HTTPServer

extension Problem {
  /// The client sends more than it may; 429.
  package static func limited(_ limited: Limited) -> Problem {
    let who =
      switch limited.scope {
      case .address: "This address sends more requests"
      case .app: "This address sends more postbacks of this app"
      case .network: "This network sends more batches"
      }
    // Source: RFC 6585, section 4.
    return Problem(
      status: 429, code: "too-many-requests", title: "Too many requests",
      detail: "\(who) than the limit allows; nothing was stored. Retry after \(limited.retrySeconds) s.",
      headers: [.init("Retry-After", "\(limited.retrySeconds)")])
  }
}
