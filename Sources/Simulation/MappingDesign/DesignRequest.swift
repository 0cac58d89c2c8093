package import Mappings
package import Postbacks
package import Simulation
package import Values

/// What a mapping is to be made for.
package struct DesignRequest: Sendable {
  /// What people will call the mapping.
  package var name: String
  package var app: AppID
  package var currency: CurrencyCode
  /// When devices start to follow the mapping.
  package var effectiveFrom: Instant
  /// Whose timers the values are set under: ``Mapping/Device/skan3`` or ``Mapping/Device/skan4``.
  package let device: Mapping.Device
  /// How long values are set, in hours since install, one of ``windows(on:)``; `nil` for what errs least.
  package let windowHours: Int?
  /// What campaigns are to be compared by.
  package let target: DesignTarget
  /// How edges are found; `nil` for what errs least.
  package let scheme: EdgeScheme?
  /// How many values there may be, the one for nothing included.
  package let values: Int
  /// The later window that shows whether another source attributes users; `nil` for none.
  package var overlapWindow: ConversionWindow?
  /// When Apple shows a value.
  package var crowd = CrowdModel.none
  /// The installs of simulated campaigns that errors are measured on, the smallest first.
  package var sizes = [100, 300, 1000]
  /// Decides every random draw.
  package var seed: UInt64 = 1

  /// How many values a mapping can have.
  package static let valueCounts = 2...64

  /// The windows that a mapping can have, in hours; fine values of SKAdNetwork 4 end with the first
  /// window.
  package static func windows(on device: Mapping.Device) -> [Int] {
    [24, 48, 72].filter { !device.hasWindows || $0 <= ConversionWindow.first.endHour }
  }

  /// Joins the parts; `nil` where the device has no such window, the days lie outside of 1 through 35, or the
  /// number of values outside of ``valueCounts``.
  package init?(
    name: String, app: AppID, currency: CurrencyCode, effectiveFrom: Instant, device: Mapping.Device,
    windowHours: Int? = nil, target: DesignTarget, scheme: EdgeScheme? = nil, values: Int
  ) {
    guard windowHours.map({ Self.windows(on: device).contains($0) }) ?? true,
      (1...35).contains(target.days), Self.valueCounts.contains(values)
    else { return nil }
    self.name = name
    self.app = app
    self.currency = currency
    self.effectiveFrom = effectiveFrom
    self.device = device
    self.windowHours = windowHours
    self.target = target
    self.scheme = scheme
    self.values = values
  }

  /// The order for a table of values.
  func order(windowHours: Int, _ choice: DesignChoice, forcedEdges: [Int64] = []) -> CodeDesign.Order {
    CodeDesign.Order(
      isTimed: !device.hasWindows, windowHours: windowHours, choice: choice, values: values,
      forcedEdges: forcedEdges)
  }

  /// The ways to cut that a design chooses from: all kinds of edges over the revenue alone, and those that make an
  /// error small over each day of activity, and before and after some events, too, where there are values enough.
  func choices(windowHours: Int, events: [DesignEvent]) -> [DesignChoice] {
    let schemes = scheme.map { [$0] } ?? EdgeScheme.allCases
    let days = (windowHours + 23) / 24
    // Coarse values end in every block where fine ones do.
    func isEnough(_ blocks: Int) -> Bool {
      let reserved = device.hasWindows ? blocks * (CoarseValue.allCases.count - 1) : 0
      return blocks > 1 && values - 1 - reserved >= blocks
    }
    let byDay = isEnough(days) ? schemes.filter { $0.cost != nil } : []
    // All kinds of edges with all events would take long.
    let byEvent = isEnough(2) ? schemes.filter { $0 == .smooth || scheme != nil && $0.cost != nil } : []
    return schemes.map { DesignChoice(scheme: $0) } + byDay.map { DesignChoice(scheme: $0, split: .days) }
      + events.flatMap { event in byEvent.map { DesignChoice(scheme: $0, split: .event(event)) } }
  }
}
