package import Ledger
package import Mappings
import Postbacks
package import Values

/// The drafts, versions and publications of one app, as a page shows them.
package struct DraftShelf: Sendable {
  package struct Version: Hashable, Sendable {
    /// Its number among the app's versions by date, from 1.
    package let number: Int
    package let effectiveFrom: Instant
    /// The name of the file that stands for it.
    package let file: String
    package let loadedAt: Instant
    package let document: [UInt8]
    package let mapping: Mapping
    /// Who published it, what for, and the date of the version whose text it has; `nil` where a file was loaded.
    package let publishedBy: String?
    package let publishedAt: Instant?
    package let note: String?
    package let restored: Instant?
    /// When an app first got it from the service; `nil` where none did.
    package let appsSince: Instant?
  }

  package struct Draft: Hashable, Sendable {
    package let id: Int64
    package let name: String
    package let etag: String
    package let document: [UInt8]
    package let baseFrom: Instant?
    package let savedAt: Instant
    package let savedBy: String
    package let app: Int64

    init(_ draft: StoredDraft) {
      id = draft.id
      name = draft.name
      etag = draft.etag
      document = draft.document
      baseFrom = draft.baseFrom
      savedAt = draft.savedAt
      savedBy = draft.savedBy
      app = draft.app.number
    }
  }

  /// The apps that have a version or a draft, in order.
  package let apps: [Int64]
  /// The app that is shown; `nil` where there is none at all.
  package let app: Int64?
  /// The app's versions, the oldest first.
  package let versions: [Version]
  /// The app's drafts, the last saved first.
  package let drafts: [Draft]
  /// What stands for the state of the app's versions.
  package let state: String
  private let stored: [StoredMapping]

  /// Reads what there is.
  ///
  /// - Parameters:
  ///   - wanted: The app; `nil` for the first.
  package init(_ reader: LedgerReader, app wanted: Int64? = nil) throws(LedgerError) {
    let stored = try reader.mappings()
    let all = try reader.mappingDrafts()
    let apps = Set(stored.map(\.app) + all.map(\.app))
    self.stored = stored
    self.apps = apps.map(\.number).sorted()
    let app = wanted ?? self.apps.first
    self.app = app
    guard let app, let id = AppID(app) else {
      (versions, drafts, state) = ([], [], "")
      return
    }
    drafts = all.filter { $0.app == id }.map { Draft($0) }
    state = stored.state(of: id)
    let publications = try reader.mappingPublications(of: id)
    let own = stored.filter { $0.app == id }
    let served = try reader.served(own)
    versions = own.enumerated().compactMap { index, version in
      guard let mapping = MappingDocument.read(version.document).document?.mapping else { return nil }
      let publication = publications.first {
        $0.digest == version.digest && $0.effectiveFrom == version.effectiveFrom
      }
      return Version(
        number: index + 1, effectiveFrom: version.effectiveFrom, file: version.source,
        loadedAt: version.loadedAt, document: version.document, mapping: mapping,
        publishedBy: publication?.publishedBy, publishedAt: publication?.publishedAt,
        note: publication?.note, restored: publication?.restored,
        appsSince: served[index])
    }
  }

  /// Finds the shelf of a draft, and the draft; `nil` where there is none of that number.
  package static func holding(_ id: Int64, _ reader: LedgerReader) throws(LedgerError) -> (DraftShelf, Draft)?
  {
    guard let draft = try reader.mappingDraft(id) else { return nil }
    return (try DraftShelf(reader, app: draft.app.number), Draft(draft))
  }

  /// The version that holds at a moment.
  package func inForce(at now: Instant) -> Version? { versions.last { $0.effectiveFrom <= now } }

  /// What publishing a document would do.
  package func review(_ document: [UInt8], from date: Instant?, now: Instant) -> PublicationReview {
    PublicationReview(document, from: date, over: stored, now: now)
  }
}

extension DraftBook {
  /// What became of a save or a deletion, without the types of the database.
  package enum Saving: Hashable, Sendable {
    case done(DraftShelf.Draft)
    case stale(DraftShelf.Draft)
    case missing

    init(_ change: DraftStore.Change) {
      self =
        switch change {
        case .done(let draft): .done(DraftShelf.Draft(draft))
        case .stale(let draft): .stale(DraftShelf.Draft(draft))
        case .missing, .full: .missing
        }
    }
  }

  /// Saves another text of a draft; see ``save(_:ifMatch:document:name:knowing:by:now:)``.
  package func saving(
    _ id: Int64, ifMatch etag: String, document: [UInt8], knowing state: String? = nil, by author: String,
    now: Instant
  ) throws -> Saving {
    Saving(try save(id, ifMatch: etag, document: document, knowing: state, by: author, now: now))
  }

  /// Deletes a draft, unless somebody else has saved it since; see ``discard(_:ifMatch:)``.
  package func discarding(_ id: Int64, ifMatch etag: String?) throws -> Saving {
    Saving(try discard(id, ifMatch: etag))
  }

  /// Begins a draft of an app; see ``begin(_:app:name:by:now:)``.
  ///
  /// - Returns: The draft's number.
  package func beginning(
    _ beginning: Beginning, app: Int64?, name: String? = nil, by author: String, now: Instant
  ) throws -> Int64 {
    guard let app = app.flatMap({ AppID($0) }) else { throw DraftError.noApp }
    return try begin(beginning, app: app, name: name, by: author, now: now).id
  }
}
