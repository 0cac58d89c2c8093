import System
import TestSupport
import Testing
import Values

struct `A scratch file` {
  @Test func `A scratch file returns what was written, and is invisible to other processes`() throws {
    let folder = try TemporaryFolder()
    let file = try ScratchFile(in: folder.path)
    let first = try file.append([1, 2, .max])
    let none = try file.append([])
    let second = try file.append((0..<100_000).map { UInt64($0) })
    #expect(try file.read(first) == [1, 2, .max])
    #expect(try file.read(none) == [])
    #expect(try file.read(second).last == 99_999)
    #expect(try file.read(first.upperBound - 1..<second.lowerBound + 2) == [.max, 0, 1])
    #expect(try file.read([second.upperBound - 1..<second.upperBound, none, first]) == [99_999, 1, 2, .max])
    #expect(try file.read([Range<Int>]()) == [])
    #expect(try Folder(folder.path).files(endingWith: "").isEmpty)
  }

  @Test func `A scratch file writes over places that are read no more`() throws {
    let folder = try TemporaryFolder()
    let file = try ScratchFile(in: folder.path)
    let first = try file.append([1, 2, 3])
    let kept = try file.append([4, 5])
    let last = try file.append([6, 7, 8])
    let places = try file.overwrite([first, last], with: [10, 11, 12, 13])
    #expect(places == [first, last.lowerBound..<last.lowerBound + 1])
    #expect(try file.read(places) == [10, 11, 12, 13])
    #expect(try file.read(kept) == [4, 5])
    #expect(try file.overwrite([first], with: []) == [])
  }

  @Test func `A byte that occurs an odd number of times is found wherever it is`() {
    let mark = UInt8(ascii: "\"")
    func isOdd(_ bytes: [UInt8]) -> Bool { occursOddly(mark, in: bytes.span) }
    #expect(!isOdd([]))
    var random = SplitMix64(seed: 7)
    for length in 1...200 {
      let bytes = (0..<length).map { _ in random.happens(0.1) ? mark : UInt8(random.number(below: 256)) }
      #expect(isOdd(bytes) == !bytes.count { $0 == mark }.isMultiple(of: 2))
    }
  }

  @Test func `A scratch file needs a folder`() {
    #expect { try ScratchFile(in: "/nowhere/at/all") } throws: { ($0 as? FileError)?.code == .notFound }
  }

  @Test func `A scratch file returns nothing that was never written`() throws {
    let folder = try TemporaryFolder()
    let file = try ScratchFile(in: folder.path)
    #expect(throws: FileError.self) { try file.read(0..<1) }
    let one = try file.append([1])
    #expect(throws: FileError.self) { try file.read([one, 0..<2]) }
  }
}
