public import Ledger
package import NetworkForms
import Postbacks
package import Values
public import Verification

extension Judgement {
  /// Why what a network sent does not count; `nil` where it does, as a claim of a profile without signatures does.
  func rejection(by profile: NetworkProfile) -> String? {
    guard state != .valid, profile.isSigned || claim == nil else { return nil }
    return reason?.english ?? state.rawValue
  }

  /// The same without the byte that differs from body to body, by which rejected postbacks are counted.
  func countedRejection(by profile: NetworkProfile) -> String? {
    guard let reason = rejection(by: profile) else { return nil }
    guard case .malformed(let defect) = verdict else { return reason }
    switch defect {
    case .brokenJSON(let part, _): return "\(defect.code): \(part.words) is not JSON"
    case .duplicateMember(let part, _): return "\(defect.code): \(part.words) has a member twice"
    default: return reason
    }
  }
}

extension Receipt {
  /// Makes the receipt of what was read in a network's form; what it claims counts where the profile has no signatures.
  package init(
    _ judgement: Judgement, of form: FormReading, by profile: NetworkProfile, receivedAt: Instant,
    from origin: Origin, quotaSource: String
  ) {
    let arrival = Arrival(
      receivedAt: receivedAt, origin: origin, quotaSource: quotaSource, body: form.body,
      form: form.received.map { NetworkForm(profile: profile.name, bytes: $0) })
    if judgement.rejection(by: profile) == nil, let claim = judgement.claim {
      self.init(arrival: arrival, finding: .valid(claim))
    } else {
      self.init(arrival, judgement)
    }
  }

  /// Makes the receipt of an arrival that was judged; every verdict has one.
  public init(_ arrival: Arrival, _ judgement: Judgement) {
    switch judgement.verdict {
    case .valid(let postback): self.init(arrival: arrival, finding: .valid(postback))
    case .invalid(let reason): self.init(arrival, .invalid, reason.code, judgement)
    case .unverifiable(let reason): self.init(arrival, .unverifiable, reason.code, judgement)
    case .malformed(let defect): self.init(arrival, .malformed, defect.code, judgement)
    }
  }

  private init(_ arrival: Arrival, _ state: Rejection.State, _ reason: String, _ judgement: Judgement) {
    self.init(
      arrival: arrival, finding: .rejected(Rejection(state: state, reason: reason, identifier: judgement.id)))
  }
}
