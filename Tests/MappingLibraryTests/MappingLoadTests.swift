import Ledger
import MappingLibrary
import PostbackFixtures
import Testing
import TestSupport
import Values

final class `Loading mappings` {
  private let folder: TemporaryFolder
  private let store: MappingStore
  private let now = noon

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

  @Test func `Loading mappings adds, keeps, changes and removes`() throws {
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
  func `A broken mapping file is rejected and its last valid state remains`(text: String) throws {
    _ = try load([good("a")])
    let before = try inForce()
    #expect(try load([file("a", text)]) == ["a rejected keeps old"])
    #expect(try inForce() == before)
    #expect(try load([file("z", text)], isWhole: false) == ["z rejected"])
    #expect(try inForce() == before)
  }

  @Test func `A mapping file that cannot be read keeps its last valid state`() throws {
    _ = try load([good("a")])
    let missing = MappingLoad.File(path: folder.file("missing"), source: "a")
    #expect(try load([missing]) == ["a unreadable keeps old"])
    #expect(try inForce().count == 1)
  }

  @Test func `A copy with other content does not replace the mapping in force, whatever its name`()
    throws
  {
    _ = try load([good("shop.json")])
    let before = try inForce()
    for name in ["a-copy.json", "z-copy.json"] {
      let files = [good("shop.json"), good(name, name: "copy")].sorted { $0.source < $1.source }
      let outcomes = try load(files)
      #expect(Set(outcomes) == ["shop.json unchanged", "\(name) clash"])
      #expect(try inForce() == before)
      // A restart is another load of the same files.
      #expect(try load(files) == outcomes)
    }
    #expect(
      try load([good("a-copy.json", name: "copy"), good("shop.json", name: "edit")]).last
        == "shop.json changed")
    #expect(try inForce() != before)
    #expect(try inForce().map { $0.prefix(9) } == ["shop.json"])
  }

  @Test func `A copy of a mapping becomes valid once the file in force is gone`() throws {
    _ = try load([good("shop.json")])
    #expect(try load([good("a-copy.json", name: "copy")]) == ["a-copy.json added", "shop.json removed"])
    #expect(try inForce().map { $0.prefix(11) } == ["a-copy.json"])
  }

  @Test func `Of two new mapping files that differ neither is loaded until one is gone`() throws {
    #expect(try load([good("a"), good("b", name: "other")]) == ["a clash", "b clash"])
    #expect(try inForce().isEmpty)
    #expect(try load([good("b", name: "other")]) == ["b added"])
    #expect(try load([good("a"), good("b", name: "other")]) == ["a clash", "b unchanged"])
  }

