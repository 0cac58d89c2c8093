import HTTPServer

extension Problem {
  /// No format that there is fits Accept; 406.
  static func notAcceptable(_ types: [String]) -> Problem {
    Problem(
      status: 406, code: "not-acceptable", title: "No format fits",
      detail: "Accept has to allow one of \(types.joined(separator: ", ")).")
  }

  /// As many questions wait as may; 503.
  static let tooManyReads = Problem(
    status: 503, code: "too-many-reads", title: "Too many questions at once",
    detail: "As many reports wait to be made as may; ask again.", headers: [.init("Retry-After", "2")])

  /// The answer took too long; 503.
  static let tookTooLong = Problem(
    status: 503, code: "took-too-long", title: "The answer took too long",
    detail: "Ask for fewer days, apps or networks, or when there is less to do.",
    headers: [.init("Retry-After", "30")])

  /// The database can't be read; 503.
  static func notReadable(_ detail: String) -> Problem {
    Problem(
      status: 503, code: "not-readable", title: "The database can't be read now", detail: detail,
      headers: [.init("Retry-After", "5")])
  }

  /// A fit found no answer, which is a bug; 500.
  static func estimateFailed(_ code: String) -> Problem {
    Problem(
      status: 500, code: "estimate-failed", title: "The estimate failed",
      detail: "The fit ended with '\(code)'; report it with the question.")
  }
}
