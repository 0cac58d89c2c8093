import CSVText
import JSONText
public import Ledger
package import NetworkForms
import Postbacks
public import System
package import Values
public import Verification

public struct IngestSummary: Equatable, Sendable {
  /// Postbacks that are on disk, of every state; ``countedOnly`` is apart.
  public internal(set) var stored = 0
  /// Rejected bodies beyond the quota: counted, and not kept.
  public internal(set) var countedOnly = 0
  /// Those of them that were counted as new conversions.
  public internal(set) var first = 0
  /// Those of the new ones that no key signed, and that a partner claims.
  public internal(set) var claimed = 0
  /// Those of them that repeat a conversion that was known.
  public internal(set) var copies = 0
  /// Those of them that disagree with a known conversion.
  public internal(set) var conflicts = 0
  public internal(set) var rejected: [Rejection.State: Int] = [:]
  /// Why postbacks were rejected: the reason with its code, and how many.
  ///
  /// Of many different ones the last are ``otherReasons``.
  public internal(set) var reasons: [String: Int] = [:]
  /// Postbacks without the member that should have their arrival times, which got the one that is given for such.
  public internal(set) var withoutTime = 0
  /// Postbacks, or rows of an export, with a text for no value, which was read as a missing member.
  public internal(set) var withNullText = 0
  /// Rows of a partner's export without a postback.
  public internal(set) var withoutPostback = 0
  /// Rows of a partner's export whose postback is rejected.
  public internal(set) var rejectedRows = 0
  /// The first of them, by line, with the reason.
  public internal(set) var rowProblems: [Int: String] = [:]
  /// The number under which it can be taken back; `nil` where it added nothing.
  public internal(set) var run: Int64?
  /// Bytes read from the source, before they were judged.
  public internal(set) var bytesRead = 0

  public static let otherReasons = "other reasons"
  /// The most different reasons.
  private static let mostReasons = 20

  public init() {}

  /// Whether something was rejected and nothing counted, so that this is no file of postbacks, or one in another form.
  public var isAllRejected: Bool { !rejected.isEmpty && first + copies + conflicts == 0 }

  /// Adds up reasons, the most frequent ones first where there are too many.
  public mutating func add(reasons more: [String: Int]) {
    for (reason, count) in more.ordered(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      let isKnown = reasons[reason] != nil || reasons.count < Self.mostReasons
      reasons[isKnown ? reason : Self.otherReasons, default: 0] += count
    }
  }

