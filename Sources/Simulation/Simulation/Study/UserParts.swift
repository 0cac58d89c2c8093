import System
import Values

/// The users of all cohorts again, by the parts of a ``CampaignOrder``.
final class UserParts: Sendable {
  private struct State: Sendable {
    var words: [[UInt64]]
    var written: [[Range<Int>]]
    var held = 0
  }

  /// Words that all parts together hold in memory, unless a test asks for fewer.
  static let mostWords = 8 << 20
  /// Words of a user before its events, and of an event.
  private static let (userWidth, eventWidth) = (4, 3)

  let order: CampaignOrder
  private let names: CohortNames
  private let mostWords: Int
  private let spool: WordSpool
  private let state: Guarded<State>

  /// The currencies of the users' events.
  var currencies: [CurrencyCode] { names.currencies }

  /// Starts without users.
  init(_ order: CampaignOrder, _ names: CohortNames, mostWords: Int = UserParts.mostWords) {
    self.order = order
    self.mostWords = mostWords
    self.names = names
    // What comes here has been held in memory for long enough.
    spool = WordSpool(most: 0)
    state = Guarded(
      State(
        words: Array(repeating: [], count: order.parts.count),
        written: Array(repeating: [], count: order.parts.count)))
  }

  /// Adds the users of a cohort.
  ///
  /// - Throws: `FileError` where the file cannot be written.
  func add(_ cohort: Cohort) throws(FileError) {
    try state.withLock { state throws(FileError) in
      for user in cohort.users {
        let place = order.place(of: user.campaign)
        let part = order.part(at: place, key: user.key)
        let before = state.words[part].count
        Self.append(user, place, cohort, to: &state.words[part])
        state.held += state.words[part].count - before
        if state.held > mostWords { try write(&state) }
      }
    }
  }

  private func write(_ state: inout State) throws(FileError) {
    for part in state.words.indices where !state.words[part].isEmpty {
      state.written[part].append(try spool.append(state.words[part]))
      state.words[part] = []
    }
    state.held = 0
  }

  private static func append(_ user: CohortUser, _ place: Int, _ cohort: Cohort, to words: inout [UInt64]) {
    words.append(user.key)
    words.append(UInt64(bitPattern: user.installed.milliseconds))
    words.append(joined(Int32(place), user.origin))
    words.append(UInt64(user.events.count))
    for event in cohort.events[Int(user.events.lowerBound)..<Int(user.events.upperBound)] {
      words.append(UInt64(bitPattern: event.micros))
      words.append(joined(event.secondsSinceInstall, event.name))
      words.append(joined(event.currency, event.tag))
    }
  }

  private static func joined(_ high: Int32, _ low: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: high)) << 32 | UInt64(UInt32(bitPattern: low))
  }

  private static func split(_ word: UInt64) -> (high: Int32, low: Int32) {
    (Int32(truncatingIfNeeded: word >> 32), Int32(truncatingIfNeeded: word))
  }

  /// The users of a part, with its campaigns alone.
  ///
  /// - Throws: `FileError` where the file cannot be read.
  func cohort(at index: Int) throws(FileError) -> Cohort {
    let part = order.parts[index]
    let (held, ranges) = state.withLock { ($0.words[index], $0.written[index]) }
    let words = ranges.isEmpty ? held : try spool.read(ranges) + held
    var users: [CohortUser] = []
    var events: [CohortEvent] = []
    var next = 0
    while next < words.count {
      let (place, origin) = Self.split(words[next + 2])
      let start = Int32(events.count)
      let count = Int(words[next + 3])
      let key = words[next]
      let installed = Instant(milliseconds: Int64(bitPattern: words[next + 1]))
      next += Self.userWidth
      for _ in 0..<count {
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
          key: key, installed: installed,
          campaign: part.campaigns.isEmpty ? -1 : place - Int32(part.campaigns.lowerBound), origin: origin,
          events: start..<Int32(events.count)))
    }
    var names = names
    names.campaigns = Array(order.campaigns[part.campaigns])
    guard let cohort = Cohort(names: names, events: events, users: users) else {
      preconditionFailure("Every index was in a cohort before.")
    }
    return cohort
  }
}
