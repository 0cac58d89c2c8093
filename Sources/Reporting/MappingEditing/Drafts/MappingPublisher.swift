import JSONText
package import Ledger
import MappingLibrary
package import Mappings
package import Postbacks
package import System
package import Values

/// Makes a draft, a file or an earlier version the app's next mapping version, as `skan mapping load` would.
///
/// A version that was published never changes: another one follows it, with a date of its own.
package struct MappingPublisher: Sendable {
  private let changes: any ChangeWriter & Sendable
  /// The folder of mapping files that the database is kept in step with; `nil` where the database alone has them.
  package let folder: Folder?

  /// Names where changes of the database go, and the folder.
  package init(_ changes: any ChangeWriter & Sendable, folder: Folder? = nil) {
    self.changes = changes
    self.folder = folder
  }

  package struct Order: Sendable {
    /// When devices start to follow the version; `nil` for the date in the document.
    package var effectiveFrom: Instant?
    package var author: String
    /// What that person writes for others.
    package var note: String

    package init(effectiveFrom: Instant?, by author: String, note: String = "") {
      self.effectiveFrom = effectiveFrom
      self.author = author
      self.note = note
    }
  }

  package enum Outcome: Hashable, Sendable {
    /// It is a version now; `file` is its path where a folder has it.
    case published(MappingPublication, file: String?)
    /// Another author has changed the app's versions since the draft was begun.
    case outdated(ConcurrentChange)
    /// Another author has saved the draft since.
    case stale(StoredDraft)
    /// The app has a version of that date already.
    case dateTaken(StoredMapping)
    /// The document has errors.
    case broken([MappingFinding])
    /// The document is for another app than the draft.
    case otherApp(AppID)
    /// The files that are there keep it from being loaded.
    case notLoaded(reason: Sentence, remedy: Sentence?)
    /// There is no such draft, or no such version.
    case missing
  }

  /// What other authors did to the app's versions meanwhile.
  package struct ConcurrentChange: Hashable, Sendable {
    /// The versions of the app as they are by now.
    package let versions: [StoredMapping]
    /// The one of them that was loaded last: what the other one did, unless that was to remove a version.
    package let theirs: StoredMapping?
    package let yours: [UInt8]
    /// What stands for these versions: a draft that is saved with it can be published over them.
    package let state: String
  }

  /// Publishes a draft, and discards it.
  ///
  /// - Parameters:
  ///   - etag: The state of it that is to be published; `nil` for whatever it is.
  /// - Returns: What became of it; nothing has changed unless it was published.
  /// - Throws: `LedgerError`, or `FileError`.
  package func publish(draft id: Int64, ifMatch etag: String?, _ order: Order, now: Instant) throws -> Outcome
  {
    guard let draft = try LedgerReader(path: changes.path).mappingDraft(id) else { return .missing }
    if let etag, draft.etag != etag { return .stale(draft) }
    let job = Job(
      document: draft.document, app: draft.app, knownState: draft.baseState, draft: draft.id, restored: nil)
    let outcome = try publish(job, order, now: now)
    // Where another author has saved it in the meantime, that text is kept.
    if case .published = outcome {
      _ = try MappingDrafts(changes).discard(id, ifMatch: draft.etag)
    }
    return outcome
  }

  /// Publishes a document.
  ///
  /// - Parameters:
  ///   - state: The state of the app's versions that its author knows; `nil` for whatever it is.
  /// - Returns: What became of it; nothing has changed unless it was published.
  /// - Throws: `LedgerError`, or `FileError`.
  package func publish(
    document: [UInt8], knowing state: String? = nil, _ order: Order, now: Instant
  ) throws -> Outcome {
    try publish(
      Job(document: document, app: nil, knownState: state, draft: nil, restored: nil), order, now: now)
  }

  /// Publishes the text of an earlier version once more, with another date.
  ///
  /// - Parameters:
  ///   - date: The date of the version; it may be gone, if it was published.
  ///   - state: The state of the app's versions that the caller knows; `nil` for whatever it is.
  /// - Returns: What became of it; nothing has changed unless it was published.
  /// - Throws: `LedgerError`, or `FileError`.
  package func rollBack(
    _ app: AppID, to date: Instant, knowing state: String? = nil, _ order: Order, now: Instant
  ) throws -> Outcome {
    let reader = try LedgerReader(path: changes.path)
    let stored = try reader.mappings().first { $0.app == app && $0.effectiveFrom == date }?.document
    let document =
      try stored ?? reader.mappingPublications(of: app).first { $0.effectiveFrom == date }?.document
    guard let document else { return .missing }
    return try publish(
      Job(document: document, app: app, knownState: state, draft: nil, restored: date), order, now: now)
  }

  private struct Job {
    let document: [UInt8]
    /// The app that it has to be for; `nil` for any.
    let app: AppID?
    let knownState: String?
    let draft: Int64?
    let restored: Instant?
  }

  private func publish(_ job: Job, _ order: Order, now: Instant) throws -> Outcome {
    let document = Self.document(job.document, from: order.effectiveFrom)
    let reading = MappingDocument.check(document, at: now)
    let errors = reading.findings.filter { $0.severity == .error }
    guard let mapping = reading.document?.mapping, errors.isEmpty else { return .broken(errors) }
    if let app = job.app, mapping.app != app { return .otherApp(mapping.app) }
    let store = MappingStore(changes)
    return try Self.turn.withLock { _ in
      for _ in 0..<MappingLoad.mostTries {
        if let outcome = try publish(document, mapping, job, order, store, now: now) { return outcome }
      }
      throw LedgerError.busy
    }
  }

  /// Taken by one at a time: the file of one is there before its version is, and would be in the way of another.
  private static let turn = Guarded(0)

  /// Tries once; `nil` where another one was faster.
  private func publish(
    _ document: [UInt8], _ mapping: Mapping, _ job: Job, _ order: Order, _ store: MappingStore, now: Instant
  ) throws -> Outcome? {
    let old = try store.mappings()
    let versions = old.filter { $0.app == mapping.app }
    let state = old.state(of: mapping.app)
    if let known = job.knownState, known != state {
      return .outdated(
        ConcurrentChange(
          versions: versions,
          theirs: versions.max { ($0.loadedAt, $0.effectiveFrom) < ($1.loadedAt, $1.effectiveFrom) },
          yours: job.document,
          state: state))
    }
    if let taken = versions.first(where: { $0.effectiveFrom == mapping.effectiveFrom }) {
      return .dateTaken(taken)
    }
    let others = try otherFiles()
    let name = Self.fileName(for: mapping, besides: Set(others.map(\.source) + old.map(\.source)))
    let file = MappingLoad.File(source: name, contents: .success(document))
    let isWhole = folder != nil
    let plan = MappingLoad.plan(others + [file], over: old, isWhole: isWhole, now: now)
    guard let entry = plan.entries.first(where: { $0.source == name }), !entry.outcome.isFailure,
      plan.inForce.contains(where: { $0.source == name })
    else {
      let entry = plan.entries.first { $0.source == name }
      return .notLoaded(reason: entry?.reason ?? Sentence("it was not loaded"), remedy: entry?.remedy)
    }
    let publication = MappingPublication(
      app: mapping.app, effectiveFrom: mapping.effectiveFrom, document: document, source: name,
      publishedAt: now, publishedBy: order.author, note: order.note, draft: job.draft,
      replaced: versions.last { $0.effectiveFrom < mapping.effectiveFrom }?.digest, restored: job.restored)
    let path: String?
    do throws(FileError) { path = try write(document, as: name) } catch {
      // Another process was faster.
      if error.code == .exists { return nil }
      throw error
    }
    do {
      let isDone = try MappingLoad.carryOut(
        plan, over: old, in: store, isWhole: isWhole, now: now, publication: publication)
      if !isDone { try folder?.remove(name) }
      return isDone ? .published(publication, file: path) : nil
    } catch {
      try folder?.remove(name)
      throw error
    }
  }

  private func otherFiles() throws(FileError) -> [MappingLoad.File] {
    guard let folder else { return [] }
    return try folder.files(endingWith: ".json").map {
      MappingLoad.File(path: "\(folder.path)/\($0.name)", source: $0.name)
    }
  }

  /// Puts the document into the folder, where there is one, beside what is there.
  private func write(_ document: [UInt8], as name: String) throws(FileError) -> String? {
    guard let folder else { return nil }
    let path = "\(folder.path)/\(name)"
    try AtomicFile.write(document, to: path, replacesExisting: false)
    return path
  }

  /// The document with another date; the rest of the text stays as it was written.
  package static func document(_ document: [UInt8], from date: Instant?) -> [UInt8] {
    guard let date, MappingDocument.read(document).document?.mapping.effectiveFrom != date else {
      return document
    }
    let text = date.day.start == date ? "\(date.day)" : "\(date)"
    return JSONEdit.set(JSONPath.root.member("effective-from"), .string(text)).applied(to: document)
      ?? document
  }

  private static func fileName(for mapping: Mapping, besides taken: Set<String>) -> String {
    let moment = mapping.effectiveFrom
    let date = "\(moment)".filter { $0 != ":" }
    let name = "\(mapping.app.number)-\(moment.day.start == moment ? "\(moment.day)" : date)"
    let others = (2...).lazy.map { "\(name)-\($0).json" }
    return taken.contains("\(name).json") ? others.first { !taken.contains($0) } ?? name : "\(name).json"
  }
}
