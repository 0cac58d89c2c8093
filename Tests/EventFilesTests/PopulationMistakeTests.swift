import CSVText
import EventFiles
import Testing
import Values

struct `An error in an events file` {
  private let reader: PopulationReader
  private let usd: CurrencyCode

  init() throws {
    usd = try #require(CurrencyCode("USD"))
    reader = PopulationReader(currency: usd)
  }

  private func mistake(_ text: String, _ reader: PopulationReader? = nil, chunk: Int = .max)
    -> EventFileError?
  {
    do {
      _ = try (reader ?? self.reader).read(Array(text.utf8), chunk: chunk)
      return nil
    } catch { return error as? EventFileError }
  }

  @Test(arguments: [
    "user,time,event,source_app\nu,1,e,shop\n",
    "{\"user\":\"u\",\"time\":1,\"event\":\"e\",\"source_app\":-5}",
  ])
  func `An error in an events file is none in a column that is not read`(text: String) throws {
    var columns = EventColumns.standard
    columns.unread = [.sourceApp]
    #expect(mistake(text) != nil)
    #expect(mistake(text, PopulationReader(columns: columns, currency: usd)) == nil)
    // Other columns still are.
    let late = mistake("user,time,event,source_app\nu,late,e,shop\n", PopulationReader(columns: columns))
    #expect(late?.code == "invalid-time")
  }

  @Test(
    arguments: [
      ("user,time\nu,1", "missing-column", 1), ("user,user,time,event\n", "repeated-column", 1),
      ("user,time,event\nu,1\n", "wrong-number-of-cells", 2),
      ("user,time,event\nu,1,e,x\n", "wrong-number-of-cells", 2),
      ("user,time,event\n\nu,yesterday,e\n", "invalid-time", 3),
      ("user,time,event\nu,253402300800,e\n", "invalid-time", 2),
      ("user,time,event\nu,-,e\n", "invalid-time", 2),
      ("user,time,event\nu,2026-02-30,e\n", "invalid-time", 2),
      ("user,time,event\n,1,e\n", "missing-user", 2), ("user,time,event\nu,,e\n", "missing-time", 2),
      ("user,time,event\nu,1,\n", "missing-event", 2), ("user,time,event\n\"\",1,e\n", "missing-user", 2),
      ("user,time,event,installed\nu,1,e,2026-02-30\n", "invalid-installed", 2),
      ("user,time,event,revenue\nu,1,e,NaN\n", "invalid-amount", 2),
      ("user,time,event,revenue\nu,1,e,inf\n", "invalid-amount", 2),
      ("user,time,event,revenue\nu,1,e,0.0000001\n", "amount-too-precise", 2),
      ("user,time,event,revenue\nu,1,e,1e99\n", "amount-too-large", 2),
      ("user,time,event,revenue,currency\nu,1,e,1,XXQ\n", "currency-not-listed", 2),
      ("user,time,event,revenue,currency\nu,1,e,1,US\n", "currency-not-listed", 2),
      ("user,time,event,source_app\nu,1,e,com.example\n", "invalid-source_app", 2),
      ("user,time,event,source_app\nu,1,e,-5\n", "invalid-source_app", 2),
      ("user,time,event,source_app\nu,1,e,99999999999999999999\n", "invalid-source_app", 2),
      ("user,time,event\n\"u,1,e\n", "unclosed-quote", 2),
      ("user,time,event\n\n\"u\nv\"x,1,e\n", "text-behind-quote", 4),
      ("user,time,event\nu\"v,1,e\n", "stray-quote", 2),
      ("user,time,event\nu,1,e\rx\n", "stray-carriage-return", 2),
      ("user,time,event\nu,1,e\r", "stray-carriage-return", 2),
      (
        "user,time,event\nu,1," + String(repeating: "e", count: CSVReader.longestRecord), "record-too-long", 2
      ),
      ("user,time,event,installed\nu,5,e,9\n", "event-before-install", 2),
      ("user,time,event,installed\nu,5,e,1\nu,5,e,2\n", "two-installs", 3),
      // The lowest line counts, also where the mistake shows only at the end.
      ("user,time,event,installed\nu,5,e,9\nu,x,e,9\n", "event-before-install", 2),
      ("[{}]", "array", 1), ("{\"user\":\"u\",\"time\":1,\"event\":\"e\"}\n{\"user\":", "unexpected-end", 2),
      ("{\"user\":\"u\",\"user\":\"v\",\"time\":1,\"event\":\"e\"}", "duplicate-member", 1),
      ("{\"x\":1,\"user\":\"u\",\"x\":2,\"time\":1,\"event\":\"e\"}", "duplicate-member", 1),
      ("{\"user\":\"u\",\"time\":1,\"event\":1}", "wrong-type", 1),
      ("{\"user\":[],\"time\":1,\"event\":\"e\"}", "wrong-type", 1),
      ("{\"user\":\"u\",\"time\":01,\"event\":\"e\"}", "invalid-number", 1),
      ("{\"user\":\"u\",\"time\":1.5,\"event\":\"e\"}", "invalid-time", 1), ("{}\n", "missing-user", 1),
      ("{\"user\":\"u\",\"time\":1,\"event\":\"e\"}\n[]", "wrong-type", 2),
      ("{\"user\":\"u\",\"time\":1,\"event\":\"e\"}x", "trailing-bytes", 1),
      ("{" + String(repeating: " ", count: CSVReader.longestRecord), "record-too-long", 1),
      (String(repeating: "\n", count: CSVReader.longestRecord + 1), "record-too-long", 1),
    ])
  func `An error in an events file is reported with its line`(text: String, code: String, line: Int) {
    for chunk in [Int.max, 100_001] {
      let error = mistake(text, chunk: chunk)
      #expect(error?.code == code)
      #expect(error?.line == line)
    }
  }

