/// A question about an event that no value of a loaded mapping tells of.
public struct UnknownEventError: Error, Hashable, Sendable {
  /// The event's name.
  public let event: String
  /// The events that mappings know, by name.
  public let known: [String]

  /// Names an event beside those that there are.
  public init(event: String, known: [String]) {
    self.event = event
    self.known = known
  }
}
