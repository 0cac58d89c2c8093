import Ledger
import Reporting
import System
import Values

/// What a worker does and remembers; one thread at a time has it.
struct RelayRun: Sendable {
  /// Looks after which the database is asked even where this process stored nothing: others may write to it.
  private static let mostLooks = 20
  /// Batches of one round, and its longest time in milliseconds, after which settings and commands of an operator are taken
  /// up and figures shown.
  private static let mostBatches = 4
  private static let longestRound: Int64 = 1000
  private static let mostLetters = 64
  /// The longest time for which accepted postbacks wait to be noted, in milliseconds.
  private static let longestUnsaved: Int64 = 200
  /// The time between notes of rows that the relay passes over, and between figures, in milliseconds.
  private static let quiet: Int64 = 1000

  private let name: String
  private var random: SplitMix64
  private var figures: RelayFigures
  /// What was done and is not stored yet; `nil` before the first look.
  private var progress: RelayProgress?
  private var saved: RelayState?
  /// Postbacks that were dealt with since then.
  private var unsaved = 0
  private var savedAt = Instant(milliseconds: 0)
  private var shownAt: Instant?
  private var declines = 0
  /// Before that nothing is tried again: what waits in the queue goes on meanwhile.
  private var lettersAt = Instant(milliseconds: 0)
  private var news: Int?
  private var looks = 0
  private var problem: String?

  init(_ name: String, seed: UInt64) {
    self.name = name
    random = SplitMix64(seed: seed)
    figures = RelayFigures(name: name)
  }

  private struct Job {
    let relay: Relay
    let around: RelayWorker.Context
    let isStopping: () -> Bool
    let post: RelayWorker.Post
    let beganAt: Instant

    var now: Instant { around.clock() }
    var isLong: Bool { now.milliseconds - beganAt.milliseconds >= longestRound }
  }

  /// Posts what is due, and returns whether more may wait.
  mutating func round(
    _ relay: Relay, _ around: RelayWorker.Context, isStopping: @escaping () -> Bool,
    _ post: @escaping RelayWorker.Post
  ) -> Bool {
    round(Job(relay: relay, around: around, isStopping: isStopping, post: post, beganAt: around.clock()))
  }

  private mutating func round(_ job: Job) -> Bool {
    guard isTimeToLook(job) else { return false }
    do throws(LedgerError) {
      // Nothing is sent while what was sent can't be noted.
      try save(job)
      let reader = try LedgerReader(path: job.around.database)
      try takeUp(job, reader)
      var hasMore = false
      if isDue(job) { hasMore = try sendQueue(job, reader) }
      if isDue(job), lettersAt <= job.now { try sendLetters(job, reader) }
      try save(job, always: job.isStopping())
      try show(job, reader)
      problem = nil
      // The rest is not news.
      if hasMore { news = nil }
      return hasMore
    } catch {
      if "\(error)" != problem { job.around.report(name, .stopped(reason: "\(error)")) }
      problem = "\(error)"
      return false
    }
  }

  private mutating func isTimeToLook(_ job: Job) -> Bool {
    let now = job.around.news()
    looks += 1
    guard looks >= Self.mostLooks || news == nil || (news != now && isDue(job)) else { return false }
    looks = 0
    news = now
    return true
  }

  private func isDue(_ job: Job) -> Bool {
    job.around.patience.isDue(progress?.state.nextAt, now: job.now)
  }

  /// Takes the stored state up where another process changed it, or where there is none yet.
  private mutating func takeUp(_ job: Job, _ reader: LedgerReader) throws(LedgerError) {
    if let state = try job.relay.stateToStore(reader) {
      progress = RelayProgress(state)
      return try save(job, always: true)
    }
    let stored = try reader.relays().first { $0.name == name }
    guard let stored, stored != saved || progress == nil else { return }
    (progress, saved) = (RelayProgress(stored), stored)
    lettersAt = Instant(milliseconds: 0)
  }

