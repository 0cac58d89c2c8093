package import Mappings
package import Postbacks
package import Simulation
package import Values

/// What a mapping is to be made for.
package struct DesignRequest: Sendable {
  /// What people will call the mapping.
  package var name: String
  /// The app.
  package var app: AppID
  /// The currency that counts.
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
  /// When Apple shows a value.
  package var crowd = CrowdModel.none
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
  /// error small over each day of activity, too, where there are values enough.
  func choices(windowHours: Int) -> [DesignChoice] {
    let schemes = scheme.map { [$0] } ?? EdgeScheme.allCases
    let days = (windowHours + 23) / 24
    // Coarse values end on every day where fine ones do.
    let reserved = device.hasWindows ? days * (CoarseValue.allCases.count - 1) : 0
    let hasDays = days > 1 && values - 1 - reserved >= days
    return schemes.map { DesignChoice(scheme: $0, usesDays: false) }
      + schemes.filter { hasDays && $0.cost != nil }.map { DesignChoice(scheme: $0, usesDays: true) }
  }
}
