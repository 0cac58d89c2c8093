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
  /// How many of the 64 values stay without a meaning, 0 through 48.
  package let spare: Int
  /// When Apple shows a value.
  package var crowd = CrowdModel.none
  /// Decides every random draw.
  package var seed: UInt64 = 1

  /// The values that may stay without a meaning.
  package static let spares = 0...48

  /// The windows that a mapping can have, in hours; fine values of SKAdNetwork 4 end with the first
  /// window.
  package static func windows(on device: Mapping.Device) -> [Int] {
    [24, 48, 72].filter { !device.hasWindows || $0 <= ConversionWindow.first.endHour }
  }

  /// Joins the parts; `nil` where the device has no such window, the days lie outside of 1 through 35, or the
  /// number of spare values outside of ``spares``.
  package init?(
    name: String, app: AppID, currency: CurrencyCode, effectiveFrom: Instant, device: Mapping.Device,
    windowHours: Int? = nil, target: DesignTarget, scheme: EdgeScheme? = nil, spare: Int
  ) {
    guard windowHours.map({ Self.windows(on: device).contains($0) }) ?? true,
      (1...35).contains(target.days), Self.spares.contains(spare)
    else { return nil }
    self.name = name
    self.app = app
    self.currency = currency
    self.effectiveFrom = effectiveFrom
    self.device = device
    self.windowHours = windowHours
    self.target = target
    self.scheme = scheme
    self.spare = spare
  }

  /// How many values there may be, 0 included.
  var values: Int { 64 - spare }

  /// The order for a table of values.
  ///
  /// Fine ranges end where coarse ones do, so that a fine value never disagrees with its coarse one.
  func order(windowHours: Int, _ scheme: EdgeScheme, _ coarse: CoarseDesign?) -> CodeDesign.Order {
    CodeDesign.Order(
      isTimed: !device.hasWindows, windowHours: windowHours, scheme: scheme, values: values,
      forcedEdges: coarse?.windows[.first]?.compactMap(\.from) ?? [])
  }
}
