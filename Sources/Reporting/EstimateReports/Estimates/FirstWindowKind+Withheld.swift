import Ledger
import Postbacks

extension FirstWindowKind {
  var isZero: Bool { if case .fine(let value) = value { value.number == 0 } else { false } }

  var withheld: Self {
    Self(app: app, version: version, outcome: outcome, value: .absent, arrival: arrival)
  }
}
