public import Postbacks
public import Values

/// The meaning of an app's conversion values from a moment on: every rule, with nothing left to be expanded.
public struct Mapping: Hashable, Sendable {
  /// Whose timers the values are set under; the raw value is the word in the file.
  public enum Device: String, Hashable, Sendable, CaseIterable {
    /// SKAdNetwork 3 and below: one value that only rises, and a timer of 24 hours that each rise restarts.
    case skan3
    /// SKAdNetwork 4: three windows.
    case skan4
    /// AdAttributionKit: three windows.
    case aak

    /// Whether there are three windows with coarse values and locks.
    public var hasWindows: Bool { self != .skan3 }
  }

  /// Which of several rules that hold applies; the raw value is the word in the file.
  public enum Precedence: String, Hashable, Sendable, CaseIterable {
    case highestValue = "highest-value"
    /// The first in the file.
    case listOrder = "list-order"
    /// The one of the highest priority; of equals the one of the highest value.
    case priority
  }

  /// Who else decodes by this mapping, where that has rules of its own; the raw value is the word in the file.
  public enum Partner: String, Hashable, Sendable, CaseIterable {
    case meta, appsflyer
  }

  public let name: String
  public let app: AppID
  /// The currency of every amount that names no other.
  public let currency: CurrencyCode
  /// When devices start to follow it.
  public let effectiveFrom: Instant
  /// Whose timers the values are set under.
  public let device: Device
  /// Whether a value is only ever replaced by a higher one; always so under ``Device/skan3``.
  public let isRaiseOnly: Bool
  /// How long after install fine values are set; `nil` leaves it to the timers.
  public let measurementWindowHours: Int?
  /// Which of several rules that hold applies; of rules with equal priorities the one of the highest value.
  public let precedence: Precedence
  /// Who else decodes by this mapping.
  public let partners: [Partner]
  /// The events that the app sends; empty when they are not listed.
  public let declaredEvents: [DeclaredEvent]
  /// The rules for fine values, in order.
  public let fine: [FineRule]
  public let coarse: [ConversionWindow: CoarseRules]

  /// Joins the parts of a mapping.
  ///
  /// What the device can't do is put right: SKAdNetwork 3 only raises.
  public init(
    name: String, app: AppID, currency: CurrencyCode, effectiveFrom: Instant, device: Device,
    isRaiseOnly: Bool = false, measurementWindowHours: Int? = nil, precedence: Precedence = .highestValue,
    partners: [Partner] = [], declaredEvents: [DeclaredEvent] = [], fine: [FineRule],
    coarse: [ConversionWindow: CoarseRules] = [:]
  ) {
    self.name = name
    self.app = app
    self.currency = currency
    self.effectiveFrom = effectiveFrom
    self.device = device
    self.isRaiseOnly = isRaiseOnly || device == .skan3
    self.measurementWindowHours = measurementWindowHours
    self.precedence = precedence
    self.partners = partners
    self.declaredEvents = declaredEvents
    self.fine = fine
    self.coarse = coarse
  }

  /// The hours since install whose revenue a fine value can show; `nil` where the timer of SKAdNetwork 3 alone ends it.
  public var fineHours: Int? { fineEnd.map { Int($0 / Hour.seconds) } }

  /// The seconds since install at which fine values end, where the mapping or the window sets an end.
  var fineEnd: Int64? {
    let stated = measurementWindowHours.map { Int64($0) * Hour.seconds }
    guard device.hasWindows else { return stated }
    return min(stated ?? .max, ConversionWindow.first.seconds.upperBound)
  }
}

public struct DeclaredEvent: Hashable, Sendable {
  public let name: String
  /// How many hours after install it can happen first.
  public let earliestHours: Int

  public init(name: String, earliestHours: Int = 0) {
    self.name = name
    self.earliestHours = earliestHours
  }
}
