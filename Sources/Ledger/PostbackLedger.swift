import Platform
import SQLite

/// The database of postbacks, with one thread that writes it.
///
/// While one transaction is on its way to disk the next one fills, so the size of a batch follows the load by
/// itself: a quiet server commits one postback at a time, a busy one hundreds.
public final class PostbackLedger: Sendable {
  /// Learns what became of a receipt, on the writer's thread; it must not block.
  public typealias Completion = @Sendable (Result<Commitment, LedgerError>) -> Void

  /// What the writer did so far.
  public struct Statistics: Sendable {
    /// Transactions committed.
    public fileprivate(set) var commits = 0
    /// Transactions that failed; nothing of them was stored.
    public fileprivate(set) var failedCommits = 0
    /// When the last transaction failed, by the clock that never jumps, in microseconds; `nil` for never.
    public fileprivate(set) var lastFailure: Double?
    /// Why it failed.
    public fileprivate(set) var lastError: LedgerError?
    /// Receipts stored.
    public fileprivate(set) var receipts = 0
    /// Receipts that wait now.
    public fileprivate(set) var waiting = 0
    /// Receipts turned away because too many waited.
    public fileprivate(set) var turnedAway = 0
    /// The largest transaction, in receipts.
    public fileprivate(set) var largestCommit = 0
  }

  private struct Queue: Sendable {
    var receipts: [Receipt] = []
    /// Bytes of the bodies that wait.
    var bytes = 0
    var completions: [Completion] = []
    var isClosing = false
    /// `nil` until the database is open or has refused to open.
    var opened: Result<Bool, LedgerError>?
    var statistics = Statistics()
  }

  private static let largestBatch = 4096
  /// Bytes of bodies that may wait, so that large forgeries can't fill the memory.
  private static let largestQueue = 64 << 20

  private let queue: Guarded<Queue>
  private let capacity: Int
  private let thread: Worker

  /// Opens a database and starts its writer.
  ///
  /// - Throws: ``LedgerError`` when the file can't be opened or must not be written.
  public init(path: String, settings: LedgerSettings = LedgerSettings()) throws(LedgerError) {
    let queue = Guarded(Queue())
    self.queue = queue
    capacity = settings.queueCapacity
    thread = Worker {
      do throws(LedgerError) {
        let desk = try Desk(path: path, settings: settings)
        queue.withLock { $0.opened = .success(true) }
        queue.wakeAll()
        Self.run(desk, queue, gatherMicroseconds: settings.gatherMicroseconds)
      } catch {
        queue.withLock { $0.opened = .failure(error) }
        queue.wakeAll()
      }
    }
    _ = try queue.wait { $0.opened }.get()
  }

  /// Hands in a receipt; the completion is called once it is stored, or could not be.
  ///
  /// - Returns: `false` when the queue is full or closing; then the completion is not called.
  public func submit(_ receipt: Receipt, _ completion: @escaping Completion) -> Bool {
    let isTaken = queue.withLock { queue in
      guard !queue.isClosing, queue.receipts.count < capacity, queue.bytes < Self.largestQueue else {
        queue.statistics.turnedAway += 1
        return false
      }
      queue.receipts.append(receipt)
      queue.bytes += receipt.arrival.body.count
      queue.completions.append(completion)
      return true
    }
    if isTaken { queue.wake() }
    return isTaken
  }

  /// What the writer did so far.
  public var statistics: Statistics {
    queue.withLock { queue in
      var statistics = queue.statistics
      statistics.waiting = queue.receipts.count
      return statistics
    }
  }

  /// Commits what waits, closes the database and returns; later receipts are turned away.
  public func close() {
    queue.withLock { $0.isClosing = true }
    queue.wakeAll()
    thread.join()
  }

  /// The writer, and how to get another one where its file went away.
  private final class Desk {
    private let path: String
    private let settings: LedgerSettings
    private var writer: LedgerWriter?

    init(path: String, settings: LedgerSettings) throws(LedgerError) {
      // Nobody else holds it, so that it is closed before its successor is opened.
      writer = try LedgerWriter(path: path, settings: settings)
      self.path = path
      self.settings = settings
    }

    private func reopen() throws(LedgerError) -> LedgerWriter {
      do throws(LedgerError) {
        return try LedgerWriter(path: path, settings: settings, makesFile: false)
      } catch {
        if case .storage(let cause) = error, cause.family == .cannotOpen { throw .moved }
        throw error
      }
    }

    func commit(_ receipts: [Receipt]) throws(LedgerError) -> [Commitment] {
      do throws(LedgerError) {
        // A missing file is not made anew, or a mistake of moving files would end in two halves of a database.
        guard let writer else {
          let reopened = try reopen()
          writer = reopened
          return try reopened.commit(receipts)
        }
        return try writer.commit(receipts)
      } catch {
        guard error == .moved else { throw error }
        writer?.empty()
        writer = nil
        throw error
      }
    }
  }

  private static func run(_ desk: Desk, _ queue: Guarded<Queue>, gatherMicroseconds: UInt32) {
    var isBusy = false
    while queue.wait({ $0.receipts.isEmpty ? ($0.isClosing ? false : nil) : true }) {
      // A commit costs as much CPU as several receipts, so a busy server lets some gather. A quiet one does not wait.
      if isBusy { rest(microseconds: gatherMicroseconds) }
      let (receipts, completions) = queue.withLock { queue in
        defer {
          queue.receipts = []
          queue.bytes = 0
          queue.completions = []
        }
        return (queue.receipts, queue.completions)
      }
      isBusy = receipts.count > 1
      for start in stride(from: 0, to: receipts.count, by: largestBatch) {
        let range = start..<min(start + largestBatch, receipts.count)
        commit(Array(receipts[range]), completions[range], desk, queue)
      }
    }
  }

  private static func commit(
    _ receipts: [Receipt], _ completions: ArraySlice<Completion>, _ desk: Desk,
    _ queue: Guarded<Queue>
  ) {
    do throws(LedgerError) {
      let commitments = try desk.commit(receipts)
      queue.withLock { queue in
        queue.statistics.commits += 1
        queue.statistics.lastFailure = nil
        queue.statistics.receipts += receipts.count
        queue.statistics.largestCommit = max(queue.statistics.largestCommit, receipts.count)
      }
      for (completion, commitment) in zip(completions, commitments) { completion(.success(commitment)) }
    } catch {
      queue.withLock { queue in
        queue.statistics.failedCommits += 1
        queue.statistics.lastFailure = wallMicroseconds()
        queue.statistics.lastError = error
      }
      for completion in completions { completion(.failure(error)) }
    }
  }
}