  @Test func `A mapping file that was renamed remains in force beside another of its app and moment`() throws
  {
    _ = try load([good("shop.json")])
    let digest = try inForce()[0].suffix(4)
    #expect(
      try load([good("a-copy.json", name: "copy"), good("z.json")])
        == ["a-copy.json clash", "z.json added", "shop.json removed"])
    #expect(try inForce().map { $0.suffix(4) } == [digest])
  }

  @Test func `A mapping in force remains while two other files replace its own`() throws {
    _ = try load([good("shop.json")])
    let before = try inForce()
    let files = [good("a", name: "one"), good("b", name: "two")]
    for _ in 0..<2 {
      #expect(try load(files) == ["a clash", "b clash"])
      #expect(try inForce() == before)
    }
  }

  @Test func `A mapping file that moves to an occupied moment leaves both unchanged`() throws {
    _ = try load([good("a"), good("b", from: "2026-12-01"), good("c", from: "2027-01-01")])
    let before = try inForce()
    #expect(
      try load([
        good("a", from: "2026-12-01", name: "x"), good("b", from: "2026-12-01"), good("c", name: "y"),
      ])
        == ["a clash keeps old", "b unchanged", "c clash keeps old"])
    #expect(try inForce() == before)
  }

  @Test func `Two mapping files with the same bytes are one mapping`() throws {
    #expect(try load([good("a"), good("b")]) == ["a added", "b duplicate"])
    #expect(try inForce().count == 1)
    #expect(try load([good("b")]) == ["b added", "a removed"])
    // What is in force is not driven out by a file that took its place while it is broken.
    #expect(
      try load([good("a", name: "other"), file("b", "{")]) == ["a clash", "b rejected keeps old"])
    #expect(try inForce().map { $0.prefix(1) } == ["b"])
  }

  @Test func `Two single mapping files for one moment are rejected together`() throws {
    #expect(try load([good("a"), good("b", name: "other")], isWhole: false) == ["a clash", "b clash"])
    #expect(try inForce().isEmpty)
    _ = try load([good("shop")], isWhole: false)
    let before = try inForce()
    #expect(
      try load([good("a", name: "one"), good("b", name: "two"), good("c", app: 2)], isWhole: false)
        == ["a clash", "b clash", "c added"])
    #expect(try inForce().contains(before[0]))
    #expect(try load([good("a", name: "one")], isWhole: false) == ["shop changed"])
  }

  @Test func `Two mapping files can be swapped`() throws {
    _ = try load([good("a"), good("b", from: "2026-12-01")])
    #expect(try load([good("a", from: "2026-12-01"), good("b")]) == ["a changed", "b changed"])
    #expect(try inForce().count == 2)
  }

  @Test func `A single mapping file replaces its own mapping and no other`() throws {
    _ = try load([good("m.json", app: 5)], isWhole: false)
    #expect(try load([good("m.json", app: 9)], isWhole: false).count == 1)
    #expect(try inForce().map { $0.split(separator: " ")[$0.contains("(") ? 3 : 1] } == ["5", "9"])
    _ = try load([good("other.json", app: 5, name: "changed")], isWhole: false)
    #expect(try inForce().count == 2)
    _ = try load([good("m.json", from: "2026-12-01", app: 5)], isWhole: false)
    #expect(try inForce().count == 3)
  }

  @Test func `Loading mappings runs the whole check, not only the check of the form`() throws {
    let overlapping = file(
      "a",
      #"{"name":"m","app":1,"currency":"XXY","effective-from":"2026-11-01","protocol":"skan4","fine":[]}"#)
    #expect(try load([overlapping]) == ["a rejected"])
    #expect(try inForce().isEmpty)
  }

  @Test func `The ledger keeps which files of a mapping folder are rejected, and since when`()
    throws
  {
    _ = try load([good("shop.json")])
    #expect(try store.rejected().isEmpty)
    let files = [good("a-copy.json", name: "copy"), file("shop.json", "{")]
    _ = try load(files)
    let first = try store.rejected()
    #expect(first.map(\.source) == ["a-copy.json", "shop.json"])
    #expect(first.map(\.state) == ["clash", "rejected"])
    #expect(first.map(\.keepsOld) == [false, true])
    #expect(first.map(\.since) == [now, now])
    #expect(first[0].reason.english.contains("'shop.json'"))
    #expect(first[0].reason.english.contains("app 1 from 2026-11-01"))
    _ = try MappingLoad.load(files, into: store, isWhole: true, now: now + 60_000)
    #expect(try store.rejected() == first)
    #expect(try LedgerReader(path: folder.file("skan.db")).last(.mappingRejected) == now)
    // A single file that is wrong is rejected while the caller waits.
    _ = try load([file("hand.json", "{")], isWhole: false)
    #expect(try store.rejected() == first)
    _ = try MappingLoad.load(
      [files[0], file("shop.json", "[")], into: store, isWhole: true, now: now + 90_000)
    #expect(try store.rejected().map(\.since) == [now, now])
    #expect(try LedgerReader(path: folder.file("skan.db")).last(.mappingRejected) == now + 90_000)
    _ = try load([good("shop.json")])
    #expect(try store.rejected().isEmpty)
    #expect(try LedgerReader(path: folder.file("skan.db")).last(.mappingRejected) == now + 90_000)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `Loading mappings keeps its guarantees through random changes of a folder`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var folder: [String: MappingLoad.File] = [:]
    for _ in 0..<25 {
      for _ in 0...random.number(below: 3) {
        let name = ["a", "b", "c", "d"][random.number(below: 4)]
        let from = ["2026-11-01", "2026-12-01"][random.number(below: 2)]
        switch random.number(below: 5) {
        case 0: folder[name] = nil
        case 1: folder[name] = file(name, "{")
        default: folder[name] = good(name, from: from, name: "\(random.number(below: 2))")
        }
      }
      let files = folder.values.sorted { $0.source < $1.source }
      let before = try store.mappings()
      let entries = try MappingLoad.load(files, into: store, isWhole: true, now: now)
      let after = try store.mappings()
      // What is in force changes for its own file, for a file of the same bytes, or where its file asks no longer.
      for old in before {
        let new = after.first { $0.app == old.app && $0.effectiveFrom == old.effectiveFrom }
        guard new?.source != old.source else { continue }
        let own = entries.first { $0.source == old.source && $0.mapping != nil }?.mapping
        #expect(own?.effectiveFrom != old.effectiveFrom || new?.digest == old.digest)
        if case .rejected = entries.first(where: { $0.source == old.source })?.outcome {
          Issue.record("'\(old.source)' is broken, and its last good state went away")
        }
      }
      // Who is taken is in force, who clashes is not, and each file has one outcome.
      for (file, entry) in zip(files, entries) {
        guard case .success(let bytes) = file.contents else { continue }
        let isInForce = after.contains { $0.document == bytes }
        switch entry.outcome {
        case .added, .changed, .unchanged, .duplicate: #expect(isInForce)
        case .clash, .rejected: #expect(!isInForce || entry.keepsOld)
        case .removed, .unreadable: Issue.record("\(entry.source) \(entry.outcome.word)")
        }
      }
      // The same files again, whatever their order, change nothing.
      let again = try MappingLoad.load(files.reversed(), into: store, isWhole: true, now: now)
      #expect(try store.mappings() == after)
      #expect(Set(again.map(\.outcome.word)).isDisjoint(with: ["added", "changed", "removed"]))
    }
  }
}