  private mutating func sendLetters(_ job: Job, _ reader: LedgerReader) throws(LedgerError) {
    for letter in try reader.deadLetters(of: name, dueBy: job.now, atMost: Self.mostLetters) {
      guard !job.isStopping(), !job.isLong else { return }
      guard let postback = try reader.relayPostback(row: letter.postback, copy: letter.copy) else {
        progress?.removed.append(letter.id)
        continue
      }
      let meaning = job.relay.isEnriched ? try ConversionMeaning(from: reader) : nil
      let outcome = Self.attempt(postback, meaning, job.relay, now: job.now, job.post)
      count(outcome)
      guard let verdict = outcome else {
        close(letter, nil, Self.goneBody, job)
        continue
      }
      switch verdict {
      case .accepted:
        noteAcceptance(job)
        progress?.removed.append(letter.id)
      case .declined(let status, let reason):
        close(letter, status, reason, job)
      case .failed(let status, let reason, _):
        // The next one is tried sooner than this one, which may be what the other side stumbles over.
        lettersAt = job.now + job.around.patience.secondTry
        var later = letter
        (later.failedAt, later.status, later.reason) = (job.now, status, reason)
        later.nextAt = job.now + job.around.patience.backoff.longest
        progress?.changed.append(later)
        unsaved += 1
        return
      }
      try saveIfMuch(job)
    }
  }

  /// Posts the next of the queue, and returns whether more may wait.
  private mutating func sendQueue(_ job: Job, _ reader: LedgerReader) throws(LedgerError) -> Bool {
    for _ in 0..<Self.mostBatches {
      guard let cursor = progress?.state.cursor else { return false }
      let batch = try reader.relayBatch(after: cursor, job.relay.selection)
      let needsMeaning = job.relay.isEnriched && !batch.postbacks.isEmpty
      let meaning = needsMeaning ? try ConversionMeaning(from: reader) : nil
      guard try send(batch.postbacks, meaning, job) else { return job.isLong && isDue(job) }
      progress?.state.cursor = batch.end
      guard batch.hasMore else { return false }
    }
    return true
  }

  /// Posts several at a time, and notes them in their order, so that how far the relay is stays one place.
  ///
  /// What was accepted behind one that failed is sent again later.
  ///
  /// - Returns: Whether all of them are dealt with, and the next ones may follow at once.
  private mutating func send(
    _ postbacks: [RelayPostback], _ meaning: ConversionMeaning?, _ job: Job
  ) throws(LedgerError) -> Bool {
    guard !postbacks.isEmpty else { return true }
    let lanes = postbacks.enumerated().map { job.relay.isOrdered ? $1.app : Int64($0) }
    let turns = RelayTurns(lanes: lanes, window: job.relay.parallel + job.around.patience.unsaved - 1)
    // An address that failed is tried with one.
    let width = progress?.state.failingSince == nil ? min(job.relay.parallel, postbacks.count) : 1
    let (relay, clock, post) = (job.relay, job.around.clock, job.post)
    var senders: [Worker] = []
    defer {
      turns.end()
      for sender in senders { sender.join() }
    }
    for _ in 0..<width {
      let sender = try? Worker {
        while let index = turns.take() {
          turns.note(Self.attempt(postbacks[index], meaning, relay, now: clock(), post), of: index)
        }
      }
      if let sender { senders.append(sender) }
    }
    guard !senders.isEmpty else { return false }
    var count = 0
    while let (index, outcome) = turns.next() {
      if job.isStopping() || job.isLong { turns.end() }
      guard try note(outcome, of: postbacks[index], job) else { return false }
      count += 1
    }
    return count == postbacks.count
  }

  /// Notes what became of one of the queue, and returns whether the next one may follow at once.
  private mutating func note(
    _ outcome: RelayVerdict?, of postback: RelayPostback, _ job: Job
  ) throws(LedgerError) -> Bool {
    let now = job.now
    var letter = DeadLetter(
      relay: name, postback: postback.row, copy: postback.copy, receivedAt: postback.receivedAt,
      failedAt: now,
      status: nil, reason: Self.goneBody, nextAt: nil)
    count(outcome)
    switch outcome {
    case .accepted:
      noteAcceptance(job)
      progress?.state.cursor = postback.cursor
    case nil:
      add(letter, postback, job)
    case .declined(let status, let reason):
      (letter.status, letter.reason) = (status, reason)
      letter.nextAt = now + job.around.patience.secondTry
      add(letter, postback, job)
      declines += 1
      if declines > job.around.patience.declinesInARow {
        try pause(reason, nil, job)
        return false
      }
    case .failed(let status, let reason, let seconds):
      let since = progress?.state.failingSince ?? now
      if now.milliseconds - since.milliseconds >= job.around.patience.backoff.givesUpAfter {
        (letter.status, letter.reason) = (status, reason)
        add(letter, postback, job)
      }
      try pause(reason, seconds, job)
      return false
    }
    try saveIfMuch(job)
    return true
  }

