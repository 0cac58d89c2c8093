/// Which of a conversion's up to three postbacks this is; Apple's `postback-sequence-index`.
///
/// Days after first launch, half-open: `[0, 2)`, `[2, 7)`, `[7, 35)`. Versions before 4.0 know the first only.
/// Source: Apple, "Receiving postbacks in multiple conversion windows".
public enum ConversionWindow: Int, Hashable, Comparable, Sendable, CaseIterable {
  case first = 0
  case second, third

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
