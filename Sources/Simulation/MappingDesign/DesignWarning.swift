/// Something that a design can't be sure of.
package enum DesignWarning: Hashable, Sendable {
  /// There are few users at all.
  case fewUsers(Int)
  /// Few of the users bring anything.
  case fewPayers(Int)
  /// What the highest value is worth comes from few users.
  case thinTop(value: Int, users: Int)
  /// How many values stand for what fewer than ten users did.
  case thinValues(Int)
  /// What happens in the window leaves the target open: the mean error of campaigns of 1000 with every value shown.
  case undetermined(windowHours: Int, target: DesignTarget, error: Double)
  /// The timer had run out before a later rise, for that share of users.
  case brokenChains(Double)
  /// Users whose days are not over.
  case unripe(users: Int, days: Int)
  /// Only a part of the users was looked at.
  case sampled(taken: Int, of: Int)
  /// The schemes do not differ by more than chance.
  case closeSchemes(DesignChoice, DesignChoice)

  /// The stable code.
  package var code: String {
    switch self {
    case .fewUsers: "few-users"
    case .fewPayers: "few-payers"
    case .thinTop: "thin-top-value"
    case .thinValues: "thin-values"
    case .undetermined: "target-not-determined"
    case .brokenChains: "broken-chains"
    case .unripe: "unripe-users"
    case .sampled: "sampled-users"
    case .closeSchemes: "close-schemes"
    }
  }

  /// What is unsure, as a sentence without a full stop.
  package var sentence: String {
    switch self {
    case .fewUsers(let count): "there are only \(count) users; with 10,000 and more the ranges settle"
    case .fewPayers(let count): "only \(count) users bring anything; a few more could move every range"
    case .thinTop(let value, let users):
      "value \(value), the highest, is worth what \(users == 1 ? "1 user" : "\(users) users") brought; a single "
        + "whale changes it"
    case .thinValues(let count):
      "\(count == 1 ? "1 value stands" : "\(count) values stand") for what fewer than ten users did; --values makes "
        + "fewer of them"
    case .undetermined(let hours, let target, let error):
      "the first \(hours) hours do not settle \(target): even with every value shown, campaigns of 1000 installs "
        + "err by \(Self.percent(error)) on average"
    case .brokenChains(let share):
      "the timer of 24 hours ran out before a later rise for \(Self.percent(share)) of the users"
    case .unripe(let users, let days):
      "\(users == 1 ? "1 user was" : "\(users) users were") left out, because \(days == 1 ? "the first day" : "\(days) days") "
        + "from the install are not over in the file"
    case .sampled(let taken, let all): "\(taken) of \(all) users were looked at, chosen by chance"
    case .closeSchemes(let best, let next):
      "\(best) and \(next) are as good as each other on these users"
    }
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
