/// Parts of an answer that take time to gather and that not every reader of it needs.
///
/// A column names those that it is made of where it is declared. The bits behind the first are those of a report.
public struct AnswerParts: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Notes and further tables, which no column is made of.
  public static let notes = Self(rawValue: 1)
  public static let all = Self(rawValue: .max)
}
