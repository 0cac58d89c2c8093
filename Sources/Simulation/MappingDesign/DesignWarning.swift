package import Values

/// Something that a design can't be sure of.
package enum DesignWarning: Equatable, Sendable {
  case fewUsers(Int)
  /// Few of the users have revenue.
  case fewPayers(Int)
  /// A few users have much of the revenue.
  case fewCarriers(RevenueCarriers)
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
  /// The kinds of edges do not differ by more than chance.
  case closeSchemes(DesignChoice, DesignChoice)

  package var code: String {
    switch self {
    case .fewUsers: "few-users"
    case .fewPayers: "few-payers"
    case .fewCarriers: "concentrated-revenue"
    case .thinTop: "thin-top-value"
    case .thinValues: "thin-values"
    case .undetermined: "target-not-determined"
    case .brokenChains: "broken-chains"
    case .unripe: "unripe-users"
    case .sampled: "sampled-users"
    case .closeSchemes: "close-methods"
    }
  }

  /// What is unsure, as a sentence without a full stop.
  package var sentence: String {
    switch self {
    case .fewUsers(let count): "there are only \(count) users; the ranges are stable from 10,000 users"
    case .fewPayers(let count):
      "only \(count) users have data for the target; a few more could change every range"
    case .fewCarriers(let carriers): carriers.sentence
    case .thinTop(let value, let users):
      "the highest value, \(value), has the revenue of \(users == 1 ? "1 user" : "\(users) users"); "
        + "one high spender changes it"
    case .thinValues(let count):
      "\(count == 1 ? "1 value is" : "\(count) values are") based on fewer than ten users; a smaller "
        + "--values avoids them"
    case .undetermined(let hours, let target, let error):
      "the first \(hours) hours do not determine \(target): even with every value shown, the mean "
        + "error of campaigns with 1000 installs is \(percent(error, 0))"
    case .brokenChains(let share):
      "the 24-hour timer ended before a later rise for \(percent(share, 0)) of the users"
    case .unripe(let users, let days):
      "excluded \(users == 1 ? "1 user" : "\(users) users"): the file ends before "
        + "\(days == 1 ? "the first day" : "\(days) days") after the install"
    case .sampled(let taken, let all): "used a random sample of \(taken) of \(all) users"
    case .closeSchemes(let best, let next):
      "the errors of \(best) and \(next) do not differ on these users"
    }
  }
}
