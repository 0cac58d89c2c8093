package import Mappings
package import Postbacks
import Values

/// What two arms of an experiment are compared by.
package enum ExperimentMeasure: Equatable, Sendable {
  /// Revenue per install whose value is shown.
  case revenue
  /// The share of installs with a shown value that did something.
  case event(String)
  /// The share of installs whose value is withheld.
  case nullRate

  /// Reads `revenue`, `event:NAME` or `null-rate`; `nil` for anything else.
  package init?(_ text: String) {
    switch text {
    case "revenue": self = .revenue
    case "null-rate": self = .nullRate
    default:
      guard text.hasPrefix("event:"), text != "event:" else { return nil }
      self = .event(String(text.dropFirst(6)))
    }
  }

  /// Its name on the command line.
  package var text: String {
    switch self {
    case .revenue: "revenue"
    case .event(let name): "event:\(name)"
    case .nullRate: "null-rate"
    }
  }

  /// What a shown value is worth on average, and the variance of users that share it.
  ///
  /// Users are taken to lie evenly between the ends of a range; one without an upper end has no spread.
  ///
  /// - Parameter expectation: The meaning of the value by the mapping.
  /// - Returns: The mean and the variance; zeroes where the mapping does not show the measure.
  package func worth(_ expectation: Expectation) -> (mean: Double, within: Double) {
    switch self {
    case .revenue:
      var mean = 0.0
      var within = 0.0
      for part in expectation.revenue {
        mean += Double(part.representative.micros) / 1e6
        guard let low = part.low, let high = part.high else { continue }
        let width = Double(high.micros) / 1e6 - Double(low.micros) / 1e6
        within += width * width / 12
      }
      return (mean, within)
    case .event(let name):
      let share = expectation.events.first { $0.name == name }?.probability ?? 0
      return (share, share * (1 - share))
    case .nullRate: return (0, 0)
    }
  }

  /// The most that a user with a value of the first window is worth by a mapping.
  package func greatest(of mapping: Mapping) -> Double {
    guard self != .nullRate else { return 1 }
    return mapping.fine.reduce(0) { most, rule in
      max(most, worth(mapping.expectation(.fine(rule.value))).mean)
    }
  }
}

extension Mapping {
  /// What a value of the first window means where this version alone can have set it.
  package func expectation(_ value: ConversionValue) -> Expectation {
    // Long after the version began: no other one can matter.
    let arrival = effectiveFrom + 400 * Day.milliseconds
    return MappingHistory([self]).expectation(
      of: value, version: device.hasWindows ? .v4_0 : .v3_0, window: .first, timers: .full,
      arrival: arrival.followingHour)
  }
}
