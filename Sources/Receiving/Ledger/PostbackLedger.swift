import SQLite
import System
public import Values

/// The database of postbacks, with one thread that writes it.
///
/// While one transaction is on its way to disk the next one fills, so the size of a batch follows the load by
/// itself: a quiet server commits one postback at a time, a busy one hundreds. What networks forward, thousands at
/// a time, waits apart and goes in slices of little work, in which the networks take turns: a device waits for a slice and
/// not for another sender's whole batch, and so does another network.
public final class PostbackLedger: Sendable {
  /// Learns what became of a receipt, on the writer's thread; it must not block.
  public typealias Completion = @Sendable (Result<Commitment, LedgerError>) -> Void

  public struct Statistics: Sendable {
    public fileprivate(set) var commits = 0
    /// Transactions that failed; nothing of them was stored.
    public fileprivate(set) var failedCommits = 0
    /// When the last transaction failed, by the clock that never jumps, in microseconds; `nil` for never.
    public fileprivate(set) var lastFailure: Double?
    public fileprivate(set) var lastError: LedgerError?
    public fileprivate(set) var receipts = 0
    /// A number that rises with what is stored, by this process or from the journal.
    package var news: Int { receipts &+ Int(clamping: journal?.applied ?? 0) }
    public var waiting: Int { waitingDevices.receipts + waitingBatches.receipts }
    public fileprivate(set) var waitingDevices = Waiting()
    /// What networks forwarded and waits now.
    public fileprivate(set) var waitingBatches = Waiting()
    public fileprivate(set) var underWay = 0
    /// Receipts turned away because too many waited.
    public fileprivate(set) var turnedAway = 0
    public fileprivate(set) var largestCommit = 0
    public fileprivate(set) var files = Files()
    /// How far the database has followed its journal; `nil` without one.
    package fileprivate(set) var journal: JournalProgress? {
      didSet { if journal?.isAtEnd ?? false { lastAtEnd = wallMicroseconds() } }
    }
    /// When the database last had all of the journal, by the clock that never jumps, in microseconds.
    private var lastAtEnd: Double?
    /// How long ago that was, in seconds; `nil` without a journal.
    package var secondsBehind: Double? { lastAtEnd.map { max(0, wallMicroseconds() - $0) / 1e6 } }
  }

  /// Whether the database's file and log are those that were opened.
  public struct Files: Equatable, Sendable {
    /// How often they were found removed or replaced since the start.
    public internal(set) var losses = 0
    /// Why nothing can be stored now; `nil` where the files are there.
    public internal(set) var obstacle: LedgerError?

    /// None lost, and none missing.
    public init() {}
  }

  public struct Waiting: Equatable, Sendable {
    public private(set) var receipts = 0
    public private(set) var bytes = 0

    init() {}

    init(_ load: FairQueue<Submission>.Load) {
      receipts = load.elements
      bytes = load.bytes
    }
  }

  /// A receipt on its way to the writer; an object, because it moves three times.
  final class Submission: Sendable {
    let receipt: Receipt
    let completion: Completion

    init(receipt: Receipt, completion: @escaping Completion) {
      self.receipt = receipt
      self.completion = completion
    }

    /// What storing it costs, in bytes: those of its body, and a page for each row that is sought or written.
    var work: Int {
      let rows = if case .rejected = receipt.finding { 1 } else { 2 }
      return receipt.arrival.body.count + rows * 4096
    }
  }

  private struct Queue: Sendable {
    /// What devices sent, and whatever else comes one at a time, in one line.
    var devices: FairQueue<Submission>
    var batches: FairQueue<Submission>
    var changes: [any PendingChange] = []
    var isClosing = false
    var isLookDue = false
    /// Whether the journal could not be followed at the last look.
    var cannotFollow = false
    /// `nil` until the database is open or has rejected to open.
    var opened: Result<Bool, LedgerError>?
    var statistics = Statistics()

    init(capacity: Int) {
      devices = FairQueue(elements: capacity, bytes: mostBytes, workOfTurn: workOfDevices)
      batches = FairQueue(elements: capacity, bytes: mostBytes, workOfTurn: workOfTurn)
    }

    var isEmpty: Bool { devices.isEmpty && batches.isEmpty && changes.isEmpty && !isLookDue }
  }

  /// Work that one transaction does for devices at most, some thousands of ordinary postbacks.
  private static let workOfDevices = 32 << 20
  /// Work that one transaction does for networks, some hundred postbacks: what a device that comes meanwhile waits for.
  private static let workOfBatches = 2 << 20
  /// Work for a network before it is the next one's turn.
  private static let workOfTurn = 64 << 10
  /// Bytes of bodies of devices that may wait, and as many of networks, so that large forgeries can't fill the memory.
  private static let mostBytes = 32 << 20

