import Ledger
import System
import Values

/// What a worker does and remembers; one thread at a time has it.
struct RelayRun: Sendable {
  /// Rounds without work after which the database is asked even where this process stored nothing: others may write to it.
  private static let mostLooks = 20
  /// The longest time of one round in milliseconds, after which settings and commands of an operator are taken up and
  /// figures shown.
  private static let longestRound: Int64 = 1000
  /// The longest wait for an answer before rows that arrived meanwhile are looked for, in milliseconds.
  private static let longestWait = 50
  /// As many waits as posts under way get where they are to end: half a second after other settings, a second at the end.
  private static let waitsForOtherSettings = 10
  private static let waitsForEnd = 20
  static let mostLetters = 64

  /// What is posted: a postback of the queue, or a dead letter, by its number there.
  enum Post {
    case queued(Int)
    case letter(Int)
  }

  struct Letter {
    let letter: DeadLetter
    let postback: RelayPostback
  }

  let name: String
  var random: SplitMix64
  var figures: RelayFigures
  /// What was done and is not stored yet; `nil` before the first look.
  var progress: RelayProgress?
  var saved: RelayState?
  /// Postbacks that were dealt with since then.
  var unsaved = 0
  var savedAt = Instant(milliseconds: 0)
  var shownAt: Instant?
  var declines = 0
  /// Until then no dead letter is tried; the queue goes on meanwhile.
  var lettersDueAt = Instant(milliseconds: 0)
  /// What was read to be sent; an outcome is `nil` where the body is no longer kept.
  var queue = RelayFlight<RelayPostback, RelayVerdict?>()
  var letters = RelayFlight<Letter, RelayVerdict?>()
  /// The posts that are under way, by number.
  private var posts: [Int: Post] = [:]
  private var lastNumber = 0
  private var isLettersTurn = false
  private var mayHaveMoreLetters = false
  /// Up to where the queue was read; `nil` for up to where all is done.
  var end: RelayCursor?
  /// Whether rows may follow there.
  private var hasMore = true
  private var readAt = Instant(milliseconds: 0)
  /// The settings of the last round.
  private var settings: Relay?
  private var news: Int?
  private var looks = 0
  private var problem: String?

  init(_ name: String, seed: UInt64) {
    self.name = name
    random = SplitMix64(seed: seed)
    figures = RelayFigures(name: name)
  }

  struct Job: Sendable {
    let relay: Relay
    let context: RelayWorker.Context
    let isStopping: @Sendable () -> Bool
    let channel: any RelayChannel
    let beganAt: Instant

    var now: Instant { context.clock() }

    /// Whether the round has taken its time, also by a clock that was set back.
    var isLong: Bool { !(0..<longestRound).contains(now.milliseconds - beganAt.milliseconds) }

    /// How far behind the first postback of the queue others may be sent.
    var window: Int { relay.parallel + context.patience.unsaved - 1 }
  }

  /// Posts what is due, and returns whether to go on at once.
  mutating func round(_ job: Job, _ reader: LedgerReader) throws(LedgerError) -> Bool {
    // Nothing is sent while what was sent can't be noted.
    try save(job)
    try takeUp(job, reader)
    try adopt(job)
    try readLetters(job, reader)
    try work(job, reader)
    if job.isStopping() {
      collectAll(job, waits: Self.waitsForEnd)
      try settle(job)
    }
    try save(job, always: job.isStopping())
    try show(job, reader)
    problem = nil
    return canGoOn(job)
  }

  /// Reports what ended a round, once.
  mutating func note(_ error: LedgerError, _ job: Job) {
    if "\(error)" != problem { job.context.report(name, .stopped(reason: "\(error)")) }
    problem = "\(error)"
  }

  /// Takes the answers that came, and returns whether a round is due.
  mutating func begin(_ job: Job) -> Bool {
    guard isTimeToWork(job) else { return false }
    collect(job, withinMilliseconds: 0)
    return true
  }

  private mutating func isTimeToWork(_ job: Job) -> Bool {
    let now = job.context.news()
    looks += 1
    if looks >= Self.mostLooks || news == nil || (news != now && isDue(job)) {
      (looks, news, hasMore) = (0, now, true)
      return true
    }
    return !posts.isEmpty || (problem == nil && (settings != job.relay || canGoOn(job)))
  }

