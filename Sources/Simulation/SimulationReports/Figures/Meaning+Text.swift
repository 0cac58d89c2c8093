import Mappings
import Postbacks
import Values

extension Meaning {
  /// The meaning on one line, for people.
  var line: String {
    switch self {
    case .rules(let meanings): meanings.map(\.line).joined(separator: " or ")
    case .zero: "installed, no further activity"
    case .null: "no value"
    case .noneExpected: "no value expected"
    case .unmapped: "unmapped"
    }
  }
}

extension Interpretation {
  fileprivate var line: String {
    let money = revenue.map { estimate in
      let mid = "mid \(estimate.representative) \(estimate.currency)"
      return switch (estimate.low, estimate.high) {
      case (let low?, let high?): "\(low) to \(high) \(estimate.currency), \(mid)"
      case (let low?, nil): "\(low) \(estimate.currency) or more, \(mid)"
      case (nil, let high?): "up to \(high) \(estimate.currency), \(mid)"
      case (nil, nil): mid
      }
    }
    let hours = activeHours.map { ["last active in hours \($0.from) to \($0.to)"] } ?? []
    let types = conversionTypes == .all ? [] : conversionTypes.list.map(\.rawValue)
    let parts = types + events.map(\.line) + money + hours
    let text = parts.isEmpty ? "any user" : parts.joined(separator: ", ")
    return label.map { "\(printable($0)): \(text)" } ?? text
  }
}

extension EventCondition {
  fileprivate var line: String {
    let name = printable(name)
    return switch (count.min, count.max) {
    case (0, 0): "no \(name)"
    case (1, nil): name
    case (let least, nil): "\(name) x\(least)+"
    case (let least, let most?): "\(name) x\(least)" + (most == least ? "" : "-\(most)")
    }
  }
}