  private mutating func count(_ outcome: RelayVerdict?) {
    guard let outcome else { return }
    if outcome == .accepted { figures.delivered += 1 } else { figures.failures += 1 }
  }

  /// Posts one; `nil` where its body is no longer kept.
  private static func attempt(
    _ postback: RelayPostback, _ meaning: ConversionMeaning?, _ relay: Relay, now: Instant,
    _ post: RelayWorker.Post
  ) -> RelayVerdict? {
    do {
      guard let message = try RelayMessage(postback, to: relay, meaning: meaning, now: now) else {
        return nil
      }
      return RelayVerdict(try post(message.body, relay.address.url, message.headers))
    } catch {
      return RelayVerdict(error)
    }
  }

  private static let goneBody = "its body is no longer kept"

  private mutating func noteAcceptance(_ job: Job) {
    guard var state = progress?.state else { return }
    if state.failingSince != nil { job.around.report(name, .recovered(failures: state.attempts)) }
    state.delivered += 1
    state.deliveredAt = job.now
    (state.failingSince, state.attempts, state.nextAt, state.failure) = (nil, 0, nil, nil)
    progress?.state = state
    declines = 0
    unsaved += 1
  }

  /// Puts a postback aside, so that the next one can follow.
  private mutating func add(_ letter: DeadLetter, _ postback: RelayPostback, _ job: Job) {
    progress?.added.append(letter)
    progress?.state.cursor = postback.cursor
    unsaved += 1
    if letter.nextAt == nil {
      job.around.report(name, .gaveUp(postback: letter.postback, reason: letter.reason))
    }
  }

  /// Gives a postback up that was tried again.
  private mutating func close(_ letter: DeadLetter, _ status: Int?, _ reason: String, _ job: Job) {
    var letter = letter
    (letter.failedAt, letter.status, letter.reason, letter.nextAt) = (job.now, status, reason, nil)
    progress?.changed.append(letter)
    unsaved += 1
    job.around.report(name, .gaveUp(postback: letter.postback, reason: reason))
  }

  private mutating func pause(_ reason: String, _ seconds: Int64?, _ job: Job) throws(LedgerError) {
    guard var state = progress?.state else { return }
    let patience = job.around.patience
    if state.failingSince == nil { job.around.report(name, .failing(reason: reason)) }
    state.failingSince = state.failingSince ?? job.now
    state.attempts += 1
    state.failure = reason
    let asked = min(max(seconds ?? 0, 0), patience.longestRetryAfter / 1000) * 1000
    state.nextAt = job.now + max(asked, patience.backoff.pause(afterFailures: state.attempts, &random))
    progress?.state = state
    try save(job, always: true)
  }

  private mutating func saveIfMuch(_ job: Job) throws(LedgerError) {
    let isLong = job.now.milliseconds - savedAt.milliseconds >= Self.longestUnsaved
    if unsaved >= job.around.patience.unsaved || isLong { try save(job, always: true) }
  }

  /// Stores what was done; rows that were only passed over wait for a while.
  private mutating func save(_ job: Job, always: Bool = false) throws(LedgerError) {
    guard let done = progress, done.state != saved || unsaved > 0 || !done.removed.isEmpty else { return }
    let isQuiet =
      unsaved == 0 && done.removed.isEmpty && job.now.milliseconds - savedAt.milliseconds < Self.quiet
    guard always || !isQuiet else { return }
    try job.around.save(done)
    (saved, progress, unsaved, savedAt) = (done.state, RelayProgress(done.state), 0, job.now)
  }

  private mutating func show(_ job: Job, _ reader: LedgerReader) throws(LedgerError) {
    let now = job.now
    guard let state = progress?.state,
      shownAt.map({ now.milliseconds - $0.milliseconds >= Self.quiet || now < $0 }) ?? true
    else { return }
    figures.backlog = try reader.relayBacklog(after: state.cursor)
    figures.deadLetters = try reader.deadLetterCounts()[name]?.dead ?? 0
    shownAt = now
    job.around.show(figures)
  }
}
