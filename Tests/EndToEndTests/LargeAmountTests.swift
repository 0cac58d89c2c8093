import Foundation
import JSONText
import TestSupport
import Testing

private let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "tools/samples/apple-signed.ndjson")

/// The largest amount that millionths in 64 bits can hold; currencies of small units get there.
private let most = "9223372036854.775807"

/// Postbacks of two weeks, spend, rates, totals, installs, proceeds and own users, all with amounts and counts at their limits.
private func fill(_ database: String, in folder: borrowing TemporaryFolder) throws {
  func run(_ words: String...) throws {
    let result = try Subprocess.run("skan", words.map { $0 == "DB" ? database : $0 })
    #expect(result.exitCode == 0, "\(words): \(result.errors)")
  }
  let lines = try String(contentsOf: samples, encoding: .utf8).split(separator: "\n")
  let now = Date.now
  func day(_ back: Double) -> String { (now - back * 86_400).formatted(.iso8601.year().month().day()) }
  for (version, back) in [("4.0", 0.0), ("3.0", 9), ("2.", 16)] {
    let own = lines.filter { $0.contains("\"version\":\"\(version)") }.joined(separator: "\n")
    let file = try folder.write(own, to: "\(version).ndjson")
    let time = (now - back * 86_400).formatted(.iso8601)
    try run("ingest", "--quiet", "-d", "DB", "--received-at", time, file)
  }
  let mapping = """
    {"name":"m","app":525463029,"currency":"VND","effective-from":"2020-01-01","protocol":"skan4",
     "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},
             {"value":20,"revenue":{"from":1,"to":\(most)}},
             {"value":63,"revenue":{"from":5000000000000,"representative":9000000000000}}]}
    """
  try run("mapping", "load", "--quiet", "-d", "DB", try folder.write(mapping, to: "m.json"))
  let days = (0..<30).map { day(Double($0)) }
  func rows(_ kind: String, _ head: String, _ line: (String) -> String) throws {
    let file = try folder.write(([head] + days.map(line)).joined(separator: "\n"), to: "\(kind).csv")
    try run(kind, "import", "--quiet", "-d", "DB", file)
  }
  try rows("spend", "date,network,campaign,amount,currency,impressions,clicks") {
    "\($0),com.example,5239,\(most),VND,1000000000000,1000000000000"
  }
  try rows("totals", "date,network,installs,revenue,currency") {
    "\($0),com.example,1000000000000,\(most),VND"
  }
  try rows("installs", "date,app,installs") { "\($0),525463029,1000000000000" }
  try rows("proceeds", "date,app,proceeds,currency,commission,refunds,tax") {
    "\($0),525463029,\(most),VND,\(most),\(most),\(most)"
  }
  let rates = "date,currency,quote,rate\n2020-01-01,VND,USD,0.00004\n2020-01-01,EUR,VND,1000000"
  try run("rates", "import", "--quiet", "-d", "DB", try folder.write(rates, to: "rates.csv"))
  let users = (0..<100).flatMap { user in
    let installed = now - Double(60 - user % 20) * 86_400
    func line(_ event: String, _ hours: Double, _ amount: String) -> String {
      "u\(user),\((installed + hours * 3600).formatted(.iso8601)),\(event),\(amount)"
    }
    return [line("install", 0, ","), line("purchase", 2, "\(most),VND"), line("purchase", 99, "\(most),VND")]
  }
  let events = try folder.write(
    (["user,time,event,revenue,currency"] + users).joined(separator: "\n"), to: "events.csv")
  try run(
    "users", "import", "--quiet", "-d", "DB", "--app", "525463029", "--events", events, "--horizon", "7,30")
}

struct `Amounts at their limits` {
  private let pages: PagesFixture

  init() throws {
    pages = try PagesFixture { try fill($0, in: TemporaryFolder()) }
  }

  @Test func `No page ends the daemon where amounts are at their limits`() throws {
    var left = try pages.screens(pages.reader)
    left += [
      "/campaign?network=com.example&campaign=5239", "/campaign?network=com.example&campaign=42&currency=VND",
    ]
    left += ["/", "/causes", "/arrived", "/campaigns"].map { "\($0)?last=7d&currency=USD" }
    var (seen, visited) = (Set(left), [String: Int]())
    while let path = left.popLast() {
      let answer = try pages.get(path, pages.reader)
      #expect(answer.status < 500, "\(path)")
      for link in answer.text.components(separatedBy: "href=\"/").dropFirst() {
        let next = "/" + link.prefix { $0 != "\"" && $0 != "#" }.replacing("&amp;", with: "&")
        let page = String(next.prefix { $0 != "?" })
        guard visited[page, default: 0] < 12, seen.insert(next).inserted else { continue }
        visited[page, default: 0] += 1
        left.append(next)
      }
    }
    #expect(seen.count > 200)
    let page = try pages.get("/campaign?network=com.example&campaign=5239", pages.reader).text
    #expect(page.contains("9,000,000,000,000"))
    #expect(try pages.daemon.get("/healthz").status == 200)
  }

  @Test func `No tool of an assistant ends the daemon where amounts are at their limits`() throws {
    let port = pages.daemon.pagesPort
    func ask(_ method: String, _ params: String) throws -> JSONObject {
      let answer = try HTTPClient(port: port).request(
        "POST", "/mcp",
        headers: [
          ("Host", "127.0.0.1:\(port)"), ("Content-Type", "application/json"),
          ("Accept", "application/json, text/event-stream"), ("Authorization", "Bearer \(pages.readerToken)"),
        ], body: Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#.utf8))
      #expect(answer.status == 200, "\(params): \(answer.text)")
      return try #require(JSONReader.read(answer.body).value.object?["result"]?.value.object)
    }
    let tools = try #require(ask("tools/list", "{}")["tools"]?.value.array)
    #expect(tools.count > 15)
    for tool in tools {
      let members = try #require(tool.value.object)
      let name = try #require(members["name"]?.value.string)
      let known = members["inputSchema"]?.value.object?["properties"]?.value.object
      let currencies = known?["currency"] == nil ? [""] : ["", #""currency":"USD""#, #""currency":"VND""#]
      for currency in currencies {
        _ = try ask("tools/call", #"{"name":"\#(name)","arguments":{\#(currency)}}"#)
      }
    }
    #expect(try pages.daemon.get("/healthz").status == 200)
  }

  @Test(arguments: [
    "digest", "report estimates --by network --horizon 7", "report priors", "report proceeds",
  ])
  func `No report ends its process where amounts are at their limits`(command: String) throws {
    let words = command.split(separator: " ").map { String($0) }
    #expect(try Subprocess.run("skan", words + ["-d", pages.database]).exitCode == 0)
  }
}
