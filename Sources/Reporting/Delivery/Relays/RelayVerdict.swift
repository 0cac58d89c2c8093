import HTTPClient
import JSONText
import Reports
import Values

/// What an attempt to pass a postback on came to.
enum RelayVerdict: Equatable, Sendable {
  case accepted
  /// The other side does not want this postback; another attempt will hardly help.
  case declined(status: Int, reason: String)
  /// The other side can't take any postback now.
  case failed(status: Int?, reason: String, retryAfterSeconds: Int64?)

  var isFailure: Bool { if case .failed = self { true } else { false } }

  /// - Parameter secrets: What no reason shows, although the other side may send it back.
  init(_ answer: PostAnswer, without secrets: @autoclosure () -> SecretTexts) {
    guard !(200..<300).contains(answer.status) else {
      self = .accepted
      return
    }
    let text = secrets().shown(answer.beginning, atMost: 200)
    let reason = "answered \(answer.status)" + (text.isEmpty ? "" : ": \(text)")
    switch answer.status {
    case 300..<400:
      self = .failed(
        status: answer.status, reason: "answered \(answer.status); skan does not follow redirects",
        retryAfterSeconds: nil)
    case _ where RelayListing.retried.contains(answer.status):
      self = .failed(
        status: answer.status, reason: reason, retryAfterSeconds: answer.retryAfterSeconds)
    case 400..<500: self = .declined(status: answer.status, reason: reason)
    default:
      self = .failed(
        status: answer.status, reason: reason, retryAfterSeconds: answer.retryAfterSeconds)
    }
  }

  init(_ outcome: RelayOutcome, without secrets: @autoclosure () -> SecretTexts) {
    switch outcome {
    case .success(let answer): self.init(answer, without: secrets())
    case .failure(let error): self.init(error)
    }
  }

  init(_ error: any Error) { self = .failed(status: nil, reason: "\(error)", retryAfterSeconds: nil) }
}
