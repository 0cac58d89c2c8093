import Values

/// What campaigns are to be compared by.
package enum DesignTarget: Equatable, Sendable {
  /// Revenue of users within a number of days since install, 1 through 35.
  case revenue(days: Int)
  /// How often users do something within seven days since install.
  case event(String)

  /// The days since install that count.
  package var days: Int {
    switch self {
    case .revenue(let days): days
    case .event: 7
    }
  }

  /// The seconds since install that count, half-open at the end.
  var seconds: Int64 { Int64(days) * Day.seconds }

  /// The event that is counted; `nil` where revenue is.
  package var event: String? {
    if case .event(let name) = self { name } else { nil }
  }
}

extension DesignTarget: CustomStringConvertible {
  /// The target as the command line takes it: `day7`, `event:trial`.
  package var description: String {
    switch self {
    case .revenue(let days): "day\(days)"
    case .event(let name): "event:\(name)"
    }
  }
}
