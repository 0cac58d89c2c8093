/// A question about an event that no value of a loaded mapping tells of.
package struct UnknownEventError: Error, Hashable, Sendable {
  /// The event's name.
  package let event: String
  /// The events that mappings know, by name.
  package let known: [String]

  /// Names an event beside those that there are.
  package init(event: String, known: [String]) {
    self.event = event
    self.known = known
  }
}
