import Mappings
package import Postbacks
import Values

/// When a window of a draft measures, where a lock ends it, and when its postback comes; hours after first launch.
package struct WindowSchedule: Sendable {
  package let window: ConversionWindow
  package let hours: Range<Double>
  /// Whether the draft gives it any value.
  package let isUsed: Bool
  /// The values that end the window early, such as `12` or `high`.
  package let locks: [String]
  /// What users do there after a lock is not measured; `nil` without a lock before the window's end.
  package let gap: Range<Double>?
  /// When its postback can leave the device; `nil` where it has no value.
  package let arrives: ClosedRange<Double>?

  /// The windows of a mapping; SKAdNetwork 3 has one.
  static func all(of mapping: Mapping) -> [WindowSchedule] {
    (mapping.device.hasWindows ? ConversionWindow.allCases : [.first]).map { WindowSchedule($0, mapping) }
  }

  private init(_ window: ConversionWindow, _ mapping: Mapping) {
    self.window = window
    let version: ProtocolVersion =
      switch mapping.device {
      case .skan3: .v3_0
      case .skan4: .v4_0
      case .aak: .adAttributionKit
      }
    let ends = AppleTimers.finality(version: version, window: window)
    let last = mapping.device.hasWindows ? ends.upperBound : Int64(mapping.fineHours ?? 24) * Hour.seconds
    let end = Double(last) / Double(Hour.seconds)
    hours = Double(ends.lowerBound) / Double(Hour.seconds)..<end
    let used = WindowValue.all.filter { slot in
      guard slot.window == window else { return false }
      switch mapping.meaning(of: slot) {
      case .rules: return true
      // Value 0 without a rule is sent by SKAdNetwork 3 alone.
      case .zero: return !mapping.device.hasWindows
      case .null, .noneExpected, .unmapped: return false
      }
    }.map(\.value)
    isUsed = !used.isEmpty
    let delays = used.map { ($0, mapping.sendingDelay(of: $0, version: version, window: window)) }
    let locking = mapping.device.hasWindows ? delays.filter { $0.1.final.lowerBound < end } : []
    locks = locking.map(\.0.word)
    gap = locking.map(\.1.final.lowerBound).min().map { $0..<end }
    let shortest = delays.map { $0.1.shortest }.min()
    let longest = delays.map { $0.1.longest }.max()
    if let shortest, let longest { arrives = shortest...longest } else { arrives = nil }
  }
}

extension WindowValue {
  fileprivate var value: ConversionValue {
    switch self {
    case .fine(let value): .fine(value)
    case .coarse(_, let value): .coarse(value)
    }
  }
}

extension ConversionValue {
  fileprivate var word: String {
    switch self {
    case .fine(let value): "\(value.number)"
    case .coarse(let value): value.rawValue
    case .absent, .rejected: ""
    }
  }
}