  /// The reasons, the most frequent ones first.
  public var sortedReasons: [(reason: String, count: Int)] {
    reasons.ordered { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  mutating func add(_ receipt: Receipt, _ commitment: Commitment) {
    if commitment.effect == .countedRejected { countedOnly += 1 } else { stored += 1 }
    switch commitment.effect {
    case .first:
      first += 1
      if case .conversion(let found) = receipt.finding, found.key.environment == .claimed { claimed += 1 }
    case .copy: copies += 1
    case .conflict: conflicts += 1
    case .keptRejected, .countedRejected:
      if case .rejected(let rejection) = receipt.finding { rejected[rejection.state, default: 0] += 1 }
    case .inboxOnly: break
    }
  }
}

/// A postback, and when it arrived.
package struct DatedPostback: Sendable {
  package let body: [UInt8]
  /// `nil` for one that arrives now.
  package let receivedAt: Instant?

  package init(_ body: [UInt8], receivedAt: Instant?) { (self.body, self.receivedAt) = (body, receivedAt) }
}

/// What stopped an ingest, and what is stored all the same.
public struct IngestFailure: Error {
  public let cause: any Error
  /// What was stored before.
  public let summary: IngestSummary
}

/// Stores postbacks by the million: judged on all processors, committed in the order they were read.
///
/// An ingest that is interrupted keeps what it committed. To go on, it is run again: what is stored is recognised.
public struct BulkIngest: Sendable {
  /// Postbacks that one thread judges at a time.
  private static let batchSize = 256
  /// Receipts of one transaction at most.
  private static let largestCommit = 4096

  private let keyring: Keyring
  private let database: String
  private let settings: LedgerSettings
  private let threads: Int

  /// Sets an ingest up.
  ///
  /// - Parameters:
  ///   - keyring: The keys that postbacks are judged by.
  ///   - database: The database file, made when it is missing.
  ///   - threads: Threads that judge, at least 1.
  public init(
    keyring: Keyring, database: String, settings: LedgerSettings = LedgerSettings(),
    threads: Int = processorCount
  ) {
    self.keyring = keyring
    self.database = database
    self.settings = settings
    self.threads = max(1, threads)
  }

  /// Reads a stream to its end and stores every postback in it.
  ///
  /// - Parameters:
  ///   - origin: Where the postbacks come from.
  ///   - clock: Gives the moment at which each batch arrived.
  ///   - times: Where postbacks have their moments of arrival, which count before the clock. They are not signed, so
  ///     this is for files that one trusts.
  ///   - export: The partner whose export the stream is; `nil` for postbacks.
  ///   - columns: The columns of the export that the stream calls otherwise.
  ///   - profile: The form of postbacks, as the network sends them.
  ///   - next: Gives the next bytes of the stream, `nil` at its end.
  ///   - onProgress: Called after every piece and now and then on the calling thread; reading stops when it returns
  ///     `false`, after the documents that came whole.
  /// - Throws: ``IngestFailure`` with a ``LedgerError``, a `ThreadError` or what `next` threw; what was committed before
  ///   stays.
  package func run(
    from origin: Origin, clock: @escaping WallClock = systemClock, times: ArrivalTimes = ArrivalTimes(),
    export: PartnerExport? = nil, columns: ExportColumns = ExportColumns(),
    profile: NetworkProfile = .apple, next: () throws -> [UInt8]?,
    onProgress: (IngestSummary) -> Bool
  ) throws(IngestFailure) -> IngestSummary {
    var splitter = Splitter(export, columns, profile, times)
    return try run(
      from: origin, by: profile, clock: clock, countsUndated: times.name != nil, onProgress: onProgress
    ) { batches, progress in
      try read(into: batches, &splitter, progress, next: next, onProgress: onProgress)
    }
  }

  /// Stores postbacks whose arrivals are known, as ``run(from:clock:times:export:columns:profile:next:onProgress:)`` does.
  ///
  /// - Parameter next: Gives the next postbacks, `nil` at the end.
  package func run(
    from origin: Origin, clock: @escaping WallClock = systemClock, dated next: () throws -> [DatedPostback]?,
    onProgress: (IngestSummary) -> Bool
  ) throws(IngestFailure) -> IngestSummary {
    try run(from: origin, by: .apple, clock: clock, countsUndated: false, onProgress: onProgress) {
      batches, progress in
      while let postbacks = try next() {
        for start in stride(from: 0, to: postbacks.count, by: Self.batchSize) {
          let batch = postbacks[start..<min(start + Self.batchSize, postbacks.count)]
          guard batches.add(batch.map { .body($0.body, receivedAt: $0.receivedAt) }) else { return }
        }
        guard onProgress(progress.summary) else { return }
      }
    }
  }

  private func run(
    from origin: Origin, by profile: NetworkProfile, clock: @escaping WallClock, countsUndated: Bool,
    onProgress: (IngestSummary) -> Bool,
    read: (OrderedWorkQueue<[Document], [Receipt]>, IngestProgress) throws -> Void
  ) throws(IngestFailure) -> IngestSummary {
    let progress = IngestProgress()
    let (database, settings, keyring) = (database, settings, keyring)
    let batches: OrderedWorkQueue<[Document], [Receipt]>
    do throws(ThreadError) {
      batches = try OrderedWorkQueue(threads: threads, capacity: 4 * threads + 8) { documents in
        let receivedAt = clock()
        return documents.compactMap { document in
          switch document {
          case .body(let body, let stated):
            if stated == nil, countsUndated { progress.countWithoutTime() }
            let (form, judgement) = keyring.judge(profile.read(body))
            if judgement.hasNullText || form.hasNullText { progress.countNullText() }
            if let reason = judgement.countedRejection(by: profile) { progress.countRejected(reason) }
            return Receipt(
              judgement, of: form, by: profile, receivedAt: stated ?? receivedAt, from: origin,
              quotaSource: origin.name)
          case .row(let row, let export):
            guard let (read, profile) = export.read(row) else {
              progress.countWithoutPostback()
              return nil
            }
            let (form, judgement) = keyring.judge(read)
            if row.hasNullText { progress.countNullText() }
            if let reason = judgement.countedRejection(by: profile) { progress.countRejected(reason) }
            if let reason = judgement.rejection(by: profile) {
              progress.countRejected(line: row.line, reason)
            }
            return Receipt(
              judgement, of: form, by: profile, receivedAt: row.time ?? receivedAt, from: origin,
              quotaSource: origin.name)
          }
        }
      } collect: { next in
        Self.commit(next, progress, database, settings, origin, clock())
      }
    } catch {
      throw IngestFailure(cause: error, summary: progress.summary)
    }
    var failure: (any Error)?
    do { try read(batches, progress) } catch { failure = error }
    batches.close()
    while let summary = progress.waitForCommit() { _ = onProgress(summary) }
    batches.finish()
    if let cause = failure ?? progress.failure {
      throw IngestFailure(cause: cause, summary: progress.summary)
    }
    return progress.summary
  }

  private enum Document: Sendable {
    case body([UInt8], receivedAt: Instant?)
    case row(ExportRow, PartnerExport)
  }

  /// Cuts a stream into documents of either kind.
  private enum Splitter {
    case postbacks(DocumentSplitter, ArrivalTimes, count: Int, hasBegun: Bool, before: [Document]?)
    case rows(ExportRows, PartnerExport)

    init(
      _ export: PartnerExport?, _ columns: ExportColumns, _ profile: NetworkProfile, _ times: ArrivalTimes
    ) {
      // A line of parameters can have what separates cells.
      self =
        export.map { .rows(ExportRows($0, times, columns), $0) }
        ?? .postbacks(
          DocumentSplitter(), times, count: 0, hasBegun: profile.takesParameters,
          before: profile.takesParameters ? nil : [])
    }

    /// Documents without an object among them after which a stream is none of postbacks.
    private static var mostBefore: Int { 1000 }

    /// Takes the next bytes, or the end of the stream; what is whole before a mistake is appended too.
    mutating func append(_ bytes: [UInt8]?, to documents: inout [Document]) throws {
      switch self {
      case .postbacks(var splitter, let times, var count, var hasBegun, var before):
        // White space and a byte order mark.
        let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
        if !hasBegun, let beginning = bytes?.drop(while: blank.contains), !beginning.isEmpty {
          try PartnerFileError.requireNoTable(beginning)
          hasBegun = true
        }
        let bodies = bytes.map { splitter.append($0) } ?? splitter.finish()
        defer { self = .postbacks(splitter, times, count: count, hasBegun: hasBegun, before: before) }
        for body in bodies {
          count += 1
          let document = Document.body(body, receivedAt: try times.time(in: body, number: count))
          guard let held = before else {
            documents.append(document)
            continue
          }
          // Each line of a file of something else would be stored as a rejected postback.
          guard body.first == UInt8(ascii: "{") else {
            before = held + [document]
            guard held.count < Self.mostBefore else { throw PartnerFileError.noPostback }
            continue
          }
          documents += held + [document]
          before = nil
        }
        if bytes == nil, before?.isEmpty == false { throw PartnerFileError.noPostback }
      case .rows(var splitter, let export):
        var rows: [ExportRow] = []
        defer {
          self = .rows(splitter, export)
          documents += rows.map { .row($0, export) }
        }
        try splitter.append(bytes, to: &rows)
      }
    }
  }

  private func read(
    into batches: OrderedWorkQueue<[Document], [Receipt]>, _ splitter: inout Splitter,
    _ progress: IngestProgress, next: () throws -> [UInt8]?, onProgress: (IngestSummary) -> Bool
  ) throws {
    var documents: [Document] = []
    var decoder = UTF16Decoder()
    var isAtEnd = false
    var mistake: (any Error)?
    while !isAtEnd {
      let bytes = try next()
      // Also within a document without an end, and before one that was begun counts as cut off.
      var isEnough = !onProgress(progress.summary)
      if let bytes {
        do { try splitter.append(try decoder.append(bytes), to: &documents) } catch { mistake = error }
        progress.countRead(bytes.count)
      } else {
        if !isEnough {
          do {
            try splitter.append(try decoder.finish(), to: &documents)
            try splitter.append(nil, to: &documents)
          } catch { mistake = error }
        }
        isAtEnd = true
      }
      isAtEnd = isAtEnd || isEnough || mistake != nil
      var start = 0
      while documents.count - start >= Self.batchSize || (isAtEnd && start < documents.count) {
        let end = min(start + Self.batchSize, documents.count)
        guard batches.add(Array(documents[start..<end])) else { return }
        start = end
        // What was read whole is stored all the same.
        isEnough = isEnough || !onProgress(progress.summary)
        isAtEnd = isAtEnd || isEnough
      }
      documents.removeFirst(start)
    }
    // What came before the mistake is stored.
    if let defect = mistake as? UTF16Decoder.Defect {
      throw PartnerFileError(
        line: defect.line, problem: "the file begins as UTF-16 and is not", remedy: "export it as UTF-8")
    }
    if let mistake { throw mistake }
  }

  private static func commit(
    _ next: OrderedWorkQueue<[Document], [Receipt]>.NextProduct, _ progress: IngestProgress,
    _ database: String, _ settings: LedgerSettings, _ origin: Origin, _ now: Instant
  ) {
    do throws(LedgerError) {
      let writer = try LedgerWriter(path: database, settings: settings)
      writer.beginRun(from: origin, at: now)
      var receipts: [Receipt] = []
      while let (judged, isLastForNow) = next() {
        receipts += judged
        guard isLastForNow || receipts.count >= largestCommit else { continue }
        progress.count(receipts, try writer.commit(receipts), of: writer.run?.id)
        receipts = []
      }
      progress.endWriting(nil)
    } catch {
      progress.endWriting(error)
    }
  }
}
