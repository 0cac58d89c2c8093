/// What users are divided by before their revenue is.
package enum DesignSplit: Equatable, Sendable {
  /// By nothing: revenue alone decides.
  case none
  /// By the day of the last activity.
  case days
  /// By whether an event has happened.
  case event(DesignEvent)

  package var event: DesignEvent? {
    if case .event(let event) = self { event } else { nil }
  }
}

package struct DesignEvent: Equatable, Sendable {
  /// What the app calls it.
  package let name: String
  /// Its number in the events of ``DesignUsers``.
  let number: Int32
}
