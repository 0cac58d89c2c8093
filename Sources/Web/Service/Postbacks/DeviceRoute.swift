import HTTPServer
import Intake
import JSONText
import Ledger
import Postbacks
package import Routing
import Verification

/// What devices post to: Apple's two fixed paths.
///
/// A device asks for 200 and tries again for nine days otherwise, so everything that could be a genuine postback is
/// answered 200 once it is on disk, whatever its signature. Only what no device sends, a body that is no postback,
/// gets a 400, and is kept all the same; only the probe of `skan doctor` is not. Nothing is asked of the headers, because Apple documents none.
/// A client that sends more than it may is answered 429, and its postback comes again.
///
/// Source: Apple, "Verifying an install-validation postback" and "Verifying a postback".
package struct DeviceRoute: Sendable {
  /// The paths, without the slash that may follow.
  package static let paths: Set<String> = [
    "/.well-known/skadnetwork/report-attribution", "/.well-known/appattribution/report-attribution",
  ]
  /// Bytes of a device's postback at most.
  package static let bodyLimit = PostbackReading.byteLimit

  private let reception: OpenReception
  /// Hosts that stand for an ad network's registered address; at all others devices deliver advertiser copies.
  private let networkHosts: Set<String>

  package init(_ reception: OpenReception, networkHosts: Set<String>) {
    self.reception = reception
    self.networkHosts = networkHosts
  }

  package var routes: [HTTPRoute] {
    Self.paths.map { path in
      // The limit of a client is no guard, because what it admitted is needed again once the app is known.
      HTTPRoute(path: path, figures: .device, methods: [.post], bodyLimit: Self.bodyLimit) {
        request, _, reply in answer(request, reply)
      }
    }
  }

  private func answer(_ request: borrowing Request, _ reply: consuming MeteredReply) {
    let client = reception.client(of: request)
    let admission: RateLimiter.Admission
    switch reception.limiter.admit(client) {
    case .success(let admitted): admission = admitted
    case .failure(let limited): return reply.send(Problem.limited(limited).response)
    }
    let body = request.body
    guard body != ReceptionProbe.body else { return reply.send(Problem.probe.response) }
    let reading = PostbackReading(body)
    // Before the signature check, which is what a flood would cost.
    if let app = reading.postback?.attested.advertisedApp.number,
      let limited = reception.limiter.rejection(of: admission, app: app)
    {
      return reply.send(Problem.limited(limited).response)
    }
    let judgement = reception.intake.judge(reading)
    reception.counters.count(judgement.state)
    let problem = judgement.state == .malformed ? Self.problem(of: judgement, reading, body) : nil
    let origin = Origin(isNetworkAddress(request) ? .networkAddress : .advertiserCopy)
    let pending = PendingReply(reply)
    reception.intake.store(
      judgement, of: body, from: origin, quotaSource: reception.quotaSource(of: client)
    ) { [reception] result in reception.answer(result, problem, pending) }
    if judgement.state != .valid { reception.limiter.countRejected(client) }
  }

  private static func problem(of judgement: Judgement, _ reading: PostbackReading, _ body: [UInt8]) -> Problem
  {
    looksLikeNDJSON(reading, body) ? .looksLikeNDJSON(judgement) : .notAPostback(judgement)
  }

  /// Whether a body that is no JSON is so because another value is on a line behind its first one.
  private static func looksLikeNDJSON(_ reading: PostbackReading, _ body: [UInt8]) -> Bool {
    guard case .malformed(.brokenJSON(.body, let defect)) = reading.outcome, defect.reason == .trailingBytes,
      body.indices.contains(defect.offset), body[defect.offset] == UInt8(ascii: "{")
    else { return false }
    return body[..<defect.offset].reversed().first { $0 != 0x20 && $0 != 0x0D } == 0x0A
  }

  private func isNetworkAddress(_ request: borrowing Request) -> Bool {
    guard !networkHosts.isEmpty, let host = request.header("Host") else { return false }
    let name = host.split(separator: ":").first.map { $0.lowercased() } ?? ""
    return networkHosts.contains(name)
  }
}
