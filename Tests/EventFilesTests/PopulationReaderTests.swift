import CSVText
import EventFiles
import Simulation
import System
import Testing
import Values

struct `A population` {
  private let reader: PopulationReader
  private let usd: CurrencyCode

  init() throws {
    usd = try #require(CurrencyCode("USD"))
    reader = PopulationReader(currency: usd)
  }

  @Test(arguments: 1...40)
  func `A population has the users of the slow reader, from memory and from disk`(seed: UInt64) throws {
    var events = RandomEvents(seed: seed, rows: 10 * Int(seed))
    for bytes in [events.table(), events.lines()] {
      let expected = CohortText.users(try slowUsers(bytes, currency: usd))
      #expect(try CohortText.users(reader.read(bytes)) == expected)
      var small = reader
      small.budget = 0
      small.partitions = Int(seed % 5) + 1
      #expect(try CohortText.users(small.read(bytes, chunk: 1 + Int(seed) * 7)) == expected)
    }
  }

  @Test(arguments: [
    ("user,time,event\na,1,e\nb,2,e\n", ["all-users", "all-users"]),
    ("user,time,event,campaign\na,1,e,\nb,2,e,\n", ["all-users", "all-users"]),
    ("user,time,event,campaign\na,1,e,\nb,2,e,c\n", ["c", nil]),
  ])
  func `Users of a file that names no campaign are all of one`(text: String, campaigns: [String?]) throws {
    let population = try reader.read(Array(text.utf8))
    #expect(population.isOneCampaign == !campaigns.contains(nil))
    #expect(Set(try CohortText.users(population).map(\.campaign)) == Set(campaigns))
  }

  @Test func `A population is the same for every memory budget`() throws {
    let rows = (0..<30_000).map { "u\($0 % 977),\($0),e\($0 % 7),0.5,c\($0 % 3)\n" }
    let bytes = Array(("user,time,event,revenue,campaign\n" + rows.joined()).utf8)
    let whole = try reader.read(bytes)
    #expect(!whole.isOnDisk)
    // Each part has about its share of the users, 15 of 977 here.
    for index in 0..<whole.cohortCount { #expect((3...40).contains(try whole.cohort(at: index).users.count)) }
    for budget in [0, 100_000, 500_000] {
      var small = reader
      small.budget = budget
      let population = try small.read(bytes)
      #expect(population.isOnDisk)
      #expect(population.rows == 30_000)
      #expect(population.users == 977)
      for index in 0..<whole.cohortCount {
        let (a, b) = (try whole.cohort(at: index), try population.cohort(at: index))
        #expect(a.names == b.names)
        #expect(a.users == b.users)
        #expect(a.events == b.events)
      }
    }
  }

  private static let table =
    "\u{FEFF}user,time,event,revenue\r\n\"a \"\"b\"\"\",1,é,\r\n\r\nu,2,\"x\ny\",-0.1"
  private static let lines = """
    \u{FEFF}{"user":"a \\"b\\"","time":1,"event":"é"}\r

    {"user":"u","time":2,"event":"x\\ny","revenue":-0.1,"z":null}
    """

  @Test(arguments: [table, lines])
  func `A population does not depend on where chunks end`(text: String) throws {
    let bytes = Array(text.utf8)
    let expected = CohortText.users(try slowUsers(bytes, currency: usd))
    #expect(expected.count == 2)
    for end in 0...bytes.count {
      var chunks = [Array(bytes[..<end]), Array(bytes[end...])]
      let population = try reader.read { chunks.isEmpty ? nil : chunks.removeFirst() }
      #expect(try CohortText.users(population) == expected)
    }
    #expect(try CohortText.users(reader.read(bytes, chunk: 1)) == expected)
  }

  @Test func `A population's user begins with the given install, or else with the first event`() throws {
    let population = try reader.read(
      Array("user,time,event,installed\na,50,x,\na,20,y,10\nb,50,x,\nb,20,y,\n".utf8))
    let users = try CohortText.users(population, installs: true)
    #expect(Set(users.map(\.installed)) == [Instant(seconds: 10), Instant(seconds: 20)])
    #expect(Set(users.map(\.events)) == [["10 y -", "40 x -"], ["0 y -", "30 x -"]])
  }

  @Test func `A population does not merge users whose names agree in the first hash`() throws {
    let names = ["8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ"]
    #expect(Cohort.key(of: names[0]) == Cohort.key(of: names[1]))
    var one = reader
    one.partitions = 1
    let bytes = Array(("user,time,event\n" + names.map { "\($0),1,e\n" }.joined()).utf8)
    #expect(try one.read(bytes).users == 2)
    #expect(try reader.read(bytes).users == 2)
  }

  @Test(arguments: ["", "\n \n", "user,time,event", "\u{FEFF}", "user,time,event\r\n\r\n"])
  func `A population may be empty`(text: String) throws {
    let population = try reader.read(Array(text.utf8))
    #expect(population.users == 0)
    #expect(population.rows == 0)
  }

  @Test func `A population counts duplicate rows, drops them or stops`() throws {
    let bytes = Array(
      """
      user,time,event,revenue,campaign
      u,1,e,1,
      v,1,e,1,
      u,2,e,1,
      u,1970-01-01T00:00:01Z,e,1.0,c
      u,1,e,2,
      u,1,f,1,
      u,1,e,1,

      """.utf8)
    let kept = try reader.read(bytes)
    #expect(kept.duplicates == 2)
    #expect(kept.rows == 7)
    var other = reader
    other.duplicates = .drop
    let dropped = try other.read(bytes)
    #expect(dropped.duplicates == 2)
    #expect(dropped.rows == 5)
    // The campaign of a row that duplicates another is reported too.
    #expect(try CohortText.users(dropped).compactMap(\.campaign) == ["c"])
    other.duplicates = .stop
    #expect { try other.read(bytes) } throws: { error in
      (error as? EventFileError)?.code == "duplicate-row" && (error as? EventFileError)?.line == 5
    }
  }

  @Test func `A population passes on what the stream throws`() {
    struct Broken: Error {}
    var chunks = ["user,time,event\nu,1,e\n"]
    #expect(throws: Broken.self) {
      try reader.read {
        guard !chunks.isEmpty else { throw Broken() }
        return Array(chunks.removeFirst().utf8)
      }
    }
  }

  @Test func `A population reports that it cannot write what does not fit into memory`() {
    var small = reader
    small.budget = 0
    small.partitions = 1
    small.scratchFolder = "/nowhere/at/all"
    let rows = (0..<1000).map { "u,\($0),e\n" }.joined()
    #expect(throws: FileError.self) { try small.read(Array("user,time,event\n\(rows)".utf8)) }
  }
}
