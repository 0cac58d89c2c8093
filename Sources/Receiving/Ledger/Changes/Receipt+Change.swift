import Postbacks
import Values
import Verification

/// A receipt without the facts of its body, which are read from it again. The verdict goes with it, because a signature is
/// checked once, by the program that got the body.
extension Receipt: ChangeField {
  private enum Kind: UInt8, ChangeField {
    case conversion, rejected, inbox
  }

  package func write(to bytes: inout ChangeEncoder) {
    // Field by field: receipts come in their thousands, and a list of any fields would be memory for each of them.
    arrival.receivedAt.write(to: &bytes)
    arrival.origin.route.write(to: &bytes)
    arrival.origin.name.write(to: &bytes)
    arrival.quotaSource.write(to: &bytes)
    bytes.add(bytes: arrival.body)
    arrival.form.write(to: &bytes)
    switch finding {
    case .conversion(let conversion):
      Kind.conversion.write(to: &bytes)
      conversion.postback.environment.write(to: &bytes)
    case .rejected(let rejection):
      bytes.add(Kind.rejected, rejection.state, rejection.reason, rejection.identifier)
    case .inbox(let found):
      bytes.add(
        Kind.inbox, found.inbox, found.state, found.environment, found.reason,
        found.stored?.postback.environment)
    }
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    let receivedAt: Instant = try bytes.next()
    let origin = Origin(try bytes.next(), name: try bytes.next())
    let source: String = try bytes.next()
    let body: [UInt8] = try bytes.next()
    let arrival = Arrival(
      receivedAt: receivedAt, origin: origin, quotaSource: source, body: body, form: try bytes.next())
    let finding: ArrivalFinding
    switch try bytes.next(Kind.self) {
    case .conversion: finding = .conversion(try KeyedPostback(readFrom: body, environment: bytes.next()))
    case .rejected:
      finding = .rejected(
        Rejection(state: try bytes.next(), reason: try bytes.next(), identifier: try bytes.next()))
    case .inbox:
      let (inbox, state): (Int64, VerdictState) = (try bytes.next(), try bytes.next())
      let (environment, reason): (Environment?, String?) = (try bytes.next(), try bytes.next())
      let stored = try bytes.next(Environment?.self)
      finding = .inbox(
        InboxFinding(
          inbox: inbox, state: state, environment: environment, reason: reason,
          stored: try stored.map { (environment) throws(ChangeDefect) in
            try KeyedPostback(readFrom: body, environment: environment)
          }))
    }
    self.init(arrival: arrival, finding: finding)
  }
}

extension KeyedPostback {
  /// Reads a body again whose signature was checked when it came.
  fileprivate init(readFrom body: [UInt8], environment: Environment) throws(ChangeDefect) {
    guard
      let postback = VerifiedPostback(checkedBefore: PostbackReading(body), environment: environment)
    else { throw .badBody }
    self.init(postback)
  }
}

extension NetworkForm: ChangeRecord {
  package static let form = Form(Self.init) { ($0.profile, $0.bytes) }
}

extension Route: ChangeField {}

extension Origin: ChangeRecord {
  package static let form = Form(Self.init) { ($0.route, $0.name) }
}

extension Rejection.State: ChangeField {}
extension VerdictState: ChangeField {}
extension Environment: ChangeField {}
