public import Ledger
import Postbacks
public import Verification

extension Receipt {
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
