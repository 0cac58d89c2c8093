import Foundation
import Gzip
import TestSupport
import Testing
import Values

/// Reads all bytes through a reader whose source hands them out in pieces of that size.
private func read(_ bytes: [UInt8], piece: Int = 1 << 20) throws -> [UInt8] {
  var position = 0
  var reader = GzipReader {
    defer { position = min(bytes.count, position + piece) }
    return Array(bytes[position..<min(bytes.count, position + piece)])
  }
  var whole: [UInt8] = []
  while let chunk = try reader.next() {
    #expect(!chunk.isEmpty && chunk.count <= GzipReader.chunkSize)
    whole += chunk
  }
  #expect(try reader.next() == nil)
  return whole
}

private let sentence = Array("A postback arrives once, or twice, or never.\n".utf8)

@Suite struct `A gzip reader` {
  @Test(arguments: [1, 2, 3, 7, 1 << 20])
  func `A gzip reader unpacks pieces of any size`(piece: Int) throws {
    var random = SplitMix64(seed: 3)
    for count in [0, 1, 2, 100, 70_000, 600_000] where count < 1000 || piece > 3 {
      let bytes = random.bytes(count)
      #expect(try read(gzip(bytes), piece: piece) == bytes)
      #expect(try read(bytes, piece: piece) == bytes, "plain bytes pass")
    }
  }

  @Test(
    arguments: [[], [0x1f], [0x1f, 0x8c, 1], [0x8b, 0x1f], Array("{}".utf8), [0x78, 0x9c, 1, 2]] as [[UInt8]])
  func `A gzip reader passes through what is not gzip`(bytes: [UInt8]) throws {
    #expect(try read(bytes) == bytes)
    #expect(try read(bytes, piece: 1) == bytes)
  }

  @Test(arguments: [1, 5, 1 << 20])
  func `A gzip reader joins members`(piece: Int) throws {
    let packed = gzip(sentence) + gzip([]) + gzip(Array("more".utf8)) + gzip(sentence, level: 1)
    #expect(try read(packed, piece: piece) == sentence + Array("more".utf8) + sentence)
  }

  @Test func `A gzip reader notices every truncation`() throws {
    let packed = gzip(sentence)
    for count in 2..<packed.count {
      let error = #expect(throws: GzipError.self) { try read(Array(packed.prefix(count))) }
      #expect(error == .truncated(at: count))
    }
    let second = packed + packed.dropLast()
    #expect(throws: GzipError.truncated(at: second.count)) { try read(second) }
  }

  @Test func `A gzip reader never accepts a flipped bit as the same data`() throws {
    let packed = gzip(sentence)
    // Bytes 4 to 9 hold a time, a hint and a system, which are no part of the data. Source: RFC 1952, section 2.3.
    for index in packed.indices where !(4...9).contains(index) {
      for bit in 0..<8 {
        var broken = packed
        broken[index] ^= 1 << bit
        let result = try? read(broken)
        // Flags may be flipped to ones that leave the data as it is.
        #expect(result != sentence || index == 3, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test func `A gzip reader reports the place of damage`() throws {
    var broken = gzip(sentence)
    broken[broken.count - 6] ^= 1
    let error = #expect(throws: GzipError.self) { try read(broken) }
    guard case .corrupt(let offset, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((broken.count - 8...broken.count).contains(offset))
    #expect(reason == "incorrect data check")
    #expect(error?.code == "gzip-corrupt")
  }

  @Test(arguments: [[0], [0x1f], [0x1f, 0x00], Array("garbage".utf8)] as [[UInt8]])
  func `A gzip reader rejects what follows the data`(garbage: [UInt8]) throws {
    let packed = gzip(sentence)
    for piece in [1, 1 << 20] {
      #expect(throws: GzipError.trailingBytes(at: packed.count)) { try read(packed + garbage, piece: piece) }
    }
  }

  @Test func `A gzip reader passes on an error of its source`() throws {
    struct Broken: Error {}
    var reader = GzipReader { throw Broken() }
    #expect(throws: Broken.self) { try reader.next() }
  }

  @Test func `A gzip reader unpacks 100 MB of zeros in bounded memory`() throws {
    var packed: [[UInt8]] = []
    var writer = GzipWriter(level: 1) { packed.append($0) }
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<100 { try writer.write(zeros) }
    try writer.finish()
    let whole = packed.flatMap { $0 }
    #expect(whole.count < 1_000_000)
    let before = residentKilobytes()
    var left: [UInt8]? = whole
    var reader = GzipReader { left.take() ?? [] }
    var count = 0
    while let chunk = try reader.next() { count += chunk.count }
    #expect(count == 100 << 20)
    // The address sanitizer keeps freed memory for a while, so there the size has no meaning.
    if dlsym(nil, "__asan_init") == nil { #expect(residentKilobytes() - before < 20_000) }
  }

  @Test func `A gzip reader reads what the gzip program writes, and the gzip program reads our output`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(sentence, to: "a.txt")
    #expect(try Subprocess.run("/bin/gzip", ["-k", path]).exitCode == 0)
    #expect(try read(folder.read("a.txt.gz")) == sentence)
    try folder.write(gzip(sentence), to: "b.gz")
    #expect(
      try Subprocess.run("/bin/gzip", ["-dc", folder.file("b.gz")]).output
        == String(decoding: sentence, as: UTF8.self))
  }

  @Test(arguments: [(0, true), (44, true), (45, false), (46, false)])
  func `A gzip reader of a whole message respects the limit`(limit: Int, isTooMuch: Bool) throws {
    if isTooMuch {
      #expect(throws: GzipError.tooLarge(limit: limit)) { try gunzip(gzip(sentence), limit: limit) }
    } else {
      #expect(try gunzip(gzip(sentence), limit: limit) == sentence)
    }
  }
}

private func residentKilobytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  return (status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
}