  private func canGoOn(_ job: Job) -> Bool {
    guard !job.isStopping() else { return false }
    let hasLetters = letters.waiting > 0 && lettersDueAt <= job.now
    return !posts.isEmpty || (isDue(job) && (hasMore || queue.waiting > 0 || hasLetters))
  }

  func isDue(_ job: Job) -> Bool {
    job.context.patience.isDue(progress?.state.nextAt, now: job.now)
  }

  /// Takes the stored state up where another process changed it, or where there is none yet.
  private mutating func takeUp(_ job: Job, _ reader: LedgerReader) throws(LedgerError) {
    if let state = try job.relay.stateToStore(reader) {
      go(to: state.cursor, job)
      progress = RelayProgress(state)
      return try save(job, always: true)
    }
    let stored = try reader.relays().first { $0.name == name }
    guard let stored, stored != saved || progress == nil else { return }
    go(to: stored.cursor, job)
    (progress, saved) = (RelayProgress(stored), stored)
    lettersDueAt = Instant(milliseconds: 0)
  }

  /// Goes on behind a place of the queue, which is another one than before where another process wrote it.
  private mutating func go(to cursor: RelayCursor, _ job: Job) {
    guard cursor != progress?.state.cursor else { return }
    recall(job)
    queue.removeAll()
    (end, hasMore) = (nil, true)
  }

  /// Takes other settings up: what is under way under the old ones gets a moment, so that it is not sent twice.
  private mutating func adopt(_ job: Job) throws(LedgerError) {
    defer { settings = job.relay }
    guard let old = settings else { return }
    let (sendsOtherwise, choosesOtherwise) =
      (job.relay.sendsOtherwise(than: old), job.relay.choosesOtherwise(than: old))
    guard sendsOtherwise || choosesOtherwise || job.relay.form != old.form else { return }
    collectAll(job, waits: Self.waitsForOtherSettings)
    // What failed under the old settings has not failed under these.
    if sendsOtherwise {
      queue.sendAgain { $0?.isFailure == true }
      progress?.state.nextAt = nil
    }
    try settle(job)
    if choosesOtherwise {
      queue.removeAll()
      (end, hasMore) = (nil, true)
    }
  }

  /// Forgets the posts that are under way; what they are of can be sent again.
  private mutating func recall(_ job: Job) {
    if !posts.isEmpty { job.channel.abandon() }
    posts = [:]
    queue.recall()
    letters.recall()
  }

  /// Reads the dead letters that are due.
  private mutating func readLetters(_ job: Job, _ reader: LedgerReader) throws(LedgerError) {
    guard letters.isEmpty, lettersDueAt <= job.now, isDue(job), !job.isStopping() else { return }
    // What was done to those before has to be stored, or they would be read once more.
    try save(job, always: true)
    let found = try reader.deadLetters(of: name, dueBy: job.now, atMost: Self.mostLetters)
    mayHaveMoreLetters = found.count == Self.mostLetters
    for letter in found {
      if let postback = try reader.relayPostback(
        row: letter.postback, copy: letter.copy, job.relay.selection)
      {
        letters.append(
          Letter(letter: letter, postback: postback), lane: job.relay.isOrdered ? postback.app : nil)
      } else {
        progress?.removed.append(letter.id)
      }
    }
  }

  /// Reads on where there is too little to send.
  private mutating func readQueue(_ job: Job, _ reader: LedgerReader) throws(LedgerError) {
    let now = job.context.news()
    let since = abs(job.now.milliseconds - readAt.milliseconds)
    // Other processes write too, and give no news of it.
    if (now != news && since >= Self.longestWait) || since >= Self.longestRound {
      (news, hasMore) = (now, true)
    }
    while isDue(job), hasMore, queue.count < job.window, !job.isLong {
      guard let cursor = end ?? progress?.state.cursor else { return }
      let batch = try reader.relayBatch(after: cursor, job.relay.selection)
      for postback in batch.postbacks {
        queue.append(postback, lane: job.relay.isOrdered ? postback.app : nil)
      }
      (end, hasMore, readAt) = (batch.end, batch.hasMore, job.now)
      noteEnd()
    }
  }

  /// Where nothing that was read is left to do, all is done up to there.
  private mutating func noteEnd() {
    if queue.isEmpty, let end { progress?.state.cursor = end }
  }

