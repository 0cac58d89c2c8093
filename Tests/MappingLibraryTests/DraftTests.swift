import JSONText
import Ledger
import MappingEditing
import MappingFormats
import MappingLibrary
import Mappings
import PostbackFixtures
import Testing
import TestSupport
import Values

final class `Drafts of mappings` {
  private let folder: TemporaryFolder
  private let database: String
  private let drafts: MappingDrafts

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    drafts = MappingDrafts(LedgerFile.existing(database))
    _ = try MappingLoad.load(
      [MappingLoad.File(source: "m.json", contents: .success(mapping()))],
      into: MappingStore(path: database), isWhole: false, now: noon)
    self.folder = folder
  }

  @Test func `A draft of a version has its text to the byte and remembers its date`() throws {
    let draft = try drafts.begin(.version(time("2026-11-01")), app: app(7), by: "ana", now: noon)
    #expect(draft.document == mapping())
    #expect(draft.baseFrom == time("2026-11-01"))
    #expect(draft.name == "m")
    #expect(try LedgerReader(path: database).mappingDraft(draft.id) == draft)
    #expect(throws: DraftError.noVersion(app(7), noon)) {
      try drafts.begin(.version(noon), app: app(7), by: "ana", now: noon)
    }
  }

  @Test func `An empty draft is a mapping without errors in the currency in force`() throws {
    let draft = try drafts.begin(.empty, app: app(7), by: "ana", now: noon)
    let reading = MappingDocument.check(draft.document, at: noon)
    #expect(reading.document?.mapping.currency.text == "USD")
    #expect(reading.findings.allSatisfy { $0.severity == .warning })
    #expect(reading.document?.mapping.effectiveFrom == time("2026-11-22"))
  }

  @Test func `Of two editors at once the second gets both texts back and nothing is lost`() throws {
    let draft = try drafts.begin(.empty, app: app(7), by: "ana", now: noon)
    let first = try drafts.save(
      draft.id, ifMatch: draft.etag, document: mapping(name: "ana's"), by: "ana", now: noon)
    guard case .done(let saved) = first else { throw TestFailure("\(first)") }
    let second = try drafts.save(
      draft.id, ifMatch: draft.etag, document: mapping(name: "ben's"), by: "ben", now: noon)
    #expect(second == .stale(saved))
    #expect(try LedgerReader(path: database).mappingDraft(draft.id)?.document == mapping(name: "ana's"))
    let third = try drafts.save(
      draft.id, ifMatch: saved.etag, document: mapping(name: "ben's"), by: "ben", now: noon)
    guard case .done(let merged) = third else { throw TestFailure("\(third)") }
    #expect(merged.name == "ben's")
    #expect(merged.savedBy == "ben")
    #expect(merged.createdBy == "ana")
  }

  @Test func `The same text saved again is another state, so that a late save is noticed`() throws {
    let draft = try drafts.begin(.document(mapping()), app: app(7), by: "ana", now: noon)
    guard
      case .done(let saved) = try drafts.save(
        draft.id, ifMatch: draft.etag, document: mapping(), by: "ana", now: noon)
    else { throw TestFailure("not saved") }
    #expect(saved.etag != draft.etag)
  }

  @Test func `Of forty savers with one state exactly one is taken`() async throws {
    let draft = try drafts.begin(.empty, app: app(7), by: "ana", now: noon)
    let drafts = drafts
    let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          let change = try drafts.save(
            draft.id, ifMatch: draft.etag, document: mapping(name: "\(number)"), by: "\(number)", now: noon)
          if case .done = change { return true }
          return false
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(taken == 1)
  }

  @Test func `A draft that no other author saved can be discarded, and only then`() throws {
    let draft = try drafts.begin(.empty, app: app(7), by: "ana", now: noon)
    #expect(try drafts.discard(draft.id, ifMatch: "other") == .stale(draft))
    #expect(try drafts.discard(draft.id, ifMatch: draft.etag) == .done(draft))
    #expect(try drafts.discard(draft.id, ifMatch: nil) == .missing)
  }

  @Test func `Too long a text and too many drafts are rejected`() throws {
    let long = [UInt8](repeating: 0x20, count: MappingDrafts.largestDocument + 1)
    #expect(throws: DraftError.tooLarge(long.count)) {
      try drafts.begin(.document(long), app: app(7), by: "ana", now: noon)
    }
    let draft = try drafts.begin(.empty, app: app(7), by: "ana", now: noon)
    #expect(throws: DraftError.tooLarge(long.count)) {
      try drafts.save(draft.id, ifMatch: draft.etag, document: long, by: "ana", now: noon)
    }
    for _ in 1..<MappingDrafts.most { _ = try drafts.begin(.empty, app: app(7), by: "ana", now: noon) }
    #expect(throws: DraftError.tooMany) { try drafts.begin(.empty, app: app(7), by: "ana", now: noon) }
  }

  @Test(arguments: ["", "{", "\u{0}", #"{"name":"a","name":"b"}"#, #"{"name":7}"#])
  func `A text that is no mapping is kept as it was written`(text: String) throws {
    let draft = try drafts.begin(.document(Array(text.utf8)), app: app(7), by: "ana", now: noon)
    #expect(try LedgerReader(path: database).mappingDraft(draft.id)?.document == Array(text.utf8))
    #expect(!draft.name.isEmpty)
  }

  @Test func `An export that is imported again has the same rules, with the losses listed`() throws {
    guard let written = MappingDocument.read(mapping(edges: "0, 20, 50")).document?.mapping else {
      throw TestFailure("the sample is no mapping")
    }
    for format in MappingFormat.allCases where format != .skan {
      guard let export = try? format.export(written) else { continue }
      let read = try? MappingImport(
        export.bytes, format, name: "m", app: app(7), currency: written.currency,
        effectiveFrom: written.effectiveFrom)
      guard let read else { continue }
      let draft = try drafts.begin(.imported(read), app: app(7), by: "ana", now: noon)
      #expect(MappingDocument.read(draft.document).document?.mapping == read.mapping)
      #expect(!export.remarks.isEmpty || !read.losses.isEmpty, "\(format)")
    }
  }
}

struct TestFailure: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
