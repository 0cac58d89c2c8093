package import Mappings
import Simulation
import Values

/// A user by name, with everything that the user did.
package struct UserHistory: Equatable, Sendable {
  package let name: String
  /// In the order of time and then of the file.
  package let events: [UserEvent]

  package init(name: String, events: [UserEvent]) {
    self.name = name
    self.events = events
  }
}

extension Cohort {
  /// What one of its users did.
  func history(of user: CohortUser) -> [UserEvent] {
    events[Int(user.events.lowerBound)..<Int(user.events.upperBound)].map { event in
      UserEvent(
        secondsSinceInstall: Int64(event.secondsSinceInstall), name: names.events[Int(event.name)],
        revenue: event.currency < 0
          ? nil : Money(micros: event.micros, currency: names.currencies[Int(event.currency)]),
        conversionTag: event.tag < 0 ? nil : names.tags[Int(event.tag)])
    }
  }
}
