public import Platform
import SQLite

/// The database of postbacks, with one thread that writes it.
///
/// While one transaction is on its way to disk the next one fills, so the size of a batch follows the load by
/// itself: a quiet server commits one postback at a time, a busy one hundreds. What networks forward, thousands at
/// a time, waits apart and goes in slices, so that a device waits for a slice and not for somebody's whole batch.
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
    public var waiting: Int { waitingDevices.receipts + waitingBatches.receipts }
    /// What devices sent and waits now.
    public fileprivate(set) var waitingDevices = Waiting()
    /// What networks forwarded and waits now.
    public fileprivate(set) var waitingBatches = Waiting()
    /// Receipts in the transaction that is under way.
    public fileprivate(set) var underWay = 0
    /// Receipts turned away because too many waited.
    public fileprivate(set) var turnedAway = 0
    /// The largest transaction, in receipts.
    public fileprivate(set) var largestCommit = 0
  }

  /// How much waits.
  public struct Waiting: Hashable, Sendable {
    /// Receipts.
    public fileprivate(set) var receipts = 0
    /// Bytes of their bodies.
    public fileprivate(set) var bytes = 0
  }

  /// Receipts that wait in the order they came.
  private struct Lane: Sendable {
    var receipts: [Receipt] = []
    var completions: [Completion] = []
    var bytes = 0

    var waiting: Waiting { Waiting(receipts: receipts.count, bytes: bytes) }

    mutating func append(_ receipt: Receipt, _ completion: @escaping Completion) {
      receipts.append(receipt)
      completions.append(completion)
      bytes += receipt.arrival.body.count
    }

    /// Takes the first ones out, and all where there are no more than that.
    mutating func take(_ count: Int) -> (receipts: [Receipt], completions: [Completion]) {
      guard receipts.count > count else {
        defer { self = Lane() }
        return (receipts, completions)
      }
      defer {
        bytes -= receipts[..<count].reduce(0) { $0 + $1.arrival.body.count }
        receipts.removeFirst(count)
        completions.removeFirst(count)
      }
      return (Array(receipts[..<count]), Array(completions[..<count]))
    }
  }

  private struct Queue: Sendable {
    /// What devices sent, and whatever else comes one at a time.
    var devices = Lane()
    /// What networks forwarded.
    var batches = Lane()
    var isClosing = false
    /// `nil` until the database is open or has refused to open.
    var opened: Result<Bool, LedgerError>?
    var statistics = Statistics()
  }

  /// Receipts of devices that one transaction takes at most.
  private static let mostOfDevices = 4096
  /// Receipts of batches that one transaction takes beside those of devices.
  private static let sliceOfBatches = 256
  /// Receipts of batches that one transaction takes while no device waits; one that comes then waits for them.
  private static let mostOfBatches = 1024
  /// Bytes of bodies that may wait in each lane, so that large forgeries can't fill the memory.
  private static let largestLane = 32 << 20

  /// How many receipts the transactions had that succeeded.
  public let commitSizes = Histogram(below: (0...12).map { 1 << $0 })
  /// How long they took, in microseconds.
  public let commitMicroseconds = Histogram(
    below: [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000])
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
    let histograms = (commitSizes, commitMicroseconds)
    thread = Worker {
      do throws(LedgerError) {
        let desk = try Desk(path: path, settings: settings)
        queue.withLock { $0.opened = .success(true) }
        queue.wakeAll()
        Self.run(desk, queue, gatherMicroseconds: settings.gatherMicroseconds, histograms)
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
    let lane = receipt.arrival.origin.route == .forwarded ? \Queue.batches : \Queue.devices
    let isTaken = queue.withLock { queue in
      let waiting = queue[keyPath: lane].waiting
      guard !queue.isClosing, waiting.receipts < capacity, waiting.bytes < Self.largestLane else {
        queue.statistics.turnedAway += 1
        return false
      }
      queue[keyPath: lane].append(receipt, completion)
      return true
    }
    if isTaken { queue.wake() }
    return isTaken
  }

  /// What the writer did so far.
  public var statistics: Statistics {
    queue.withLock { queue in
      var statistics = queue.statistics
      statistics.waitingDevices = queue.devices.waiting
      statistics.waitingBatches = queue.batches.waiting
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

  private static func run(
    _ desk: Desk, _ queue: Guarded<Queue>, gatherMicroseconds: UInt32,
    _ histograms: (sizes: Histogram, microseconds: Histogram)
  ) {
    var isBusy = false
    while queue.wait({ queue in
      let isEmpty = queue.devices.receipts.isEmpty && queue.batches.receipts.isEmpty
      return isEmpty ? (queue.isClosing ? false : nil) : true
    }) {
      // A commit costs as much CPU as several receipts, so a busy server lets some gather. A quiet one does not wait.
      if isBusy { rest(microseconds: gatherMicroseconds) }
      let (devices, batches) = queue.withLock { queue in
        let devices = queue.devices.take(mostOfDevices)
        let batches = queue.batches.take(devices.receipts.isEmpty ? mostOfBatches : sliceOfBatches)
        queue.statistics.underWay = devices.receipts.count + batches.receipts.count
        return (devices, batches)
      }
      isBusy = devices.receipts.count + batches.receipts.count > 1
      commit(
        devices.receipts + batches.receipts, devices.completions + batches.completions, desk, queue,
        histograms)
    }
  }

  private static func commit(
    _ receipts: [Receipt], _ completions: [Completion], _ desk: Desk, _ queue: Guarded<Queue>,
    _ histograms: (sizes: Histogram, microseconds: Histogram)
  ) {
    let began = wallMicroseconds()
    do throws(LedgerError) {
      let commitments = try desk.commit(receipts)
      queue.withLock { queue in
        queue.statistics.commits += 1
        queue.statistics.underWay = 0
        queue.statistics.lastFailure = nil
        queue.statistics.receipts += receipts.count
        queue.statistics.largestCommit = max(queue.statistics.largestCommit, receipts.count)
      }
      // Before anybody is answered, who may look at the figures then.
      histograms.sizes.record(receipts.count)
      histograms.microseconds.record(Int(wallMicroseconds() - began))
      for (completion, commitment) in zip(completions, commitments) { completion(.success(commitment)) }
    } catch {
      queue.withLock { queue in
        queue.statistics.failedCommits += 1
        queue.statistics.underWay = 0
        queue.statistics.lastFailure = wallMicroseconds()
        queue.statistics.lastError = error
      }
      for completion in completions { completion(.failure(error)) }
    }
  }
}
