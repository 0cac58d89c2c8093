import Journal
import TestSupport
import Testing
import Values

@Suite struct `A batch` {
  private let text = Array(String(repeating: "A postback arrives once, or twice. ", count: 500).utf8)

  @Test func `A batch has the content that was packed`() throws {
    var random = SplitMix64(seed: 7)
    let packer = BatchPacker()
    let unpacker = BatchUnpacker()
    for content in [[], [0], text, random.bytes(10), random.bytes(200_000)] {
      let batch = try packer.pack(content)
      #expect(try unpacker.unpack(batch) == content)
      #expect(batch.count <= content.count + 6)
    }
    #expect(try packer.pack(text).count < text.count / 50)
  }

  @Test func `A batch that is cut short is never read as one`() throws {
    let unpacker = BatchUnpacker()
    for content in [text, [1, 2, 3]] {
      let batch = try BatchPacker().pack(content)
      for count in 0..<batch.count {
        #expect(throws: BatchError.self) { try unpacker.unpack(Array(batch.prefix(count))) }
      }
    }
  }

  @Test func `A batch of another format, packing or length is an error`() throws {
    let unpacker = BatchUnpacker()
    #expect(throws: BatchError.unknownFormat(1)) { try unpacker.unpack([1, 0, 0, 0, 0, 0]) }
    #expect(throws: BatchError.unknownPacking(9)) { try unpacker.unpack([2, 9, 0, 0, 0, 0]) }
    #expect(throws: BatchError.wrongLength(found: 1, stated: 2)) {
      try unpacker.unpack([2, 0, 0, 0, 0, 2, 7])
    }
    #expect(throws: BatchError.tooLong(bytes: 0xffff_ffff, most: BatchEnvelope.longestContent)) {
      try unpacker.unpack([2, 1, 255, 255, 255, 255])
    }
    var batch = try BatchPacker().pack(text)
    batch[5] ^= 1
    #expect(throws: BatchError.self) { try unpacker.unpack(batch) }
    #expect(throws: BatchError.self) {
      try BatchPacker().pack([UInt8](repeating: 0, count: BatchEnvelope.longestContent + 1))
    }
  }
}
