@testable import MappingFormats
import JSONText
import Postbacks

/// What Branch's SDK does with its server's answers.
///
/// Source: ios-branch-deep-linking-attribution, `BNCSKAdNetwork`.
struct BranchGate: Sendable {
  /// An answer of Branch's server.
  struct Response: Hashable, Sendable {
    let value: Int64
    /// The coarse value; low where the answer names none.
    let coarse: CoarseValue
    /// Whether the window is locked.
    let lock: Bool
    /// Whether only higher values are passed on.
    let isAscendingOnly: Bool

    init(value: Int64, coarse: CoarseValue = .low, lock: Bool = false, isAscendingOnly: Bool = true) {
      self.value = value
      self.coarse = coarse
      self.lock = lock
      self.isAscendingOnly = isAscendingOnly
    }

    /// Reads an answer, putting Branch's defaults where members are missing; `nil` without a value.
    init?(_ node: JSONNode) {
      guard let object = node.value.object,
        let value = object["update_conversion_value"]?.value.number?.integer
      else { return nil }
      self.init(
        value: value,
        coarse: object["coarse_key"]?.value.string.flatMap { CoarseValue(rawValue: $0) } ?? .low,
        lock: object["locked"]?.value.bool ?? false,
        isAscendingOnly: object["ascending_only"]?.value.bool ?? true)
    }
  }

  private var highest: Int64 = 0
  private var window = 1

  /// Starts with the first window.
  init() {}

  /// The window of a moment, from 1, or 0 before install and behind the last; a moment on the edge belongs to the
  /// earlier window.
  static func window(secondsSinceInstall seconds: Int64) -> Int {
    max(0, MetaConfiguration.window(secondsSinceInstall: seconds))
  }

  /// Whether an answer is passed on to Apple: never outside the three windows, the last of which ends after 35 days.
  ///
  /// The highest value is forgotten where a later window begins, whose first answer passes whatever its value.
  mutating func passes(_ response: Response, secondsSinceInstall seconds: Int64) -> Bool {
    let current = Self.window(secondsSinceInstall: seconds)
    guard current != 0 else { return false }
    if current > window {
      window = current
      highest = 0
    }
    guard response.value > highest || (current > 1 && highest == 0) else { return !response.isAscendingOnly }
    highest = response.value
    return true
  }
}
