package import HTTPServer
import JSONText
package import Values

/// An error as a client receives it, in the one shape that all of them have.
///
/// Source: RFC 9457 (Problem Details for HTTP APIs).
package struct Problem: Error, Equatable {
  package let status: Int
  /// The stable code; it is also the end of the problem's type.
  package let code: String
  package let title: String
  /// What is wrong this time, and what would be right.
  package var detail: String
  /// The same as pages show it in their language; `nil` where they have words of their own for the code, or English alone.
  package var sentence: Sentence?
  /// The member of the body that is wrong, where it is one.
  package var member: String?
  package var headers: [Response.Header] = []

  /// Describes an error; its type follows from the code.
  package init(
    status: Int, code: String, title: String, detail: String, member: String? = nil,
    headers: [Response.Header] = []
  ) {
    self.status = status
    self.code = code
    self.title = title
    self.detail = detail
    self.member = member
    self.headers = headers
  }

  package var response: Response {
    var members: [JSONOutput.Member] = [
      .init("type", .string("urn:skan:problem:\(code)")), .init("title", .string(title)),
      .init("status", .integer(Int64(status))), .init("detail", .string(detail)),
      .init("code", .string(code)),
    ]
    if let member { members.append(.init("member", .string(member))) }
    return Response(
      status: status, headers: [.init("Content-Type", "application/problem+json")] + headers,
      body: JSONOutput.object(members).bytes() + [UInt8(ascii: "\n")])
  }
}

extension Problem {
  /// The body is not JSON at all; 400.
  package static func notJSON(_ detail: String) -> Problem {
    Problem(status: 400, code: "broken-json", title: "The body is not JSON", detail: detail)
  }

  static func unauthorized(_ detail: String) -> Problem {
    Problem(
      status: 401, code: "unauthorized", title: "A valid bearer token is required", detail: detail,
      headers: [.init("WWW-Authenticate", "Bearer realm=\"skan\"")])
  }

  static func forbidden(_ detail: String) -> Problem {
    Problem(status: 403, code: "forbidden", title: "The token does not permit this request", detail: detail)
  }

  package static func notFound(_ detail: String) -> Problem {
    Problem(status: 404, code: "not-found", title: "Not found", detail: detail)
  }

  package static func methodNotAllowed(_ allowed: [Method]) -> Problem {
    let names = allowed.map(\.rawValue).joined(separator: ", ")
    return Problem(
      status: 405, code: "method-not-allowed", title: "Method not allowed",
      detail: "Allowed: \(names).", headers: [.init("Allow", names)])
  }

  package static func unsupportedMediaType(_ detail: String) -> Problem {
    Problem(
      status: 415, code: "unsupported-media-type", title: "The body's type is not supported", detail: detail)
  }

  /// A request that the server itself turned away.
  package static func rejected(_ rejection: RequestRejection) -> Problem {
    switch rejection {
    case .bodyTooLarge(let limit):
      Problem(
        status: 413, code: "body-too-large", title: "The body is too large",
        detail: "A body may have at most \(limit) bytes.")
    case .bodyTooSlow(let seconds):
      Problem(
        status: 408, code: "body-too-slow", title: "The body took too long",
        detail: "A body must arrive within \(seconds) seconds.")
    case .ambiguousFraming:
      Problem(
        status: 400, code: "ambiguous-framing", title: "The end of the body is ambiguous",
        detail: "Send one Content-Length or a Transfer-Encoding, and no space before a colon.")
    case .ambiguousHead:
      Problem(
        status: 400, code: "ambiguous-head", title: "The head of the request is ambiguous",
        detail:
          "Send one Host, at most one Authorization and Origin, each header on one line that ends with CR LF, and no "
          + "control characters.")
    case .unknownTransferCoding:
      Problem(
        status: 501, code: "unknown-transfer-coding", title: "Unknown transfer coding",
        detail: "Use chunked.")
    case .targetTooLong(let bytes, let parameters):
      Problem(
        status: 414, code: "target-too-long", title: "The address is too long",
        detail: "An address may have at most \(parameters) parameters and \(bytes >> 10) KiB.")
    case .headTooLarge:
      Problem(
        status: 431, code: "head-too-large", title: "The head of the request is too large",
        detail: "Address and headers may have at most 28 KiB, with 64 bytes for each parameter and header.")
    case .senderHasTooManyBodies:
      Problem(
        status: 429, code: "too-many-bodies", title: "Too many large bodies at once",
        detail:
          "This sender has as many large bodies on their way as one may have; nothing was stored. Retry.",
        headers: [.init("Retry-After", "5")])
    case .tooManyBodies:
      Problem(
        status: 503, code: "too-many-bodies", title: "Too many large bodies at once",
        detail:
          "All senders have as many large bodies on their way as there is room for; nothing was stored. Retry.",
        headers: [.init("Retry-After", "5")])
    case .clientHasUnreadAnswers:
      Problem(
        status: 429, code: "unread-answers", title: "Too many large answers at once",
        detail:
          "This client has as many large answers that it has not read as one may have. Read them, then retry.",
        headers: [.init("Retry-After", "5")])
    case .tooManyUnreadAnswers:
      Problem(
        status: 503, code: "unread-answers", title: "Too many large answers at once",
        detail: "All clients have as many large answers that they have not read as there is room for. Retry.",
        headers: [.init("Retry-After", "5")])
    case .stopping:
      Problem(
        status: 503, code: "stopping", title: "The service is stopping",
        detail: "Nothing was stored; retry the request.", headers: [.init("Retry-After", "5")])
    }
  }
}