  /// Sends, and notes what becomes of it, until nothing is due or the round is long enough.
  private mutating func work(_ job: Job, _ reader: LedgerReader) throws(LedgerError) {
    var bodies: RelayBodies?
    while true {
      try settle(job)
      guard !job.isStopping(), !job.isLong else { return }
      if letters.isEmpty, mayHaveMoreLetters { try readLetters(job, reader) }
      try readQueue(job, reader)
      if bodies == nil, queue.waiting + letters.waiting > 0 {
        bodies = try RelayBodies(job.relay.form, reader)
      }
      let began = bodies.map { sendMore($0, job) } ?? false
      if posts.isEmpty, !began { return }
      collect(job, withinMilliseconds: Self.longestWait)
    }
  }

  /// Begins as many posts as may be under way, and returns whether there was any.
  private mutating func sendMore(_ bodies: RelayBodies, _ job: Job) -> Bool {
    guard isDue(job) else { return false }
    // An address that failed is tried with one.
    let isFailing = progress?.state.failingSince != nil || queue.hasEnded { $0?.isFailure == true }
    let most = isFailing ? 1 : job.relay.parallel
    var isAny = false
    while posts.count < most, let (post, postback) = next(job) {
      isAny = true
      let number = lastNumber + 1
      do {
        guard let body = bodies.body(of: postback, now: job.now) else {
          note(nil, of: post)
          continue
        }
        let message = try RelayMessage(body, of: postback, to: job.relay, now: job.now)
        (lastNumber, posts[number]) = (number, post)
        job.channel.start(message, to: job.relay.address.url, as: number)
      } catch {
        note(RelayVerdict(error), of: post)
        return true
      }
    }
    return isAny
  }

  /// The next postback to send; the queue and dead letters take turns.
  private mutating func next(_ job: Job) -> (Post, RelayPostback)? {
    // A failing address gets the first of the queue until it accepts it.
    let hasTurn = isLettersTurn && progress?.state.failingSince == nil
    isLettersTurn.toggle()
    for isLetter in [hasTurn, !hasTurn] {
      if isLetter {
        let isFree = lettersDueAt <= job.now && (queue.isEmpty || queue.span + letters.underWay < job.window)
        if isFree, let (number, letter) = letters.take(window: job.window, beside: queue.lanes) {
          return (.letter(number), letter.postback)
        }
      } else if let (number, postback) = queue.take(
        window: job.window - letters.underWay, beside: letters.lanes)
      {
        return (.queued(number), postback)
      }
    }
    return nil
  }

  /// Takes the answers that came, after a wait for one, and returns whether there was any.
  @discardableResult private mutating func collect(_ job: Job, withinMilliseconds most: Int) -> Bool {
    guard !posts.isEmpty else { return false }
    let ended = job.channel.ended(withinMilliseconds: most)
    // What is under way was sent by the settings of the last round.
    let relay = settings ?? job.relay
    for (number, outcome) in ended {
      guard let post = posts.removeValue(forKey: number) else { continue }
      let verdict = RelayVerdict(outcome, without: relay.secrets)
      if verdict == .accepted { figures.delivered += 1 } else { figures.failures += 1 }
      note(verdict, of: post)
    }
    return !ended.isEmpty
  }

  /// Takes the answers to all that is under way, and forgets the posts that have none after a number of waits.
  private mutating func collectAll(_ job: Job, waits: Int) {
    var left = waits
    while left > 0, !posts.isEmpty {
      if !collect(job, withinMilliseconds: Self.longestWait) { left -= 1 }
    }
    recall(job)
  }

  private mutating func note(_ outcome: RelayVerdict?, of post: Post) {
    switch post {
    case .queued(let number): queue.note(outcome, of: number)
    case .letter(let number): letters.note(outcome, of: number)
    }
  }

  /// Notes outcomes: of the queue in its order.
  private mutating func settle(_ job: Job) throws(LedgerError) {
    while let (postback, outcome) = queue.first {
      if try note(outcome, of: postback, job) == .failing { break }
    }
    // What failed behind the first one adds nothing to an address that is failing.
    if progress?.state.failingSince != nil { queue.sendAgain { $0?.isFailure == true } }
    noteEnd()
    while let (letter, outcome) = letters.first { try note(outcome, of: letter, job) }
  }
}
