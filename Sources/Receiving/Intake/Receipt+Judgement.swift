public import Ledger
package import NetworkForms
import Postbacks
package import Values
public import Verification

extension Receipt {
  /// Makes the receipt of what was read in a network's form; what it claims counts where the profile has no signatures.
  package init(
    _ judgement: Judgement, of form: FormReading, by profile: NetworkProfile, receivedAt: Instant,
    from origin: Origin, quotaSource: String
  ) {
    let arrival = Arrival(
      receivedAt: receivedAt, origin: origin, quotaSource: quotaSource, body: form.body,
      form: form.received.map { NetworkForm(profile: profile.name, bytes: $0) })
    if !profile.isSigned, let claim = judgement.claim {
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