  @Test func `An amount without a currency in an events file is an error`() {
    let strict = PopulationReader()
    let text = "user,time,event,revenue,currency\nu,1,e,1,USD\nu,1,e,,\nu,1,e,1,\n"
    #expect(mistake(text, strict)?.code == "missing-currency")
    #expect(mistake(text, strict)?.line == 4)
    #expect(mistake(text) == nil)
  }

  @Test func `An error in an events file lists the columns of the header`() {
    #expect(
      mistake("uid,time,event\n")?.sentence.english
        == "the header has no column 'user'; it has 'uid', 'time', 'event'")
  }

  @Test(arguments: 1...400)
  func `An error in an events file is the one that the slow reader finds`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var events = RandomEvents(seed: seed % 20, rows: 6)
    var bytes = seed.isMultiple(of: 2) ? events.table() : events.lines()
    let marks = Array("\",\n\r{}:\\0-x é".utf8)
    bytes[random.number(below: bytes.count)] = marks[random.number(below: marks.count)]
    var expected: EventFileError?
    var users: [CohortText] = []
    do { users = CohortText.users(try slowUsers(bytes, currency: usd)) } catch {
      expected = try #require(error as? EventFileError)
    }
    do {
      let population = try reader.read(bytes, chunk: 1 + random.number(below: 200))
      #expect(expected == nil)
      #expect(try CohortText.users(population) == users)
    } catch let error as EventFileError {
      // A conflict between rows may be above what the slow reader stops at.
      let isContradiction = ["two-installs", "event-before-install"].contains(error.code)
      let wanted = try #require(expected)
      if isContradiction {
        #expect(error.line <= wanted.line || error.code == wanted.code)
      } else if error.code != "missing-column" {
        // Cures are the fast reader's alone.
        #expect(
          error.code == wanted.code && error.line == wanted.line && error.sentence == wanted.sentence,
          "\(error), \(wanted)")
      } else {
        #expect(wanted.code == error.code)
      }
    }
  }

  @Test func `An error in an events file can be skipped, and is counted`() throws {
    var lenient = reader
    lenient.mistakes = .skip
    let table = """
      user,time,event,revenue,installed
      u,9,e,1,5
      u,x,e,1,5
      u,3,e,1,5
      u,9,e,1,6
      "open,9,e,1,5
      v,9,e,NaN,
      v,y,e,1,
      v,1
      "v
      w",1
      v,9,good,1,
      """
    for chunk in [Int.max, 1] {
      let population = try lenient.read(Array(table.utf8), chunk: chunk)
      #expect(
        population.skipped.entries.map { "\($0.first.line) \($0.first.code) \($0.count)" } == [
          "3 invalid-time 2", "4 event-before-install 1", "5 two-installs 1", "7 invalid-amount 1",
          "9 wrong-number-of-cells 2", "10 text-behind-quote 1",
        ])
      #expect(population.skipped.count == 8)
      #expect(population.rows == 2)
      #expect(Set(try CohortText.users(population).flatMap(\.events)) == ["4 e 1 USD", "0 good 1 USD"])
    }
    let lines = """
      {"user":"u","time":1,"event":"e"}
      {"user":"u","time":1,
      {"user":"u","time":1,"event":"e"}
      """
    let population = try lenient.read(Array(lines.utf8))
    #expect(population.rows == 2)
    #expect(population.skipped.entries.map(\.first.line) == [2])
  }

  @Test func `An error in an events file is skipped together with a line that never ends`() throws {
    var lenient = reader
    lenient.mistakes = .skip
    let long = String(repeating: "e", count: 2 * CSVReader.longestRecord)
    for text in [
      "user,time,event\nu,1,\(long)\nu,2,e\n", "{}\n{\(long)\n{\"user\":\"u\",\"time\":2,\"event\":\"e\"}",
    ] {
      let population = try lenient.read(Array(text.utf8), chunk: 262_144)
      #expect(population.rows == 1)
      #expect(
        population.skipped.entries.contains { $0.first.code == "record-too-long" && $0.first.line == 2 })
    }
  }

  @Test func `An error in the header of an events file always stops`() {
    var lenient = reader
    lenient.mistakes = .skip
    #expect(mistake("user,time\n", lenient)?.code == "missing-column")
    #expect(mistake("[]", lenient)?.code == "array")
  }
}
