/// An app's number in the App Store; 0 stands for an app that Xcode installed.
public struct AppID: Hashable, Comparable, Sendable {
  /// The number, never negative.
  public let number: Int64

  /// Wraps a number; `nil` when it is negative.
  public init?(_ number: Int64) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}
