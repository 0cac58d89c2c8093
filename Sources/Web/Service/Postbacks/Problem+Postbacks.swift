import HTTPServer
import Postbacks
package import Routing
import Values
import Verification

extension Problem {
  /// The body is not a postback; 400.
  static func notAPostback(_ judgement: Judgement) -> Problem {
    var problem = Problem(
      status: 400, code: judgement.reasonCode ?? "malformed", title: "The body is not a postback",
      detail: judgement.reason?.english ?? "")
    if case .malformed(let defect) = judgement.verdict { problem.member = defect.memberName }
    return problem
  }

  /// The body is the probe of `skan doctor`, which is not stored; 400.
  static var probe: Problem {
    Problem(
      status: ReceptionProbe.status, code: "probe", title: "The body is not a postback",
      detail: "It is the probe of `skan doctor`, and is not stored.")
  }

  /// The body is not one postback, but seems to be several, one a line; 400.
  static func looksLikeNDJSON(_ judgement: Judgement) -> Problem {
    var problem = notAPostback(judgement)
    problem.detail +=
      "; this looks like NDJSON: a device sends one postback; networks send several as "
      + "application/x-ndjson to /v1/networks/{network}/postbacks"
    return problem
  }

  /// A part of a path that names no test inbox; 404.
  static var noInbox: Problem {
    .notFound("There is no such test inbox. Create one with `skan token create --test-inbox`.")
  }

  /// A path that has no network's token, or a revoked one; 404.
  static var noForwardPath: Problem {
    .notFound("There is no such path. Create one with `skan token create --network NAME --in-path`.")
  }

  /// A test inbox that has had its time; 410.
  static var expiredInbox: Problem {
    Problem(
      status: 410, code: "inbox-expired", title: "The test inbox has expired",
      detail: "Create another one with `skan token create --test-inbox`.")
  }

  /// A production postback at a test inbox; 403.
  static var productionAtInbox: Problem {
    Problem(
      status: 403, code: "production-postback", title: "The test inbox stores no production postbacks",
      detail: "Send production postbacks to Apple's paths below /.well-known/.")
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
