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

  let order: CampaignOrder
  private let names: CohortNames
  private let mostWords: Int
  private let spool: WordSpool
  private let state: Guarded<State>

  var currencies: [CurrencyCode] { names.currencies }

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
        cohort.append(user, campaign: Int32(place), to: &state.words[part])
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

  /// The users of a part, with its campaigns alone.
  ///
  /// - Throws: `FileError` where the file cannot be read.
  func cohort(at index: Int) throws(FileError) -> Cohort {
    let part = order.parts[index]
    let (held, ranges) = state.withLock { ($0.words[index], $0.written[index]) }
    let words = ranges.isEmpty ? held : try spool.read(ranges) + held
    var names = names
    names.campaigns = Array(order.campaigns[part.campaigns])
    return Cohort(words: words, names: names) { place in
      part.campaigns.isEmpty ? -1 : place - Int32(part.campaigns.lowerBound)
    }
  }
}
