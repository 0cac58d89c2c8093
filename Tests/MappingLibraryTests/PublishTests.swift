import JSONText
import Ledger
import MappingEditing
import MappingLibrary
import Mappings
import PostbackFixtures
import Postbacks
import System
import Testing
import TestSupport
import Values

final class `Publishing mappings` {
  private let folder: TemporaryFolder
  private let database: String
  private let drafts: MappingDrafts

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    drafts = MappingDrafts(LedgerFile.existing(database))
    self.folder = folder
  }

  private func load(_ documents: [(String, [UInt8])], into database: String? = nil, isWhole: Bool = false)
    throws
  {
    _ = try MappingLoad.load(
      documents.map { MappingLoad.File(source: $0.0, contents: .success($0.1)) },
      into: MappingStore(path: database ?? self.database), isWhole: isWhole, now: noon)
  }

  private func order(_ date: String?, by author: String = "ana", note: String = "") -> MappingPublisher.Order
  {
    MappingPublisher.Order(effectiveFrom: date.map(time), by: author, note: note)
  }

  private func stored() throws -> [StoredMapping] { try LedgerReader(path: database).mappings() }

  @Test func `A published file is stored as a loaded one, and the log names who and when`() throws {
    try load([("old.json", mapping())])
    let next = mapping(from: "2026-12-01", name: "next")
    let outcome = try MappingPublisher(LedgerFile.existing(database)).publish(
      document: next, order(nil, note: "finer"), now: noon)
    guard case .published(let publication, nil) = outcome else { throw TestFailure("\(outcome)") }
    let other = folder.file("loaded.db")
    try load([("old.json", mapping())], into: other)
    try load([("next.json", next)], into: other)
    #expect(try stored().map(\.essence) == LedgerReader(path: other).mappings().map(\.essence))
    let log = try LedgerReader(path: database).mappingPublications(of: app(7))
    #expect(log.map(\.publishedBy) == ["ana"])
    #expect(log.map(\.publishedAt) == [noon])
    #expect(log.map(\.note) == ["finer"])
    #expect(log.first?.replaced == (try stored().first?.digest))
    #expect(log.first?.digest == publication.digest)
  }

  @Test func `A draft is published with its date changed and the rest of its text as it was`() throws {
    try load([("old.json", mapping())])
    let draft = try drafts.begin(.version(time("2026-11-01")), app: app(7), by: "ana", now: noon)
    let outcome = try MappingPublisher(LedgerFile.existing(database)).publish(
      draft: draft.id, ifMatch: draft.etag, order("2026-11-30"), now: noon)
    guard case .published = outcome else { throw TestFailure("\(outcome)") }
    #expect(try stored().map { "\($0.effectiveFrom.day)" } == ["2026-11-01", "2026-11-30"])
    let text = String(decoding: try stored()[1].document, as: UTF8.self)
    #expect(text == String(decoding: mapping(from: "2026-11-30"), as: UTF8.self))
    #expect(try LedgerReader(path: database).mappingDrafts().isEmpty)
  }

  @Test func `A version is never overwritten`() throws {
    try load([("old.json", mapping())])
    let before = try stored()
    let outcome = try MappingPublisher(LedgerFile.existing(database)).publish(
      document: mapping(name: "other"), order(nil), now: noon)
    guard case .dateTaken(let taken) = outcome else { throw TestFailure("\(outcome)") }
    #expect(taken.source == "old.json")
    #expect(try stored() == before)
    #expect(try LedgerReader(path: database).mappingPublications().isEmpty)
  }

  @Test func `The author who publishes second gets both texts, and can publish after looking at them`() throws
  {
    try load([("old.json", mapping())])
    let mine = try drafts.begin(.version(time("2026-11-01")), app: app(7), by: "ana", now: noon)
    let theirs = try drafts.begin(.version(time("2026-11-01")), app: app(7), by: "ben", now: noon)
    let publisher = MappingPublisher(LedgerFile.existing(database))
    guard
      case .published = try publisher.publish(
        draft: theirs.id, ifMatch: nil, order("2026-11-25", by: "ben"), now: noon)
    else { throw TestFailure("ben could not publish") }
    let refused = try publisher.publish(draft: mine.id, ifMatch: nil, order("2026-11-30"), now: noon + 1)
    guard case .outdated(let change) = refused else { throw TestFailure("\(refused)") }
    #expect(change.yours == mine.document)
    #expect(change.theirs.map { "\($0.effectiveFrom.day)" } == "2026-11-25")
    #expect(try stored().count == 2)
    let saved = try drafts.save(
      mine.id, ifMatch: mine.etag, document: mine.document, knowing: change.state, by: "ana", now: noon)
    guard case .done = saved else { throw TestFailure("\(saved)") }
    guard
      case .published = try publisher.publish(draft: mine.id, ifMatch: nil, order("2026-11-30"), now: noon)
    else { throw TestFailure("ana could not publish") }
    #expect(try stored().count == 3)
  }

  @Test(arguments: [false, true])
  func `Of twenty who publish at once for one date one is taken, and all of the others learn why`(
    hasFolder: Bool
  ) throws {
    try load([("old.json", mapping())])
    let state = try stored().state(of: app(7))
    let database = database
    let files = hasFolder ? try Folder(making: folder.file("mappings")) : nil
    if let files { try AtomicFile.write(mapping(), to: "\(files.path)/old.json") }
    let results = Guarded<[Result<MappingPublisher.Outcome, any Error>]>([])
    let threads = try (0..<20).map { number in
      try Worker {
        let result = Result {
          try MappingPublisher(LedgerFile.existing(database), folder: files).publish(
            document: mapping(from: "2026-12-01", name: "\(number)"), knowing: state,
            .init(effectiveFrom: nil, by: "\(number)"), now: noon)
        }
        results.withLock { $0.append(result) }
      }
    }
    for thread in threads { thread.join() }
    let outcomes = try results.withLock { $0 }.map { try $0.get() }
    #expect(outcomes.count { if case .published = $0 { true } else { false } } == 1)
    #expect(outcomes.count { if case .outdated = $0 { true } else { false } } == 19)
    #expect(try stored().count == 2)
    #expect(try LedgerReader(path: database).mappingPublications().count == 1)
  }

  @Test func `Rolling back publishes the text of the earlier version with another date`() throws {
    try load([("a.json", mapping()), ("b.json", mapping(from: "2026-11-10", name: "b"))])
    let outcome = try MappingPublisher(LedgerFile.existing(database)).rollBack(
      app(7), to: time("2026-11-01"), order("2026-12-05"), now: noon)
    guard case .published(let publication, _) = outcome else { throw TestFailure("\(outcome)") }
    #expect(publication.restored == time("2026-11-01"))
    let last = try #require(try stored().last)
    #expect(last.document == mapping(from: "2026-12-05"))
    #expect(try stored().count == 3)
    let missing = try MappingPublisher(LedgerFile.existing(database)).rollBack(
      app(7), to: noon, order("2026-12-06"), now: noon)
    #expect(missing == .missing)
  }

  @Test func `In a folder a version is a new file that the watch finds as it was loaded`() throws {
    let path = folder.file("mappings")
    let files = try Folder(making: path)
    try AtomicFile.write(mapping(), to: "\(path)/old.json")
    try load([("old.json", mapping())], isWhole: true)
    let outcome = try MappingPublisher(LedgerFile.existing(database), folder: files).publish(
      document: mapping(from: "2026-12-01"), order(nil), now: noon)
    guard case .published(_, let file?) = outcome else { throw TestFailure("\(outcome)") }
    #expect(file == "\(path)/7-2026-12-01.json")
    #expect(try FileReader.contents(of: file) == mapping(from: "2026-12-01"))
    let before = try stored()
    let entries = try MappingLoad.load(
      try files.files(endingWith: ".json").map {
        MappingLoad.File(path: "\(path)/\($0.name)", source: $0.name)
      },
      into: MappingStore(path: database), isWhole: true, now: noon)
    #expect(entries.map(\.outcome.word) == ["unchanged", "unchanged"])
    #expect(try stored() == before)
  }

  @Test func `What can't be published leaves neither a file nor a row`() throws {
    let path = folder.file("mappings")
    let files = try Folder(making: path)
    let publisher = MappingPublisher(LedgerFile.existing(database), folder: files)
    guard case .broken(let errors) = try publisher.publish(document: Array("{".utf8), order(nil), now: noon)
    else { throw TestFailure("a broken document was not rejected") }
    #expect(!errors.isEmpty)
    _ = try MappingStore(path: database)
    let draft = try drafts.begin(.document(mapping(app: 8)), app: app(7), by: "ana", now: noon)
    #expect(
      try publisher.publish(draft: draft.id, ifMatch: nil, order(nil), now: noon) == .otherApp(app(8)))
    #expect(
      try publisher.publish(draft: draft.id, ifMatch: "old", order(nil), now: noon) == .stale(draft))
    #expect(try publisher.publish(draft: 99, ifMatch: nil, order(nil), now: noon) == .missing)
    #expect(try files.entries().isEmpty)
    #expect(try LedgerReader(path: database).mappingPublications().isEmpty)
  }

  @Test func `A review has the same changes and mixed zones as a comparison of the two versions`() throws {
    try load([("old.json", mapping())])
    let document = mapping(from: "2026-12-01", edges: "0, 10, 20, null")
    let review = PublicationReview(document, from: time("2026-12-05"), over: try stored(), now: noon)
    let old = try #require(MappingDocument.read(mapping()).document?.mapping)
    let new = try #require(review.mapping)
    #expect(new.effectiveFrom == time("2026-12-05"))
    #expect(review.changes == new.changes(from: old))
    #expect(
      review.mixedZones.map(\.from) == ConversionWindow.allCases.map { new.overlap(of: $0, with: old).from })
    #expect(review.number == 2)
    #expect(review.taken == nil)
    #expect(!review.isInPast)
    #expect(PublicationReview(document, from: time("2026-11-01"), over: try stored(), now: noon).taken != nil)
    #expect(PublicationReview(document, from: time("2026-11-02"), over: try stored(), now: noon).isInPast)
  }
}
