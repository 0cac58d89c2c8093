/// Why an app document cannot be used.
public struct AppDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where: a path such as `fine[3].events[0].count.min`, or a line and column where the text is no JSON.
  public let place: String
  public let found: String
  public let allowed: String

  public var description: String { "\(place): found \(found); allowed is \(allowed)." }
}
