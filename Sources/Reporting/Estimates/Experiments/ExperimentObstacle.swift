package import Values

/// Why an experiment cannot be planned.
package enum ExperimentObstacle: UserFacingError, Equatable {
  case unknownEvent(String)
  case nothingMeasured(users: Int)
  /// The difference would need more users with revenue than there are.
  case tooFewUsers
  /// This share of users cannot rise by the difference.
  case rateTooHigh(Double)
  /// Users do not differ, or no size is enough.
  case noSize

  package var exitCode: ExitCode {
    switch self {
    case .unknownEvent, .nothingMeasured, .noSize: .data
    case .tooFewUsers, .rateTooHigh: .usage
    }
  }

  package var message: String {
    switch self {
    case .unknownEvent(let name): "no value of the mapping has the event '\(printable(name))'"
    case .nothingMeasured(let users):
      "none of \(counted(users, "user")) has an event or revenue that the mapping covers"
    case .tooFewUsers: "The events file has too few users without revenue for this difference."
    case .rateTooHigh(let share):
      "A rate of \(fixed(100 * share, 2)) % cannot rise by this difference: the result is 100 % or more."
    case .noSize: "users do not differ, or no sample size detects the difference"
    }
  }

  package var remedy: String? {
    switch self {
    case .unknownEvent: "list the events with `skan mapping show`"
    case .nothingMeasured, .rateTooHigh: nil
    case .tooFewUsers: "Give a smaller '--difference', or '--lift-from amounts'."
    case .noSize: "check mean, spread and difference"
    }
  }
}
