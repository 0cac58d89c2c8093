public import Postbacks

/// How a later window shows, for a random share of users, whether another source attributes the install too.
///
/// Such a source is AdServices or a consented identifier. An app sends one of two events for a user in the share, and the
/// window's low and high value stand for nothing else. Its medium value, and all fine values, stay free for other rules.
public enum SourceOverlapRules {
  /// The event of a user that another source attributes too; gives the high value.
  public static let attributed = "overlap-yes"
  /// The event of a user that no other source attributes; gives the low value.
  public static let notAttributed = "overlap-no"

  /// The windows that can show it: the first one's coarse value comes only where the privacy threshold leaves no fine one.
  public static let windows: [ConversionWindow] = [.second, .third]

  public static let rules: [CoarseRule] = [
    CoarseRule(
      value: .low, conditions: Conditions(events: [EventCondition(name: notAttributed)]),
      label: "in no other source"),
    CoarseRule(
      value: .high, conditions: Conditions(events: [EventCondition(name: attributed)]),
      label: "in another source too"),
  ]
}

extension Mapping {
  /// The window that shows whether another source attributes users; `nil` where none does.
  public var overlapWindow: ConversionWindow? {
    windowOfOverlapRules.flatMap { coarse[$0]?.totals == .sinceInstall ? $0 : nil }
  }

  /// The window whose rules would show it if they looked at all events since the install.
  public var overlapWindowOfOtherTotals: ConversionWindow? {
    overlapWindow == nil ? windowOfOverlapRules : nil
  }

  private var windowOfOverlapRules: ConversionWindow? {
    guard device.hasWindows else { return nil }
    let windows = SourceOverlapRules.windows.filter { window in
      guard let rules = coarse[window] else { return false }
      return SourceOverlapRules.rules.allSatisfy { wanted in
        let own = rules.rules.filter { $0.value == wanted.value }
        return own.count == 1 && own[0].conditions == wanted.conditions
      }
    }
    return windows.first { coarse[$0]?.totals == .sinceInstall } ?? windows.first
  }
}
