import HTTPServer
import JSONText
import Postbacks
import Verification

/// An error as a client receives it, in the one shape that all of them have.
///
/// Source: RFC 9457 (Problem Details for HTTP APIs).
struct Problem: Hashable {
  let status: Int
  /// The stable code; it is also the end of the problem's type.
  let code: String
  let title: String
  /// What is wrong this time, and what would be right.
  var detail: String
  /// The member of the body that is wrong, where it is one.
  var member: String?
  var headers: [Response.Header] = []

  var response: Response {
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
  /// The body is not a postback; 400.
  static func notAPostback(_ judgement: Judgement) -> Problem {
    var problem = Problem(
      status: 400, code: judgement.reasonCode ?? "malformed", title: "The body is not a postback",
      detail: judgement.reason ?? "")
    if case .malformed(let defect) = judgement.verdict { problem.member = defect.memberName }
    return problem
  }

  /// The body is not one postback, but seems to be several, one a line; 400.
  static func looksLikeNDJSON(_ judgement: Judgement) -> Problem {
    var problem = notAPostback(judgement)
    problem.detail +=
      "; this looks like NDJSON: a device sends one postback; networks send several as "
      + "application/x-ndjson to /v1/networks/{network}/postbacks"
    return problem
  }

  /// The body is not a report of Private Click Measurement; 400.
  static func notAWebClick(_ defect: PostbackDefect) -> Problem {
    Problem(
      status: 400, code: defect.code, title: "The body is not a report of Private Click Measurement",
      detail: defect.sentence, member: defect.memberName)
  }

  /// The body is not JSON at all; 400.
  static func notJSON(_ detail: String) -> Problem {
    Problem(status: 400, code: "broken-json", title: "The body is not JSON", detail: detail)
  }

  /// A query parameter can't be used; 400.
  static func badParameter(_ name: String, _ detail: String) -> Problem {
    Problem(
      status: 400, code: "bad-parameter", title: "Invalid query parameter", detail: detail,
      member: name)
  }

  static func unauthorized(_ detail: String) -> Problem {
    Problem(
      status: 401, code: "unauthorized", title: "A valid bearer token is required", detail: detail,
      headers: [.init("WWW-Authenticate", "Bearer realm=\"skan\"")])
  }

  static func forbidden(_ detail: String) -> Problem {
    Problem(status: 403, code: "forbidden", title: "The token does not permit this request", detail: detail)
  }

  static func notFound(_ detail: String) -> Problem {
    Problem(status: 404, code: "not-found", title: "Not found", detail: detail)
  }

  static func methodNotAllowed(_ allowed: [Method]) -> Problem {
    let names = allowed.map(\.rawValue).joined(separator: ", ")
    return Problem(
      status: 405, code: "method-not-allowed", title: "Method not allowed",
      detail: "Allowed: \(names).", headers: [.init("Allow", names)])
  }

  static func unsupportedMediaType(_ detail: String) -> Problem {
    Problem(
      status: 415, code: "unsupported-media-type", title: "The body's type is not supported", detail: detail)
  }

  /// Nothing was stored, and another try may succeed; 503.
  static func notStored(_ detail: String) -> Problem {
    Problem(
      status: 503, code: "not-stored", title: "The postback could not be stored", detail: detail,
      headers: [.init("Retry-After", "5")])
  }

  /// The batch has more items than are taken at once; 413.
  static func tooManyItems(_ limit: Int) -> Problem {
    Problem(
      status: 413, code: "too-many-items", title: "The batch has too many items",
      detail: "A batch may have at most \(limit) postbacks; send several batches.")
  }

  /// A request that the server itself turned away.
  static func rejected(_ rejection: RequestRejection) -> Problem {
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
        detail: "Send one Host, each header on one line, and no control characters.")
    case .unknownTransferCoding:
      Problem(
        status: 501, code: "unknown-transfer-coding", title: "Unknown transfer coding",
        detail: "Use chunked.")
    case .stopping:
      Problem(
        status: 503, code: "stopping", title: "The service is stopping",
        detail: "Nothing was stored; retry the request.", headers: [.init("Retry-After", "5")])
    }
  }
}
