import HTTPServer
import Routing

extension Problem {
  /// A query parameter can't be used; 400.
  static func badParameter(_ name: String, _ detail: String) -> Problem {
    Problem(
      status: 400, code: "bad-parameter", title: "Invalid query parameter", detail: detail,
      member: name)
  }

  /// No format that there is fits Accept; 406.
  static func notAcceptable(_ types: [String]) -> Problem {
    Problem(
      status: 406, code: "not-acceptable", title: "No acceptable format",
      detail: "Accept must allow one of \(types.joined(separator: ", ")).")
  }

  /// As many questions wait as may; 503.
  static let tooManyReads = Problem(
    status: 503, code: "too-many-reads", title: "Too many reports are queued",
    detail: "This client has as many reports waiting as one may have; retry later.",
    headers: [.init("Retry-After", "2")])

  /// The answer took too long; 503.
  static let tookTooLong = Problem(
    status: 503, code: "took-too-long", title: "The report took too long",
    detail: "Select fewer days, apps or networks, or retry at a quieter time.",
    headers: [.init("Retry-After", "30")])

  /// The database can't be read; 503.
  static func notReadable(_ detail: String) -> Problem {
    Problem(
      status: 503, code: "not-readable", title: "The database cannot be read now", detail: detail,
      headers: [.init("Retry-After", "5")])
  }

  /// A fit found no answer, which is a bug; 500.
  static func estimateFailed(_ code: String) -> Problem {
    Problem(
      status: 500, code: "estimate-failed", title: "The estimate failed",
      detail: "The fit ended with '\(code)'; report the request as a bug.")
  }
}
