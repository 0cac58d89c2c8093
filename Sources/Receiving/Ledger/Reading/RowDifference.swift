/// A column of a stored postback that is not as in its body.
public struct RowDifference: Equatable, Sendable {
  /// The columns that follow from the body; the raw value is the name in output and in the table.
  public enum Column: String, Hashable, Sendable, CaseIterable {
    case version, network, app, campaign, window, outcome, interaction, value, country
    case publisher, marketplace, identifier
  }

  public let row: Int64
  public let column: Column
  /// What is stored, in words; nil for none.
  public let stored: String?
  /// What the body has, in words; nil for none.
  public let inBody: String?
}

/// A stored body that is no postback any more.
public struct UnreadableBody: Equatable, Sendable {
  public let row: Int64
  public let reason: String
}

/// What came of reading the body of every stored postback again.
public struct RowFindings: Equatable, Sendable {
  /// Differences, and unreadable bodies, that are listed at most; all are counted.
  public static let listed = 1000

  /// The first columns that differ, by their rows.
  public internal(set) var differences: [RowDifference] = []
  public internal(set) var differing = 0
  /// The first bodies that can't be read.
  public internal(set) var unreadableBodies: [UnreadableBody] = []
  public internal(set) var unreadable = 0

  /// Whether every row is as its body has it.
  public var areEqual: Bool { differing == 0 && unreadable == 0 }

  var sentences: [String] {
    var sentences: [String] = []
    if differing > 0 {
      sentences.append(
        "\(differing) \(differing == 1 ? "row differs" : "rows differ") from the postback in the same row")
    }
    if unreadable > 0 {
      sentences.append(
        "\(unreadable) stored \(unreadable == 1 ? "body is no postback" : "bodies are no postbacks")")
    }
    return sentences
  }
}
