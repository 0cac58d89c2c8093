import Ledger
import Values

extension RelayRun {
  /// Rows that are only passed over are noted, and figures are shown, once in that many milliseconds.
  private static let quiet: Int64 = 1000
  /// The longest time for which accepted postbacks wait to be noted, in milliseconds.
  private static let longestUnsaved: Int64 = 200
  private static let goneBody = "its body is no longer kept"

  /// What noting an outcome came to.
  enum Note {
    case done
    /// The address takes none now.
    case failing
  }

  /// Notes what became of the first of the queue, and takes it out unless it is to be sent again.
  mutating func note(
    _ outcome: RelayVerdict?, of postback: RelayPostback, _ job: Job
  ) throws(LedgerError) -> Note {
    let now = job.now
    var letter = DeadLetter(
      relay: name, postback: postback.row, copy: postback.copy, receivedAt: postback.receivedAt,
      failedAt: now, status: nil, reason: Self.goneBody, nextAt: nil)
    switch outcome {
    case .accepted:
      queue.removeFirst()
      noteAcceptance(job)
      progress?.state.cursor = postback.cursor
    case nil:
      add(letter, postback, job)
    case .declined(let status, let reason):
      (letter.status, letter.reason) = (status, reason)
      letter.nextAt = now + job.context.patience.secondTry
      add(letter, postback, job)
      declines += 1
      if declines > job.context.patience.declinesInARow {
        try pause(after: outcome, reason, job)
        return .failing
      }
    case .failed(let status, let reason, _):
      let since = progress?.state.failingSince ?? now
      if now.milliseconds - since.milliseconds >= job.context.patience.backoff.givesUpAfter {
        (letter.status, letter.reason) = (status, reason)
        add(letter, postback, job)
      }
      queue.sendAgain { $0?.isFailure == true }
      try pause(after: outcome, reason, job)
      return .failing
    }
    try saveIfMuch(job)
    return .done
  }

  /// Notes what became of the first dead letter.
  mutating func note(_ outcome: RelayVerdict?, of letter: Letter, _ job: Job) throws(LedgerError) {
    letters.removeFirst()
    switch outcome {
    case .accepted:
      noteAcceptance(job)
      progress?.removed.append(letter.letter.id)
    case nil: close(letter.letter, nil, Self.goneBody, job)
    case .declined(let status, let reason): close(letter.letter, status, reason, job)
    case .failed(let status, let reason, _):
      // The next one is tried sooner than this one, which may be what the other side stumbles over.
      lettersDueAt = job.now + job.context.patience.secondTry
      var later = letter.letter
      (later.failedAt, later.status, later.reason) = (job.now, status, reason)
      later.nextAt = job.now + job.context.patience.backoff.longest
      progress?.changed.append(later)
      unsaved += 1
    }
    try saveIfMuch(job)
  }

  private mutating func noteAcceptance(_ job: Job) {
    guard var state = progress?.state else { return }
    if state.failingSince != nil { job.context.report(name, .recovered(failures: state.attempts)) }
    state.delivered += 1
    state.deliveredAt = job.now
    (state.failingSince, state.attempts, state.nextAt, state.failure) = (nil, 0, nil, nil)
    progress?.state = state
    declines = 0
    unsaved += 1
  }

  /// Puts the first of the queue aside, so that the next one can follow.
  private mutating func add(_ letter: DeadLetter, _ postback: RelayPostback, _ job: Job) {
    queue.removeFirst()
    progress?.added.append(letter)
    progress?.state.cursor = postback.cursor
    unsaved += 1
    if letter.nextAt == nil {
      job.context.report(name, .gaveUp(postback: letter.postback, reason: letter.reason))
    }
  }

  /// Gives a postback up that was tried again.
  private mutating func close(_ letter: DeadLetter, _ status: Int?, _ reason: String, _ job: Job) {
    var letter = letter
    (letter.failedAt, letter.status, letter.reason, letter.nextAt) = (job.now, status, reason, nil)
    progress?.changed.append(letter)
    unsaved += 1
    job.context.report(name, .gaveUp(postback: letter.postback, reason: reason))
  }

  private mutating func pause(
    after outcome: RelayVerdict?, _ reason: String, _ job: Job
  ) throws(LedgerError) {
    guard var state = progress?.state else { return }
    if state.failingSince == nil { job.context.report(name, .failing(reason: reason)) }
    state.failingSince = state.failingSince ?? job.now
    state.attempts += 1
    state.failure = reason
    let pause = job.context.patience.pause(after: outcome, failures: state.attempts, &random)
    state.nextAt = job.now + pause
    progress?.state = state
    try save(job, always: true)
  }

  private mutating func saveIfMuch(_ job: Job) throws(LedgerError) {
    let isLong = job.now.milliseconds - savedAt.milliseconds >= Self.longestUnsaved
    if unsaved >= job.context.patience.unsaved || isLong { try save(job, always: true) }
  }

  /// Stores what was done; rows that were only passed over wait for a while.
  mutating func save(_ job: Job, always: Bool = false) throws(LedgerError) {
    guard let done = progress, done.state != saved || unsaved > 0 || !done.removed.isEmpty else { return }
    let isQuiet =
      unsaved == 0 && done.removed.isEmpty && job.now.milliseconds - savedAt.milliseconds < Self.quiet
    guard always || !isQuiet else { return }
    try job.context.save(done)
    (saved, progress, unsaved, savedAt) = (done.state, RelayProgress(done.state), 0, job.now)
  }

  mutating func show(_ job: Job, _ reader: LedgerReader) throws(LedgerError) {
    let now = job.now
    guard let state = progress?.state,
      shownAt.map({ now.milliseconds - $0.milliseconds >= Self.quiet || now < $0 }) ?? true
    else { return }
    let backlog = try reader.relayBacklog(after: state.cursor)
    figures.backlog = backlog
    figures.pace = try reader.relayPace(of: state, backlog, now: now)
    figures.deadLetters = try reader.deadLetterCounts()[name]?.dead ?? 0
    shownAt = now
    job.context.show(figures)
  }
}
