import Mappings
public import Postbacks

/// One conversion under SKAdNetwork 4 or AdAttributionKit: three windows, the last update of each of which counts.
///
/// The windows are `[0, 2)`, `[2, 7)` and `[7, 35)` days since first launch. Values may rise and fall. A window
/// without an update has no postback, so that an app which updates nothing within 60 days has none at all.
/// Source: Apple, "Receiving postbacks in multiple conversion windows".
public struct WindowedDevice: Equatable, Sendable {
  public struct Slot: Hashable, Sendable {
    /// The fine value; -1 when none was set, as always behind the first window.
    public internal(set) var fine: Int8 = -1
    /// The step of the coarse value, 0 for low; -1 when none was set.
    public internal(set) var coarse: Int8 = -1
    /// Whether the app updated the window at all.
    public internal(set) var wasUpdated = false
    /// When the window was locked, in seconds since the conversion; -1 when it was not.
    public internal(set) var lockedAt: Int64 = -1

    /// Whether the window takes no more updates.
    public var isLocked: Bool { lockedAt >= 0 }
  }

  private var slots: InlineArray<3, Slot> = [Slot(), Slot(), Slot()]

  /// Starts at the first launch.
  public init() {}

  public subscript(window: ConversionWindow) -> Slot { slots[window.rawValue] }

  /// What a window holds, by its index from 0.
  @inline(__always)
  subscript(index: Int) -> Slot { slots[index] }

  /// Takes the values that the app sets.
  ///
  /// A locked window ignores the rest of its updates; the next one opens at its time, not earlier. Fine values count
  /// in the first window only. Source: as above, and Apple, "updatePostbackConversionValue(_:coarseValue:lockWindow:
  /// completionHandler:)".
  ///
  /// - Parameters:
  ///   - fine: The fine value; -1 for none.
  ///   - coarse: The step of the coarse value; -1 for none.
  ///   - lock: Whether the window is locked with it.
  ///   - seconds: Seconds since the conversion.
  /// - Returns: Whether the update counted.
  @discardableResult
  public mutating func update(fine: Int8, coarse: Int8, lock: Bool, at seconds: Int64) -> Bool {
    guard let window = ConversionWindow(secondsSinceInstall: seconds) else { return false }
    return update(fine: fine, coarse: coarse, lock: lock, at: seconds, window: window.rawValue)
  }

  /// Takes the values that the app sets in a window that is already known.
  @discardableResult @inline(__always)
  mutating func update(fine: Int8, coarse: Int8, lock: Bool, at seconds: Int64, window: Int) -> Bool {
    guard !slots[window].isLocked else { return false }
    if window == 0 { slots[window].fine = fine }
    slots[window].coarse = coarse
    slots[window].wasUpdated = true
    if lock { slots[window].lockedAt = seconds }
    return true
  }

  /// Lets a newer conversion take over: the active window is locked and its postback scheduled, later windows are
  /// removed.
  ///
  /// An active window that no update registered is removed too.
  /// Source: Apple, "Receiving ad attributions and postbacks" of AdAttributionKit.
  public mutating func end(at seconds: Int64) {
    for window in ConversionWindow.allCases where window.seconds.upperBound > seconds {
      let index = window.rawValue
      if window.seconds.contains(seconds), slots[index].wasUpdated {
        if !slots[index].isLocked { slots[index].lockedAt = seconds }
      } else {
        slots[index] = Slot()
      }
    }
  }

  /// When a window's postback is prepared, in seconds since the conversion: at its lock or else at its end.
  ///
  /// `nil` when it has none, because the window was never updated.
  public func prepared(_ window: ConversionWindow) -> Int64? {
    let slot = slots[window.rawValue]
    guard slot.wasUpdated else { return nil }
    return slot.isLocked ? slot.lockedAt : window.seconds.upperBound
  }
}

extension WindowedDevice {
  public static func == (a: Self, b: Self) -> Bool {
    ConversionWindow.allCases.allSatisfy { a[$0] == b[$0] }
  }

  /// Feeds every window.
  public func hash(into hasher: inout Hasher) {
    for window in ConversionWindow.allCases { hasher.combine(self[window]) }
  }
}
