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
  /// What happens in the window leaves the target open: the mean error of the largest campaigns with every value shown.
  case undetermined(windowHours: Int, target: DesignTarget, installs: Int, error: Double)
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
  package var sentence: Sentence {
    switch self {
    case .fewUsers(let count):
      Sentence("there are only \(count) users; the ranges are stable from 10,000 users")
    case .fewPayers(let count):
      Sentence("only \(count) users have data for the target; a few more could change every range")
    case .fewCarriers(let carriers): carriers.sentence
    case .thinTop(let value, let users):
      Sentence(
        "the highest value, \(value), has the revenue of \(users, "user"); one high spender changes it")
    case .thinValues(let count):
      Sentence("\(count, one: "# value is", other: "# values are") based on fewer than ten users")
    case .undetermined(let hours, let target, let installs, let error):
      Sentence(
        "the first \(hours) hours do not determine \(name: "\(target)"): even with every value shown, the mean "
          + "error of campaigns with \(installs) installs is \(number: percent(error, 0))")
    case .brokenChains(let share):
      Sentence(
        "the 24-hour timer ended before a later rise for \(number: percent(share, 0)) of the users")
    case .unripe(let users, let days): Self.unripe(users, days)
    case .sampled(let taken, let all): Sentence("used a random sample of \(taken) of \(all) users")
    case .closeSchemes(let best, let next):
      Sentence("the errors of \(name: "\(best)") and \(name: "\(next)") do not differ on these users")
    }
  }

  private static func unripe(_ users: Int, _ days: Int) -> Sentence {
    let time = days == 1 ? Sentence("the first day") : Sentence("\(days) days")
    return users == 1
      ? Sentence("excluded 1 user: the file ends before \(time) after the install")
      : Sentence("excluded \(users) users: the file ends before \(time) after the install")
  }

  /// What helps on the command line; `nil` where nothing does.
  package var remedy: String? {
    if case .thinValues = self { "a smaller --values avoids them" } else { nil }
  }

  /// What commands and files write: the sentence, and what helps.
  package var text: String { sentence.english + (remedy.map { "; \($0)" } ?? "") }
}