  /// How many receipts the transactions had that succeeded.
  public let commitSizes = Histogram(below: (0...12).map { 1 << $0 })
  /// How long they took, in microseconds.
  public let commitMicroseconds = Histogram(
    below: [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000])
  /// How long appends to the journal took, in microseconds; `nil` without one.
  package let appendMicroseconds: Histogram?
  /// When the last valid postback of each network was stored.
  public let networkMoments = NetworkMoments()
  package let path: String
  private let reader: KeptReader
  /// Whether the database follows a journal.
  private let isFollowing: Bool
  private let queue: Guarded<Queue>
  private let thread: Worker

  /// Opens a database and starts its writer.
  ///
  /// - Throws: ``LedgerError`` when the file can't be opened or must not be written.
  public init(path: String, settings: LedgerSettings = LedgerSettings()) throws(LedgerError) {
    let queue = Guarded(Queue(capacity: settings.queueCapacity))
    self.queue = queue
    self.path = path
    let reader = KeptReader(path: path)
    self.reader = reader
    isFollowing = settings.journal != nil
    appendMicroseconds = settings.journal?.appendMicroseconds
    let histograms = (commitSizes, commitMicroseconds)
    let moments = networkMoments
    do throws(ThreadError) {
      thread = try Worker {
        do throws(LedgerError) {
          let writer = try ReopeningWriter(path: path, settings: settings, reader)
          try writer.catchUp(settings.onCatchingUp)
          queue.withLock { $0.opened = .success(true) }
          queue.wakeAll()
          Self.run(writer, queue, settings, histograms, moments)
        } catch {
          queue.withLock { $0.opened = .failure(error) }
          queue.wakeAll()
        }
      }
    } catch {
      throw .noThread(error)
    }
    _ = try queue.wait { $0.opened }.get()
  }

  /// Hands in a receipt; the completion is called once it is stored, or could not be.
  ///
  /// - Returns: `false` when too much of its sender's waits, or the ledger is closing; then the completion is not called.
  public func submit(_ receipt: Receipt, _ completion: @escaping Completion) -> Bool {
    let submission = Submission(receipt: receipt, completion: completion)
    let origin = receipt.arrival.origin
    let isTaken = queue.withLock { queue in
      let (bytes, work) = (receipt.arrival.body.count, submission.work)
      var isTaken = !queue.isClosing
      if isTaken, origin.route == .forwarded {
        isTaken = queue.batches.append(submission, from: origin.name, bytes: bytes, work: work)
      } else if isTaken {
        isTaken = queue.devices.append(submission, from: "", bytes: bytes, work: work)
      }
      if !isTaken { queue.statistics.turnedAway += 1 }
      return isTaken
    }
    if isTaken { queue.wake() }
    return isTaken
  }

  /// Lets the writer look whether its files were removed or replaced, and open them again where they were; a service
  /// calls it now and then, because no postback may come for long.
  public func lookAtFiles() {
    queue.withLock { $0.isLookDue = !$0.isClosing }
    queue.wake()
  }

  public var statistics: Statistics {
    queue.withLock { queue in
      var statistics = queue.statistics
      statistics.waitingDevices = Waiting(queue.devices.load)
      statistics.waitingBatches = Waiting(queue.batches.load)
      return statistics
    }
  }

  /// Commits what waits, closes the database and returns; later receipts are turned away.
  public func close() {
    // First, because who closes last empties the log, which only a writer can.
    reader.end()
    queue.withLock { $0.isClosing = true }
    queue.wakeAll()
    thread.join()
  }

  private static func run(
    _ writer: ReopeningWriter, _ queue: Guarded<Queue>, _ settings: LedgerSettings,
    _ histograms: (sizes: Histogram, microseconds: Histogram), _ moments: NetworkMoments
  ) {
    var isBusy = false
    var isAtEnd = true
    while true {
      switch wait(queue, isFollowing: settings.journal != nil, isAtEnd: isAtEnd) {
      case .queued: break
      case .journal:
        isAtEnd = follow(writer, queue)
        continue
      case .ended: return
      }
      // A commit costs as much CPU as several receipts, so a busy server lets some gather. A quiet one does not wait.
      if isBusy { rest(microseconds: settings.gatherMicroseconds) }
      let (submissions, changes, isLookDue) = queue.withLock { queue in
        let submissions = queue.devices.take(work: workOfDevices) + queue.batches.take(work: workOfBatches)
        queue.statistics.underWay = submissions.count
        defer { (queue.changes, queue.isLookDue) = ([], false) }
        return (submissions, queue.changes, queue.isLookDue)
      }
      isBusy = submissions.count > 1
      if submissions.isEmpty, changes.isEmpty {
        if isLookDue { look(writer, queue) }
      } else {
        commit(submissions, changes, writer, queue, histograms, moments)
      }
    }
  }

