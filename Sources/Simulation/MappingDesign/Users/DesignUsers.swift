import Mappings
import Postbacks
package import Simulation
package import Values

/// One of the advertiser's own users, whose whole history is known.
struct DesignUser: Equatable, Sendable {
  /// The user's number in every draw.
  let key: UInt64
  let installed: Instant
  /// Where the user's events lie.
  let events: Range<Int32>
  /// Revenue of the user within the target's days: millionths of the currency's unit, or a million for each time
  /// of the target event.
  let target: Int64

  /// The same in units.
  var worth: Double { Double(target) / 1e6 }
}

/// The advertiser's own users that a mapping is made for, from one events file.
///
/// Users whose days are not over when the file ends are left out, because their final revenue is not known.
package struct DesignUsers: Sendable {
  /// What campaigns are to be compared by.
  package let target: DesignTarget
  package let currency: CurrencyCode
  /// How many users were left out because their days are not over.
  package private(set) var unripe = 0
  /// Events up to the end of the third window; the name is 1 for the target event, from ``firstNumber`` on the place in
  /// ``eventNames``, and 0 for all others; the currency is 0 for money that counts.
  private(set) var events: [CohortEvent] = []
  /// The names of events but the target's; of the first ``mostNames`` of them.
  private(set) var eventNames: [String] = []
  /// The number of the first of ``eventNames`` in ``events``.
  static let firstNumber: Int32 = 2
  /// An app that has more names than these gives them to single things, of which no mapping can have all.
  private static let mostNames = 200
  private(set) var users: [DesignUser] = []

  /// The seconds since install that any value can include.
  private static let longest: Int32 = Int32(ConversionWindow.third.seconds.upperBound)

  package init(target: DesignTarget, currency: CurrencyCode) {
    self.target = target
    self.currency = currency
  }

  package var count: Int { users.count }

  /// The number of users with revenue within the target's days.
  package var payers: Int { users.count { $0.target > 0 } }

  /// Returns when the last event of a cohort happened; `nil` without events.
  package static func end(of cohort: Cohort) -> Instant? {
    cohort.users.compactMap { user in
      user.events.isEmpty
        ? nil
        : user.installed
          + 1000 * Int64(cohort.events[Int(user.events.upperBound) - 1].secondsSinceInstall)
    }.max()
  }

  /// Adds the users of a cohort.
  ///
  /// - Parameters:
  ///   - cohort: A part of the population.
  ///   - share: Which share of the users is taken, by their keys; 1 for all.
  package mutating func add(_ cohort: Cohort, until end: Instant, share: Double = 1) {
    let wanted = target.event.flatMap { cohort.names.events.firstIndex(of: $0) }.map { Int32($0) } ?? -2
    let numbers = cohort.names.events.indices.map {
      Int32($0) == wanted ? 1 : number(of: cohort.names.events[$0])
    }
    let money = cohort.names.currencies.firstIndex(of: currency).map { Int32($0) } ?? -2
    for user in cohort.users {
      var random = SplitMix64(seed: user.key ^ 0x7573_6572)
      guard share >= 1 || random.fraction() < share else { continue }
      guard user.installed + 1000 * target.seconds <= end else {
        unripe += 1
        continue
      }
      let start = Int32(events.count)
      var sum: Int64 = 0
      for index in Int(user.events.lowerBound)..<Int(user.events.upperBound) {
        let event = cohort.events[index]
        guard event.secondsSinceInstall < Self.longest else { continue }
        let known = CohortEvent(
          secondsSinceInstall: max(0, event.secondsSinceInstall),
          name: numbers.indices.contains(Int(event.name)) ? numbers[Int(event.name)] : 0,
          currency: event.currency == money ? 0 : -1, micros: event.currency == money ? event.micros : 0)
        events.append(known)
        if Int64(known.secondsSinceInstall) < target.seconds { sum = sum.addingHeld(measure(known)) }
      }
      users.append(
        DesignUser(
          key: user.key, installed: user.installed, events: start..<Int32(events.count), target: sum))
    }
  }

  /// The number of an event that is not the target; 0 where there are too many names.
  private mutating func number(of name: String) -> Int32 {
    if let place = eventNames.firstIndex(of: name) { return Self.firstNumber + Int32(place) }
    guard eventNames.count < Self.mostNames else { return 0 }
    eventNames.append(name)
    return Self.firstNumber + Int32(eventNames.count) - 1
  }

  /// The same users, so that no draw hangs on the order of the file's rows.
  var inOrderOfKeys: Self {
    var sorted = self
    sorted.users.sort { $0.key < $1.key }
    return sorted
  }

  /// What an event adds to what is measured.
  @inline(__always)
  func measure(_ event: CohortEvent) -> Int64 {
    if case .revenue = target { event.micros } else { event.name == 1 ? 1_000_000 : 0 }
  }

  /// The texts that the numbers in ``events`` stand for.
  func names(campaigns: [String]) -> CohortNames {
    // The two first names must be no other event's.
    func unused(_ name: String) -> String { eventNames.contains(name) ? unused(name + "'") : name }
    let event = target.event ?? unused("target")
    return CohortNames(
      events: [unused("not \(event)"), event] + eventNames, currencies: [currency], campaigns: campaigns)
  }

  /// Divides users into those that a mapping is made of and those that it is tried on, by their keys.
  func halves(seed: UInt64) -> (training: [Int], held: [Int]) {
    let parts = divide(Array(users.indices), into: 2, seed: seed)
    return (parts[0], parts[1])
  }

  /// Divides some of the users into parts of about the same size, by their keys.
  func divide(_ some: [Int], into count: Int, seed: UInt64) -> [[Int]] {
    var parts = [[Int]](repeating: [], count: count)
    for index in some {
      var random = SplitMix64(seed: users[index].key ^ (seed &* 0x9E37_79B9_7F4A_7C15))
      parts[random.number(below: count)].append(index)
    }
    return parts
  }
}
