import Postbacks
import Testing
import Values

@Suite struct `Two mappings` {
  @Test func `A comparison of two mappings reports which values keep, change, gain and lose their meaning`()
    throws
  {
    let old = try mapping(
      skan: "skan4",
      #""fine":[{"value":1,"events":["a"]},{"value":2,"events":["b"]},{"value":3,"events":["c"],"label":"x"}]"#
    )
    let new = try mapping(
      skan: "skan4",
      #"""
      "fine":[{"value":3,"events":["c"],"label":"y"},{"value":2,"events":["d"]},{"value":4,"events":["e"]}],
      "coarse":[{"window":2,"low":{"events":["a"]}}]
      """#)
    let changes = new.changes(from: old)
    #expect(changes.map(\.kind) == [.lost, .changed, .kept, .gained, .gained])
    #expect(changes[0].new == .unmapped && changes[3].old == .unmapped)
    #expect(new.changes(from: new).allSatisfy { $0.kind == .kept })
    #expect(old.changes(from: new).map(\.kind) == [.gained, .changed, .kept, .lost, .lost])
  }

  @Test(
    arguments: [
      ("skan4", "", [72, 192, 864], [96, 312, 984]), ("aak", "", [72, 192, 864], [96, 312, 984]),
      // A lock can come at any moment of the window.
      ("skan4", #","lock":true"#, [24, 192, 864], [96, 312, 984]),
      ("skan3", "", [24, 24, 24], [72, 48, 48]),
    ] as [(String, String, [Int64], [Int64])])
  func `A comparison of two mappings shows how long both can arrive by the delays`(
    device: String, lock: String, from: [Int64], to: [Int64]
  ) throws {
    let mapping = try mapping(skan: device, #""fine":[{"value":1\#(lock)}]"#)
    for (index, slot) in ConversionWindow.allCases.enumerated() where device != "skan3" || slot == .first {
      let overlap = mapping.overlap(of: slot, with: mapping)
      #expect(overlap.from == mapping.effectiveFrom + from[index] * 3_600_000)
      #expect(overlap.to == mapping.effectiveFrom + to[index] * 3_600_000)
    }
  }
}
