import Arguments
import Campaigns
@testable import Commands
import Configuration
import HTTPServer
import Intake
import Ledger
import PostbackFixtures
import Reports
@testable import Routing
@testable import Service
import System
import Tables
import Testing
import TestSupport
import Values
import Verification

/// A report as a newcomer would add it: this type, and a line in the list of reports.
private struct Weekdays: Report {
  enum Order: String, CaseIterable, ParameterValue { case week, name }

  var order = Order.week
  var most = 5

  static let name = "weekdays"
  static let summary = "Count the weekdays."
  static let discussion = ["A week has seven days."]
  static let examples: [Command.Example] = [.init("Print them", "skan report weekdays -d skan.db")]
  static let pageSize: Int? = 2
  static let isCheck = true
  static let parameters: [Parameter<Self>] = [
    .init("order", \.order, "Order of the rows."),
    .init("most", \.most, "Letters that the check allows.", in: 1...9),
  ]
  static let columns: [Column<String>] = [
    Column("weekday", "day", "Name of the day.") { Identifier($0) },
    Column("letters", "letters", "Letters of its name.", \.count),
  ]

  func rows(from source: ReportSource) throws -> Rows<String> {
    let week = ["Mon", "Tues", "Wednes"]
    var rows = Rows.held(order == .week ? week : week.sorted().reversed(), key: { $0 })
    rows.isCheckFailed = week.contains { $0.count > most }
    return rows
  }
}

/// A service in this process that has the report.
private final class Fixture {
  private static let token = "read-0123456789abc"
  private let folder: TemporaryFolder
  private let ledger: PostbackLedger
  private let service: PostbackService
  var database: String { folder.file("skan.db") }

  init(_ resource: ReadResource) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    ledger = try PostbackLedger(path: database)
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    let context = ServiceContext(
      database: database, access: Access(readTokens: [.init(of: Array(Self.token.utf8))]))
    service = try PostbackService(
      configuration, context, intake: PostbackIntake(keyring: try Keyring(), ledger: ledger), ledger: ledger,
      resources: [resource])
    self.folder = folder
  }

  func get(_ path: String) throws -> HTTPAnswer {
    try HTTPClient(port: service.address.port).request(
      "GET", path, headers: [("Authorization", "Bearer \(Self.token)")], body: [])
  }

  deinit {
    service.stop(withinSeconds: 10)
    ledger.close()
  }
}

struct `A new report` {
  private let kind = ReportKind(Weekdays.self)
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture(
      ReadResource(ReportKind(Weekdays.self)) { ReportSource(reader: $0.reader, now: $0.now) })
  }

  private func run(_ words: String...) throws -> Outcome {
    let console = Console.captured()
    let code = Commands.run(
      ["report", "weekdays", "-d", fixture.database] + words,
      among: [EntryGroup("new", "Print the new report.", [Entry(kind)])],
      in: CommandContext(console: console, clock: { noon }, answersSignals: false))
    return Outcome(code: code, output: console.output.captured, errors: console.errors.captured)
  }

  @Test func `A new report has a command with help, completions and a page of the manual`() throws {
    let program = Program.skan([EntryGroup("new", "Print the new report.", [Entry(kind)])])
    let help = program.help(on: ["report", "weekdays"], columns: 100)
    #expect(help.contains("Count the weekdays."))
    #expect(help.contains("--order NAME"))
    #expect(help.contains("[one of: week, name; default: week]"))
    #expect(help.contains("--exit-code"))
    for shell in Shell.allCases {
      let completions = program.completions(for: shell)
      #expect(completions.contains("weekdays") && completions.contains("order"))
    }
    #expect(program.manual(on: ["report", "weekdays"], version: "1", date: "").contains("A week has seven"))
  }

  @Test func `A new report is printed for people and programs`() throws {
    #expect(
      try run().output == """
        day     letters
        ──────  ───────
        Mon           3
        Tues          4
        Wednes        6

        """)
    #expect(
      try run("--format", "csv", "--order", "name").output
        == "weekday,letters\r\nWednes,6\r\nTues,4\r\nMon,3\r\n")
    #expect(try run("--exit-code").code == .failedCheck)
    #expect(try run("--exit-code", "--most", "6").code == .done)
    let wrong = try run("--order", "nmae")
    #expect(wrong.code == .usage && wrong.errors.contains("Did you mean 'name'?"))
  }

  @Test func `A new report is answered over HTTP in pages`() throws {
    let first = try fixture.get("/v1/reports/weekdays")
    #expect(first.status == 200)
    #expect(first.text.hasPrefix("{\"rows\":[\n{\"weekday\":\"Mon\",\"letters\":3},\n{\"weekday\":\"Tues\""))
    let link = try #require(first.header("link"))
    let second = try fixture.get("/v1/reports/weekdays" + link.dropFirst().prefix { $0 != ">" })
    #expect(second.text.hasPrefix("{\"rows\":[\n{\"weekday\":\"Wednes\""))
    #expect(second.header("link") == nil)
    let wrong = try fixture.get("/v1/reports/weekdays?most=0")
    #expect(wrong.status == 400)
    #expect(wrong.text.contains("\"member\":\"most\""))
    #expect(wrong.text.contains("found '0'; use a whole number from 1 to 9."))
    #expect(try fixture.get("/v1/reports/weekdays?cursor=abc").status == 400)
    #expect(try fixture.get("/v1/reports/weekdays?format=table").status == 400)
  }

  @Test func `A new report has parameters and a schema for OpenAPI, and a section of the documentation`() {
    #expect(kind.openAPIParameters.count == 7)
    #expect(kind.schema.text().contains("\"weekday\":{\"type\":\"string\""))
    #expect(kind.markdown.contains("| `letters` | letters | Letters of its name. |"))
    #expect(kind.markdown.contains("`GET /v1/reports/weekdays`"))
  }

  @Test func `A report has a parameter for every property`() {
    for kind in reports {
      let shared = ["--table", "--sort", "--columns"]
      #expect(kind.options.filter { !shared.contains($0.name) }.count == kind.propertyCount, "\(kind)")
    }
  }
}
