import CSVText
import EventFiles
import FuzzLaws
import Mappings
import System
import Testing
import Values

struct `An events file` {
  private static func read(_ text: String, chunk: Int = .max) throws -> [EventRow] {
    var file = EventFile(currency: try #require(CurrencyCode("USD")))
    var rows: [EventRow] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      rows += try file.append(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    return rows + (try file.finish())
  }

  private static func users(_ text: String) throws -> [UserEvents.User] {
    var events = UserEvents()
    for row in try read(text) { try events.add(row) }
    return try events.users()
  }

  private static let table = """
    event,extra,user,time,revenue,currency,campaign,installed
    buy,x,u1,1970-01-01T01:00:00Z,12.345678,eur,12,0
    open,,u2,7200,,,,
    buy,,u1,1970-01-01T02:00:00.9+00:00,-0.1,,,
    """

  private static let lines = #"""
    {"user":"u1","event":"buy","time":"1970-01-01T01:00:00Z","revenue":12.345678,"currency":"EUR","campaign":12,"installed":0}

    {"user":"u2","event":"open","time":7200,"revenue":null,"x":[1]}
    {"user":"u1","event":"buy","time":"7200","revenue":"-0.1","installed":""}
    """#

  /// The table as spreadsheets of many countries write it.
  private static func separated(by separator: String) -> String {
    table.replacing(",", with: separator).replacing("12.345678", with: "12,345678").replacing(
      "-0.1", with: "-0,1")
  }

  @Test(arguments: [
    separated(by: ";"), separated(by: "\t"), "\u{FEFF}" + separated(by: ";"),
    "sep=;\r\n" + separated(by: ";"),
  ])
  func
    `Cells of an events file are separated by semicolons or tabs too, and amounts have decimal commas then`(
      text: String
    ) throws
  {
    #expect(try Self.users(text) == Self.users(Self.table))
    for chunk in [1, 7] { #expect(try Self.read(text, chunk: chunk) == Self.read(text)) }
    for chunk in [1, 7, 1000] {
      var rest = Array(text.utf8)[...]
      let population = try PopulationReader(currency: CurrencyCode("USD")).read {
        defer { rest = rest.dropFirst(chunk) }
        return rest.isEmpty ? nil : Array(rest.prefix(chunk))
      }
      var revenue: [Int64] = []
      try population.forEachCohort { cohort in revenue += cohort.events.map(\.micros) }
      #expect(population.users == 2 && revenue.sorted() == [-100_000, 0, 12_345_678], "\(chunk)")
    }
  }

  @Test func `A comma in front of three decimals is no decimal comma, because it can separate thousands`() {
    let text = "user;time;event;revenue\nu;1;buy;1,234\n"
    var rest: [UInt8]? = Array(text.utf8)
    #expect {
      _ = try PopulationReader(currency: CurrencyCode("USD")).read {
        defer { rest = nil }
        return rest
      }
    } throws: { ($0 as? EventFileError)?.code == "invalid-amount" }
  }

  @Test(arguments: [table, lines, "\u{FEFF}" + table, "\u{FEFF}" + lines, "\n" + lines])
  func `An events file gives the same result as a table and as lines`(text: String) throws {
    let users = try Self.users(text)
    #expect(users.map(\.name) == ["u1", "u2"])
    #expect(users[0].campaign == "12")
    #expect(users[0].events.map(\.secondsSinceInstall) == [3600, 7200])
    #expect(users[0].events.compactMap { $0.revenue?.description } == ["12.345678 EUR", "-0.1 USD"])
    // Without a time of install, the first event is the install.
    #expect(users[1].events == [UserEvent(secondsSinceInstall: 0, name: "open")])
    for chunk in [1, 7] { #expect(try Self.read(text, chunk: chunk) == Self.read(text)) }
  }

  @Test(arguments: ["", "\n \n", "user,time,event", "user,time,event\r\n\r\n"])
  func `An events file may have no rows`(text: String) throws { #expect(try Self.read(text).isEmpty) }

  @Test(
    arguments: [
      ("user,time\nu,1", "missing-column", 1), ("user,user,time,event\n", "repeated-column", 1),
      ("user,time,event\nu,1\n", "wrong-number-of-cells", 2),
      ("user,time,event\nu,1,e,x\n", "wrong-number-of-cells", 2),
      ("user,time,event\n\nu,yesterday,e\n", "invalid-time", 3),
      ("user,time,event\nu,253402300800,e\n", "invalid-time", 2),
      ("user,time,event\nu,9223372036854775807,e\n", "invalid-time", 2),
      ("user,time,event\n,1,e\n", "missing-user", 2), ("user,time,event\nu,,e\n", "missing-time", 2),
      ("user,time,event\nu,1,\n", "missing-event", 2),
      ("user,time,event,installed\nu,1,e,2026-02-30\n", "invalid-installed", 2),
      ("user,time,event,revenue\nu,1,e,abc\n", "invalid-amount", 2),
      ("user,time,event,revenue\nu,1,e,NaN\n", "invalid-amount", 2),
      ("user,time,event,revenue\nu,1,e,0.0000001\n", "amount-too-precise", 2),
      ("user,time,event,revenue\nu,1,e,1e99\n", "amount-too-large", 2),
      ("user,time,event,revenue,currency\nu,1,e,1,XXQ\n", "currency-not-listed", 2),
      ("user,time,event\n\"u,1,e\n", "unclosed-quote", 2),
      ("user,time,event,installed\nu,5,e,9\n", "event-before-install", 2),
      ("user,time,event,installed\nu,5,e,1\nu,5,e,2\n", "two-installs", 3),
      ("[{}]", "array", 1), ("{\"user\":\"u\",\"time\":1,\"event\":\"e\"}\n{\"user\":", "unexpected-end", 2),
      ("{\"user\":\"u\",\"user\":\"v\",\"time\":1,\"event\":\"e\"}", "duplicate-member", 1),
      ("{\"user\":\"u\",\"time\":1,\"event\":1}", "wrong-type", 1),
      ("{\"user\":[],\"time\":1,\"event\":\"e\"}", "wrong-type", 1),
      ("{\"user\":\"u\",\"time\":1.5,\"event\":\"e\"}", "invalid-time", 1), ("{}\n", "missing-user", 1),
      ("{\"user\":\"u\",\"time\":1,\"event\":\"e\"}\n[]", "wrong-type", 2),
      ("{" + String(repeating: " ", count: CSVReader.longestRecord), "record-too-long", 1),
      (String(repeating: "\n", count: CSVReader.longestRecord + 1), "record-too-long", 1),
      ("{\"a\":" + String(repeating: "[", count: 100_000), "too-deep", 1),
    ])
  func `An events file with an error is rejected with the line and a code`(
    text: String, code: String, line: Int
  ) {
    #expect { try Self.users(text) } throws: { error in
      let error = error as? EventFileError
      #expect(error?.code == code)
      return error?.line == line
    }
  }

  @Test func `An events file gives users by name in the order of their first rows`() throws {
    let files = [
      "user,time,event,revenue,currency,campaign,installed\nu,5,e,1.5,eur,c,1\n\"v\"\"w\",1,e,,,,\nu,2,f,,,,\n",
      "\u{FEFF}event,other,user,time\r\ne,x,ü,2026-01-01\r\n\"a,b\",y,ü,1\r\n",
      #"{"user":"u","time":1,"event":"e","revenue":1.25}"# + "\n\n"
        + #"{"user":"\\u00fc","time":"2","event":"f","conversion-tag":"t"}"#,
      "user,time,event\n" + (0..<900).map { "\($0 * 7 % 300),\($0),e\n" }.joined(),
    ]
    var reader = PopulationReader(currency: CurrencyCode("USD"))
    reader.blockSize = 500
    for text in files {
      for size in [1, 7, 1000] {
        for threads in [1, 3] {
          reader.threads = threads
          var users: [UserHistory] = []
          let population = try reader.read(Array(text.utf8), chunk: size) { users.append($0) }
          let expected = try Self.users(text).map { UserHistory(name: $0.name, events: $0.events) }
          #expect(users == expected, "\(size) bytes at a time")
          #expect(population.users == users.count)
        }
      }
    }
  }

  @Test func `An events file gives no user all of whose rows are skipped`() throws {
    var reader = PopulationReader()
    reader.mistakes = .skip
    let text = "user,time,event,installed\na,1,e,\nb,1,e,2\nc,x,e,\nd,3,e,\nb,1,f,2\n"
    var names: [String] = []
    let population = try reader.read(Array(text.utf8)) { names.append($0.name) }
    #expect(names == ["a", "d"])
    #expect(population.skipped.count == 3)
  }

  @Test func `An events file accepts the last possible moment`() throws {
    #expect(
      try Self.read("user,time,event\nu,253402300799,e\n").first?.time.description == "9999-12-31T23:59:59Z")
  }
}
