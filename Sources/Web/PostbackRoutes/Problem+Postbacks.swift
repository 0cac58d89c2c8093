import HTTPServer
import Postbacks
package import Routing
import Verification

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
    var problem = Problem(
      status: 400, code: defect.code, title: "The body is not a report of Private Click Measurement",
      detail: defect.sentence)
    problem.member = defect.memberName
    return problem
  }

  /// Nothing was stored, and another try may succeed; 503.
  package static func notStored(_ detail: String) -> Problem {
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
}
