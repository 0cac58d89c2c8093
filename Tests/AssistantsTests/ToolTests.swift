import Alerts
import Arguments
@testable import Assistants
import Campaigns
import JSONText
import Ledger
import PostbackFixtures
import Reports
import Tables
import Testing
import TestSupport
import Values

private let test: JSONOutput.Member = .init("environment", "test")

struct `A tool of an assistant` {
  @Test func `A tool of an assistant is made of each report and listing, and reads only`() throws {
    let tools = try Fixture(conversions: 1).result("tools/list").rows("tools")
    let names = tools.compactMap { $0["name"]?.value.string }
    let kinds = reports + listings + commandReports
    #expect(
      names == ["report_alerts"] + kinds.map { $0.commandName.split(separator: " ").joined(separator: "_") }
        + ["explain"])
    #expect(Set(names).count == names.count)
    for tool in tools {
      let annotations = tool["annotations"]?.value.object
      #expect(annotations?["readOnlyHint"]?.value.bool == true)
      #expect(annotations?["destructiveHint"]?.value.bool == false)
      #expect(tool["description"]?.value.string?.isEmpty == false)
      #expect(tool["inputSchema"]?.value.object?["type"]?.value.string == "object")
    }
    for (kind, tool) in zip(kinds, tools.dropFirst()) {
      let members = tool["inputSchema"]?.value.object?["properties"]?.value.object?.members.map(\.name)
      let own = kind.options.map { String($0.name.dropFirst(2)) }.filter { $0 != "table" }
      #expect(members == own + (kind.pageSize == nil ? ["limit"] : ["limit", "cursor"]), "\(kind.name)")
    }
  }

  @Test func `A tool of an assistant has the rows, notes and tables that the report prints`() throws {
    let fixture = try Fixture()
    let source = ReportSource(reader: try LedgerReader(path: fixture.database), now: noon)
    for kind in reports + listings {
      let asked = kind.options.contains { $0.name == "--environment" }
      var printed = ""
      let job = try kind.job(asked ? ["environment": ["test"]] : [:])
      _ = try job(source, Delivery(.json), { false }) {
        printed += $0; return true
      }
      let expected = try #require(try JSONReader.read(Array(printed.utf8)).value.object)
      let name = AssistantTool.name(ofCommand: kind.commandName)
      let answer = try fixture.call(name, .object((asked ? [test] : []) + [.init("limit", 1000)]))
      #expect(!answer.isError, "\(name): \(answer.text)")
      let found = try #require(answer.structured)
      for member in expected.members where member.name != "next" {
        let value = found[member.name].map { JSONOutput($0.value) }
        #expect(value == JSONOutput(member.value.value), "\(name): \(member.name)")
      }
    }
  }

  @Test func `A tool of an assistant takes numbers, texts and arrays for one another`() throws {
    let fixture = try Fixture()
    func rows(_ arguments: [JSONOutput.Member]) throws -> [JSONOutput] {
      let answer = try fixture.call("report_campaigns", .object([test] + arguments))
      #expect(!answer.isError, "\(answer.text)")
      return answer.structured?.rows().map { JSONOutput(.object($0)) } ?? []
    }
    let by = try rows([.init("by", ["app", "network"])])
    #expect(by.count == 2)
    #expect(try rows([.init("by", "app,network")]) == by)
    #expect(try rows([.init("by", ["app", "network"]), .init("app", 525_463_029)]) == by)
    #expect(
      try rows([.init("by", ["app", "network"]), .init("app", ["525463029"]), .init("share", .null)]) == by)
    #expect(try rows([.init("by", ["network"]), .init("app", [1])]).isEmpty)
  }

  @Test(arguments: [
    (#"{"by":["planet"]}"#, ["'by'", "found 'planet'", "campaign"]),
    (#"{"bye":["app"]}"#, ["'bye'", "no such parameter", "Did you mean 'by'?"]),
    (#"{"from":"yesterday"}"#, ["'from'", "found 'yesterday'", "2026-11-21"]),
    (#"{"app":{"id":5}}"#, ["'app'", "found an object"]), (#"{"limit":0}"#, ["'limit'", "1 to 1000"]),
    (#"{"limit":"many"}"#, ["'limit'", "found 'many'"]),
    (#"{"cursor":"abc"}"#, ["'cursor'", "begin without"]),
    (#"{"sort":["nothing"]}"#, ["'sort'", "nothing"]), (#"{"from":[]}"#, ["'from'", "no value"]),
    (#"{"table":"not-counted"}"#, ["'table'", "no such parameter"]),
  ])
  func `A tool of an assistant states what was found, what is allowed and the cure`(
    arguments: String, words: [String]
  ) throws {
    let fixture = try Fixture(conversions: 2)
    let given = JSONOutput(try JSONReader.read(Array(arguments.utf8)).value)
    let answer = try fixture.call("report_campaigns", given)
    #expect(answer.isError)
    #expect(answer.structured == nil)
    for word in words { #expect(answer.text.contains(word), "\(answer.text)") }
  }

  @Test func `A tool of an assistant explains each column with its unit, its interval and a link`() throws {
    let fixture = try Fixture()
    let answer = try fixture.call("report_nulls", .object([test]))
    let columns = try #require(answer.structured?.rows("columns"))
    let rows = try #require(answer.structured?.rows())
    var named: Set<String> = []
    for column in columns where column["table"]?.value.string == "rows" {
      for member in ["names", "interval"] {
        named.formUnion((column[member]?.value.array ?? []).compactMap(\.value.string))
      }
    }
    #expect(named == Set(rows.flatMap { $0.members.map(\.name) }))
    func firstName(_ column: JSONObject) -> String? { column["names"]?.value.array?.first?.value.string }
    let share = try #require(columns.first { firstName($0) == "null-share" })
    #expect(share["unit"]?.value.string == "share, from 0 to 1")
    #expect(
      share["interval"]?.value.array?.compactMap(\.value.string) == ["null-share-low", "null-share-high"])
    #expect(share["explanation"]?.value.string?.isEmpty == false)
    let link = try #require(share["link"]?.value.string)
    let guide = try fixture.result("resources/read", ["uri": .string(link)])
    let text = guide.rows("contents").first?["text"]?.value.string
    #expect(text?.contains("`null-share`") == true)
    #expect(answer.text.contains("skan://tools/report_nulls"))
  }

  @Test func `A tool of an assistant gives some rows, states how many there are, and goes on where asked`()
    throws
  {
    let fixture = try Fixture()
    let first = try fixture.call("report_postbacks", .object([test]))
    #expect(first.structured?.rows().count == 50)
    let next = try #require(first.structured?["next"]?.value.string)
    #expect(first.structured?["left-out"]?.value.string?.contains(next) == true)
    #expect(first.text.contains(next))
    var ids = first.structured?.rows().compactMap { $0["id"]?.value.string } ?? []
    var cursor: String? = next
    while let place = cursor {
      let page = try fixture.call("report_postbacks", .object([test, .init("cursor", .string(place))]))
      ids += page.structured?.rows().compactMap { $0["id"]?.value.string } ?? []
      cursor = page.structured?["next"]?.value.string
    }
    #expect(ids.count == 120)
    #expect(Set(ids).count == 120)

    let whole = try fixture.call("report_nulls", .object([test, .init("limit", 7)]))
    let all = try fixture.call("report_nulls", .object([test, .init("limit", 1000)]))
    let count = all.structured?.rows().count ?? 0
    #expect(whole.structured?.rows().count == 7)
    #expect(whole.structured?["left-out"]?.value.string?.contains("7 of \(count) rows") == true)
    #expect(all.structured?["left-out"] == nil)
  }

  @Test func `A tool of an assistant explains one postback, or states that there is none`() throws {
    let fixture = try Fixture()
    let found = try fixture.call("explain", ["id": "conversion-5"])
    #expect(!found.isError)
    #expect(found.structured?["id"]?.value.string == "conversion-5")
    #expect(found.structured?.rows("conversions").count == 1)
    let missing = try fixture.call("explain", ["id": "conversion-x"])
    #expect(missing.isError)
    #expect(missing.text.contains("'conversion-x'"))
    #expect(try fixture.call("explain").isError)
  }

  @Test func `A tool of an assistant states the trouble with a database that is gone`() throws {
    let folder = try TemporaryFolder()
    let server = Fixture.server(of: folder.file("none.db"))
    let answer = try object(of: server.answer(message("tools/call", ["name": "report_campaigns"])))
    let result = try #require(answer["result"]?.value.object)
    #expect(result.isError)
    #expect(!result.text.contains("bug"))
  }

  @Test func `A tool of an assistant keeps the whole list of tools short enough for an assistant`() throws {
    let fixture = try Fixture(conversions: 1)
    let list = try #require(fixture.server.answer(message("tools/list")).body)
    #expect(list.count < 400_000, "\(list.count)")
  }
}
