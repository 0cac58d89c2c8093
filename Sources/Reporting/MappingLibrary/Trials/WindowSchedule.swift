import Mappings
package import Postbacks
import Values

/// When a window of a draft measures, where a lock ends it, and when its postback comes; hours after first launch.
package struct WindowSchedule: Hashable, Sendable {
  /// A value that ends its window early.
  package struct Lock: Hashable, Sendable {
    /// The value, such as `12` or `high`.
    package let value: String
    /// The first hour in which it can be set.
    package let from: Double
    /// The last hour in which it can be set.
    package let to: Double
  }

  package let window: ConversionWindow
  /// The window's number, 1 to 3.
  package var number: Int { window.rawValue + 1 }

  package let hours: Range<Double>
  /// Whether the draft gives it any value.
  package let isUsed: Bool
  /// The hour at which fine values end, where that is before the window's end.
  package let fineEnd: Double?
  package let locks: [Lock]
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
    fineEnd = window == .first ? mapping.fineHours.map(Double.init).flatMap { $0 < end ? $0 : nil } : nil
    let delays = used.map { ($0, mapping.sendingDelay(of: $0, version: version, window: window)) }
    locks =
      mapping.device.hasWindows
      ? delays.compactMap { value, delay in
        guard delay.final.lowerBound < end else { return nil }
        return Lock(value: value.word, from: delay.final.lowerBound, to: delay.final.upperBound)
      } : []
    gap = locks.map(\.from).min().map { $0..<end }
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