  /// What the writer does next.
  private enum Work {
    /// What waits in the queue.
    case queued
    /// Nothing waits there, and the journal may have something.
    case journal
    /// The ledger is closing, and nothing waits.
    case ended
  }

  private static func wait(_ queue: Guarded<Queue>, isFollowing: Bool, isAtEnd: Bool) -> Work {
    func look(_ queue: inout Queue) -> Work? { queue.isEmpty ? (queue.isClosing ? .ended : nil) : .queued }
    guard isFollowing else { return queue.wait { look(&$0) } }
    return queue.wait(atMostMicroseconds: isAtEnd ? microsecondsBetweenLooks : 0) { look(&$0) } ?? .journal
  }

  /// Time between two looks for what other nodes appended to the journal.
  private static let microsecondsBetweenLooks: UInt64 = 50_000

  /// Applies what other nodes appended; returns whether that was all.
  private static func follow(_ writer: ReopeningWriter, _ queue: Guarded<Queue>) -> Bool {
    do throws(LedgerError) {
      let progress = try writer.use { writer throws(LedgerError) in try writer.follow() }
      queue.withLock { queue in
        queue.statistics.journal = progress
        queue.statistics.files = writer.files
        // A commit that failed is not made good by it.
        if queue.cannotFollow { queue.statistics.lastFailure = nil }
        queue.cannotFollow = false
      }
      return progress?.isAtEnd ?? true
    } catch {
      noteFailure(error, writer, queue)
      queue.withLock { $0.cannotFollow = true }
      return true
    }
  }

  private static func look(_ writer: ReopeningWriter, _ queue: Guarded<Queue>) {
    do throws(LedgerError) {
      try writer.use { writer throws(LedgerError) in try writer.requireOwnFiles() }
      queue.withLock { $0.statistics.files = writer.files }
    } catch {
      noteFailure(error, writer, queue)
    }
  }

  private static func noteFailure(_ error: LedgerError, _ writer: ReopeningWriter, _ queue: Guarded<Queue>) {
    queue.withLock { queue in
      queue.statistics.underWay = 0
      queue.statistics.lastFailure = wallMicroseconds()
      queue.statistics.lastError = error
      queue.statistics.files = writer.files
    }
  }

  private static func commit(
    _ submissions: [Submission], _ changes: [any PendingChange], _ writer: ReopeningWriter,
    _ queue: Guarded<Queue>,
    _ histograms: (sizes: Histogram, microseconds: Histogram), _ moments: NetworkMoments
  ) {
    let began = wallMicroseconds()
    do throws(LedgerError) {
      let receipts = submissions.map(\.receipt)
      let (stored, progress) = try writer.use { writer throws(LedgerError) in
        (try writer.commit(receipts, changes), writer.progress)
      }
      queue.withLock { queue in
        queue.statistics.commits += 1
        queue.statistics.underWay = 0
        queue.statistics.lastFailure = nil
        queue.statistics.receipts += submissions.count
        queue.statistics.files = writer.files
        queue.statistics.journal = progress
        queue.statistics.largestCommit = max(queue.statistics.largestCommit, submissions.count)
      }
      for (change, failure) in zip(changes, stored.failures) { change.finish(failure) }
      // What changes alone took does not show how long postbacks wait.
      guard !submissions.isEmpty else { return }
      // Before any sender is answered, which may read the figures then.
      histograms.sizes.record(submissions.count)
      histograms.microseconds.record(Int(wallMicroseconds() - began))
      moments.note(receipts)
      for (submission, commitment) in zip(submissions, stored.commitments) {
        submission.completion(.success(commitment))
      }
    } catch {
      queue.withLock { $0.statistics.failedCommits += 1 }
      noteFailure(error, writer, queue)
      for change in changes { change.finish(error) }
      for submission in submissions { submission.completion(.failure(error)) }
    }
  }
}

extension PostbackLedger: ChangeWriter {
  package func read<Value: Sendable>(
    _ question: @Sendable (LedgerReader) throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    try reader.read(question)
  }

  /// Writes a change with the next transaction, and returns once it is on disk.
  ///
  /// A transaction of its own would make postbacks wait for a lock and for the disk.
  package func write<Change: LedgerChange>(_ change: Change) throws(LedgerError) -> Change.Outcome {
    if isFollowing { try LedgerWriter.requireSound(change) }
    let submitted = SubmittedChange(change)
    let isTaken = queue.withLock { queue in
      if !queue.isClosing { queue.changes.append(submitted) }
      return !queue.isClosing
    }
    guard isTaken else { throw .unavailable }
    queue.wake()
    return try submitted.outcome()
  }
}
