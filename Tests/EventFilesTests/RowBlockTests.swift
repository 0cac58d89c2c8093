@testable import EventFiles
import FuzzLaws
import Simulation
import System
import Testing
import Values

struct `Blocks of rows` {
  private struct Broken: Error {}

  private let usd: CurrencyCode

  init() throws { usd = try #require(CurrencyCode("USD")) }

  /// What reading gives, with what every number stands for and in the order of the parts.
  private struct Reading: Equatable {
    var names = CohortNames()
    var users: [[CohortUser]] = []
    var events: [[CohortEvent]] = []
    var skipped = SkippedRows()
    var duplicates = 0
    var error: EventFileError?
  }

  private func read(
    _ bytes: [UInt8], chunk: Int, block: Int, threads: Int, _ mistakes: PopulationReader.Mistakes
  ) throws -> Reading {
    var reader = PopulationReader(currency: usd)
    reader.partitions = 3
    reader.blockSize = block
    reader.threads = threads
    reader.mistakes = mistakes
    var reading = Reading()
    do {
      let population = try reader.read(bytes, chunk: chunk)
      reading.names = population.names
      reading.skipped = population.skipped
      reading.duplicates = population.duplicates
      try population.forEachCohort { cohort in
        reading.users.append(cohort.users)
        reading.events.append(cohort.events)
      }
    } catch let error as EventFileError {
      reading.error = error
    }
    return reading
  }

  @Test(arguments: 1...60)
  func `Blocks of rows give what one pass gives, wherever they end`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var events = RandomEvents(seed: seed, rows: 40)
    for bytes in [events.table(), events.lines()] {
      let expected = try read(bytes, chunk: .max, block: 1 << 30, threads: 1, .stop)
      #expect(expected.error == nil)
      for threads in [1, 2, 3] {
        let found = try read(
          bytes, chunk: 1 + random.number(below: 300), block: 1 + random.number(below: 600), threads: threads,
          .stop)
        let isSame = found == expected
        #expect(isSame, "\(threads) threads")
      }
    }
  }

  @Test(arguments: 1...400)
  func `Blocks of rows have the mistakes that one pass finds, on the same lines`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var events = RandomEvents(seed: seed % 20, rows: 12)
    var bytes = seed.isMultiple(of: 2) ? events.table() : events.lines()
    let marks = Array("\"\"\"\",\n\r{}:\\0-x é".utf8)
    for _ in 0...random.number(below: 4) {
      bytes[random.number(below: bytes.count)] = marks[random.number(below: marks.count)]
    }
    for mistakes in PopulationReader.Mistakes.allCases {
      let expected = try read(bytes, chunk: .max, block: 1 << 30, threads: 1, mistakes)
      for threads in [1, 2] {
        let found = try read(
          bytes, chunk: 1 + random.number(below: 60), block: 1 + random.number(below: 100), threads: threads,
          mistakes)
        let isSame = found == expected
        #expect(
          isSame, "\(threads) threads, \(mistakes): \(found.error.map { "\($0)" } ?? "\(found.skipped)")")
      }
    }
  }

  @Test(arguments: 1...20)
  func `Blocks of rows are the bytes of the stream, and end between rows of a sound table`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var events = RandomEvents(seed: seed, rows: 60)
    let bytes = events.table()
    var blocks = RowBlocks([], isTable: true, size: 1 + random.number(below: 500))
    var rest = bytes[...]
    var joined: [UInt8] = []
    var count = 0
    while let block = blocks.next({
      defer { rest = rest.dropFirst(50) }
      return rest.isEmpty ? nil : Array(rest.prefix(50))
    }) {
      joined += block.bytes
      count += 1
      #expect(block.isLast == blocks.hasEnded)
      #expect(block.isLast || block.bytes.last == UInt8(ascii: "\n"))
      #expect(block.bytes.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2))
    }
    #expect(joined == bytes)
    #expect(count > 1)
    #expect(blocks.obstacle == nil)
  }

  @Test func `Blocks of rows do not wait for the end of a mark astray`() throws {
    let rows = (0..<100_000).map { "u\($0 % 100),\($0),e\n" }.joined()
    let text = "user,time,event\nu\"v,1,e\n" + rows + "w,1,\"\nx\"y,2,e\n" + rows
    let expected = try read(Array(text.utf8), chunk: .max, block: 1 << 30, threads: 1, .skip)
    #expect(
      expected.skipped.entries.map { "\($0.first.line) \($0.first.code)" } == [
        "2 stray-quote", "100004 text-behind-quote",
      ])
    let isSame = try read(Array(text.utf8), chunk: 9999, block: 10_000, threads: 2, .skip) == expected
    #expect(isSame)
    var blocks = RowBlocks([], isTable: true, size: 10_000)
    var rest = Array(text.utf8)[...]
    var longest = 0
    while let block = blocks.next({
      defer { rest = rest.dropFirst(9999) }
      return rest.isEmpty ? nil : Array(rest.prefix(9999))
    }) {
      longest = max(longest, block.bytes.count)
    }
    #expect(longest < 2 << 20)
  }

  @Test(arguments: [1, 2])
  func `Blocks of rows report a mistake before what ends the stream behind it`(threads: Int) {
    var reader = PopulationReader(currency: usd)
    reader.threads = threads
    reader.blockSize = 10
    func error(_ text: String) -> (any Error)? {
      var chunks = text.split(separator: "|").map { Array($0.utf8) }
      do {
        _ = try reader.read {
          guard !chunks.isEmpty else { throw Broken() }
          return chunks.removeFirst()
        }
        return nil
      } catch { return error }
    }
    let sound = "user,time,event\n|u,1,e\nu,2,e\n|u,3,e\nu,4,e\n|"
    #expect(error(sound) is Broken)
    #expect(error(sound + "u,5") is Broken)
    #expect((error(sound + "u,x,e\nu,6,e\n|u,7,e\n") as? EventFileError)?.line == 6)
    #expect((error(sound + "u,5,e\nu,x,e\n") as? EventFileError)?.line == 7)
    #expect(error(sound + "u,5,e\nu,x,e") is Broken)
  }

  @Test func `Blocks of rows report that they do not fit into memory`() {
    var reader = PopulationReader(currency: usd)
    reader.budget = 0
    reader.blockSize = 100
    reader.threads = 2
    reader.scratchFolder = "/nowhere/at/all"
    let rows = (0..<20_000).map { "u\($0),\($0),e\n" }.joined()
    #expect(throws: FileError.self) { try reader.read(Array("user,time,event\n\(rows)".utf8), chunk: 500) }
  }
}
