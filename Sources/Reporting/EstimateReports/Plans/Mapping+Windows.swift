import Mappings
import Postbacks

extension Mapping {
  /// The events that only rules of window 2, or of window 3, have.
  var eventsOfLaterWindows: [(window: ConversionWindow, events: [String])] {
    guard device.hasWindows else { return [] }
    func names(_ conditions: [Conditions]) -> Set<String> {
      Set(conditions.flatMap { $0.events.map(\.name) })
    }
    var known = names(fine.map(\.conditions))
    return ConversionWindow.allCases.compactMap { window in
      let own = names((coarse[window]?.rules ?? []).map(\.conditions)).subtracting(known)
      known.formUnion(own)
      return window == .first || own.isEmpty ? nil : (window, own.sorted())
    }
  }

  /// Whether a small group of SKAdNetwork 4 or AdAttributionKit can show no value of window 1 at all.
  var hasNoCoarseValue: Bool {
    device.hasWindows && (coarse[.first]?.rules ?? []).isEmpty && fine.allSatisfy { $0.coarse == nil }
  }
}
