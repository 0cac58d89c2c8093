import Values

extension Cohort {
  private static let (userWidth, eventWidth) = (4, 3)

  /// All users as words, for a file.
  package var words: [UInt64] {
    var words: [UInt64] = []
    words.reserveCapacity(users.count * Self.userWidth + events.count * Self.eventWidth)
    for user in users { append(user, campaign: user.campaign, to: &words) }
    return words
  }

  /// Adds a user and its events to words.
  ///
  /// - Parameters:
  ///   - campaign: The number to write for the user's campaign.
  ///   - words: Where they are added.
  func append(_ user: CohortUser, campaign: Int32, to words: inout [UInt64]) {
    words.append(user.key)
    words.append(UInt64(bitPattern: user.installed.milliseconds))
    words.append(Self.joined(campaign, user.origin))
    words.append(UInt64(user.events.count))
    for event in events[Int(user.events.lowerBound)..<Int(user.events.upperBound)] {
      words.append(UInt64(bitPattern: event.micros))
      words.append(Self.joined(event.secondsSinceInstall, event.name))
      words.append(Self.joined(event.currency, event.tag))
    }
  }

  /// Reads users back.
  ///
  /// - Parameters:
  ///   - words: The words of users that were in a cohort.
  ///   - names: What the numbers stand for.
  ///   - campaign: The number of a campaign by the one that was written.
  package init(words: [UInt64], names: CohortNames, campaign: (Int32) -> Int32 = { $0 }) {
    let words = words.span
    var users: [CohortUser] = []
    var events: [CohortEvent] = []
    events.reserveCapacity(words.count / Self.eventWidth)
    var next = 0
    while next < words.count {
      let start = Int32(events.count)
      let (place, origin) = Self.split(words[next + 2])
      let user = next
      next += Self.userWidth
      for _ in 0..<Int(words[user + 3]) {
        let (seconds, name) = Self.split(words[next + 1])
        let (currency, tag) = Self.split(words[next + 2])
        events.append(
          CohortEvent(
            secondsSinceInstall: seconds, name: name, currency: currency,
            micros: Int64(bitPattern: words[next]), tag: tag))
        next += Self.eventWidth
      }
      users.append(
        CohortUser(
          key: words[user], installed: Instant(milliseconds: Int64(bitPattern: words[user + 1])),
          campaign: campaign(place), origin: origin, events: start..<Int32(events.count)))
    }
    guard let cohort = Cohort(names: names, events: events, users: users) else {
      preconditionFailure("Every index was in a cohort before.")
    }
    self = cohort
  }

  private static func joined(_ high: Int32, _ low: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: high)) << 32 | UInt64(UInt32(bitPattern: low))
  }

  private static func split(_ word: UInt64) -> (high: Int32, low: Int32) {
    (Int32(truncatingIfNeeded: word >> 32), Int32(truncatingIfNeeded: word))
  }
}
