/// Why an app document cannot be used.
public struct AppDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where: a path such as `fine[3].events[0].count.min`, or a line and column where the text is no JSON.
  public let place: String
  /// What is there.
  public let found: String
  /// What may be there.
  public let allowed: String

  /// The error as one sentence.
  public var description: String { "\(place): found \(found); allowed is \(allowed)." }
}
