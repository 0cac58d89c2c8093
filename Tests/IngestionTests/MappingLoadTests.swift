import Ingestion
import Ledger
import Platform
import TestSupport
import Testing

final class `Loading mappings` {
  private let folder: TemporaryFolder
  private let store: MappingStore
  private let now = Instant(seconds: 1_795_262_400)

  init() throws {
    let folder = try TemporaryFolder()
    store = try MappingStore(path: folder.file("skan.db"))
    self.folder = folder
  }

  private func file(_ source: String, _ text: String) -> MappingLoad.File {
    MappingLoad.File(source: source, contents: .success(Array(text.utf8)))
  }

  private func good(_ source: String, from: String = "2026-11-01", app: Int = 1, name: String = "m")
    -> MappingLoad.File
  {
    file(
      source,
      #"{"name":"\#(name)","app":\#(app),"currency":"USD","effective-from":"\#(from)","protocol":"skan4","#
        + #""grids":[{"first-value":1,"revenue":[0,20,40]}]}"#)
  }

  private func load(_ files: [MappingLoad.File], isWhole: Bool = true) throws -> [String] {
    try MappingLoad.load(files, into: store, isWhole: isWhole, now: now).map {
      "\($0.source) \($0.outcome.word)\($0.keepsOld ? " keeps old" : "")"
    }
  }

  private func inForce() throws -> [String] {
    try store.mappings().map {
      "\($0.source) \($0.app.number) \($0.effectiveFrom.day) \($0.digest.prefix(4))"
    }
  }

  @Test func `adds, leaves, changes and removes`() throws {
    #expect(try load([good("a"), good("b", from: "2026-12-01")]) == ["a added", "b added"])
    let before = try inForce()
    #expect(try load([good("a"), good("b", from: "2026-12-01")]) == ["a unchanged", "b unchanged"])
    #expect(try inForce() == before)
    #expect(
      try load([good("a", name: "other"), good("c", app: 2)]) == ["a changed", "c added", "b removed"])
    #expect(try inForce().count == 2)
    #expect(try load([good("d", from: "2027-01-01")], isWhole: false) == ["d added"])
    #expect(try inForce().count == 3)
  }

  @Test(arguments: ["", "{", "[]", #"{"name":"x"}"#, "\u{0}"])
  func `a broken file is refused and its last good state stays`(text: String) throws {
    _ = try load([good("a")])
    let before = try inForce()
    #expect(try load([file("a", text)]) == ["a refused keeps old"])
    #expect(try inForce() == before)
    #expect(try load([file("z", text)], isWhole: false) == ["z refused"])
    #expect(try inForce() == before)
  }

  @Test func `a file that can't be read keeps its last good state`() throws {
    _ = try load([good("a")])
    let missing = MappingLoad.File(path: folder.file("missing"), source: "a")
    #expect(try load([missing]) == ["a unreadable keeps old"])
    #expect(try inForce().count == 1)
  }

  @Test func `two files can't have one app from the same moment`() throws {
    #expect(try load([good("a"), good("b")]) == ["a added", "b clash"])
    #expect(try inForce().count == 1)
    // What is in force is not driven out by a file that took its place while it is broken.
    #expect(try load([good("c"), file("a", "{")]) == ["c clash", "a refused keeps old"])
    #expect(try inForce().map { $0.prefix(1) } == ["a"])
  }

  @Test func `two files can change places`() throws {
    _ = try load([good("a"), good("b", from: "2026-12-01")])
    #expect(try load([good("a", from: "2026-12-01"), good("b")]) == ["a changed", "b changed"])
    #expect(try inForce().count == 2)
  }

  @Test func `a single file takes the place of its own mapping and of no other`() throws {
    _ = try load([good("m.json", app: 5)], isWhole: false)
    #expect(try load([good("m.json", app: 9)], isWhole: false).count == 1)
    #expect(try inForce().map { $0.split(separator: " ")[$0.contains("(") ? 3 : 1] } == ["5", "9"])
    _ = try load([good("other.json", app: 5, name: "changed")], isWhole: false)
    #expect(try inForce().count == 2)
    _ = try load([good("m.json", from: "2026-12-01", app: 5)], isWhole: false)
    #expect(try inForce().count == 3)
  }

  @Test func `the whole check counts, not the form alone`() throws {
    let overlapping = file(
      "a",
      #"{"name":"m","app":1,"currency":"XXY","effective-from":"2026-11-01","protocol":"skan4","fine":[]}"#)
    #expect(try load([overlapping]) == ["a refused"])
    #expect(try inForce().isEmpty)
  }
}
