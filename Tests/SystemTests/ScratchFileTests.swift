import System
import TestSupport
import Testing

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
