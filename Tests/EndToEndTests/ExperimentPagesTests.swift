import Foundation
import TestSupport
import Testing

/// A daemon with simulated postbacks of two campaigns, a mapping in force and a folder of samples.
private final class Bench {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let sample = root.appending(path: "tools/samples/launch-events.csv.gz").path
  private static let mapping = root.appending(path: "tools/samples/launch-mapping.json").path

  let folder: TemporaryFolder
  let daemon: Daemon
  /// The first and the last day with postbacks.
  private(set) var days = ("", "")
  private var cookie = ""
  var database: String { folder.file("skan.db") }

  init() throws {
    folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let key = folder.file("key.json")
    let postbacks = folder.file("postbacks.ndjson")
    let samples = folder.file("samples")
    try FileManager.default.createDirectory(atPath: samples, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.sample, toPath: "\(samples)/launch.csv.gz")
    func skan(_ words: String...) throws -> String { try Subprocess.run("skan", words).output }
    _ = try skan("sign", "--quiet", "--new-key", key)
    _ = try skan(
      "simulate", "--quiet", "--mapping", Self.mapping, "--events", Self.sample, "--threshold", "default",
      "--network", "game.skadnetwork", "--postbacks", postbacks, "--test-key", key)
    _ = try skan("mapping", "load", "--quiet", "--database", database, Self.mapping)
    _ = try skan(
      "ingest", "--quiet", "--database", database, "--trust-test-keys", key, "--received-at-member",
      "simulated-arrival", postbacks)
    let token = try skan("token", "create", "-d", database, "--reader", "anna")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    daemon = try Daemon(
      database, ["--pages", "127.0.0.1:0", "--trust-test-keys", key, "--samples", samples])
    let listed = try skan(
      "report", "campaigns", "-d", database, "--environment", "test", "--by", "day", "--columns", "day",
      "--format", "csv"
    ).split(whereSeparator: \.isNewline).map(String.init).filter { $0.first?.isNumber == true }.sorted()
    days = (try #require(listed.first), try #require(listed.last))
    let origin = "http://127.0.0.1:\(daemon.pagesPort)"
    let answer = try HTTPClient(port: daemon.pagesPort).request(
      "POST", "/sign-in",
      headers: [
        ("Host", "127.0.0.1:\(daemon.pagesPort)"), ("Origin", origin),
        ("Content-Type", "application/x-www-form-urlencoded"),
      ], body: Array("token=\(token)".utf8))
    cookie = String(try #require(answer.header("set-cookie")).prefix { $0 != ";" })
  }

  func get(_ path: String) throws -> HTTPAnswer {
    try HTTPClient(port: daemon.pagesPort).request(
      "GET", path, headers: [("Host", "127.0.0.1:\(daemon.pagesPort)"), ("Cookie", cookie)], body: [])
  }

  /// The days with postbacks and their environment, as an address has them.
  var span: String { "environment=test&from=\(days.0)&through=\(days.1)" }

  /// The text between two others.
  static func between(_ start: String, _ end: String, in page: String) throws -> String {
    let from = try #require(page.firstRange(of: start), "\(start)")
    let rest = page[from.upperBound...]
    return String(rest[..<(try #require(rest.firstRange(of: end), "\(end)")).lowerBound])
  }

  /// The numbers that a page marks up, in order.
  static func data(_ page: String) -> [String] {
    page.components(separatedBy: "<data value=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }
}

struct `The pages of experiments` {
  @Test
  func `The page that compares has the figures of the command, the sequence first and one look marked`()
    throws
  {
    let bench = try Bench()
    let arms = "a=game.skadnetwork/04&b=game.skadnetwork/02&planned=2000"
    let page = try bench.get("/experiments?\(bench.span)&\(arms)").text
    let end = try #require(Self.dayAfter(bench.days.1))
    let json = try Subprocess.run(
      "skan",
      [
        "experiment", "compare", "-d", bench.database, "--environment", "test", "--a",
        "game.skadnetwork/04", "--b", "game.skadnetwork/02", "--planned", "2000", "--from", bench.days.0,
        "--to", end, "--format", "json",
      ]
    ).output
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let differences = try #require(object["differences"] as? [[String: Any]])
    let (sequence, fixed) = (differences[0], differences[1])
    func bound(_ difference: [String: Any], _ name: String) -> Double {
      difference["interval-\(name)"] as? Double ?? .nan
    }
    let first = try #require(page.firstRange(of: "id=\"h-sequence\""))
    let second = try #require(page.firstRange(of: "id=\"h-one-look\""))
    #expect(first.lowerBound < second.lowerBound)
    let shown = Bench.data(String(page[first.lowerBound...])).compactMap { Double($0) }
    #expect(abs(shown[1] - bound(sequence, "low")) < 2e-6 && abs(shown[2] - bound(sequence, "high")) < 2e-6)
    let once = String(page[second.lowerBound...])
    #expect(once.contains("For one look only</span>"))
    let bounds = Bench.data(once).compactMap { Double($0) }
    #expect(abs(bounds[1] - bound(fixed, "low")) < 2e-6 && abs(bounds[2] - bound(fixed, "high")) < 2e-6)
    let decision = try #require((object["decision"] as? [[String: Any]])?.first)
    let stops = (decision["action"] as? String) == "stop"
    let verdict = try Bench.between("id=\"verdict\">", "</b>", in: page)
    #expect(verdict.contains(stops ? "Stop:" : "Continue:"), "\(verdict)")
    let a = try #require((object["rows"] as? [[String: Any]])?.first)
    #expect(page.contains("<data value=\"\(try #require(a["conversions"] as? Int))\">"))
    #expect(
      page.contains("/postbacks?environment=test&amp;network=game.skadnetwork&amp;")
        || page.contains("network=game.skadnetwork&amp;campaign=04&amp;digits=2&amp;window=1"))
  }

  @Test func `The page that compares rejects what is no network or campaign, no measure or no event`() throws
  {
    let bench = try Bench()
    for (query, reason) in [
      ("a=n/x", "NETWORK/CAMPAIGN"), ("a=n/1&b=n/1", "which arm A has too"),
      ("a=n&b=n/1", "which arm A has too"), ("measure=magic", "null-rate"),
      ("a=n/1&b=n/2&measure=event:never", "never"), ("planned=0", "planned"),
    ] {
      let answer = try bench.get("/experiments?\(query)")
      #expect(answer.status == 400 && answer.text.contains(reason), "\(query)")
    }
    #expect(try bench.get("/experiments").text.contains("Choose what to compare"))
    let nothing = try bench.get("/experiments?a=game.skadnetwork/04&b=game.skadnetwork/02&last=7d")
    #expect(nothing.status == 200 && nothing.text.contains("Found no winning window 1 postback"))
  }

  @Test func `The page that plans has the sizes of the command, and leads to the comparison`() throws {
    let bench = try Bench()
    let page = try bench.get(
      "/experiments/plan?sample=launch.csv.gz&difference=20&nulls=25&installs-per-day=800")
    #expect(page.status == 200)
    let json = try Subprocess.run(
      "skan",
      [
        "experiment", "plan", "--mapping", Self.path("launch-mapping.json"), "--events",
        Self.path("launch-events.csv.gz"), "--difference", "20", "--null-percent", "25",
        "--installs-per-day", "800", "--format", "json",
      ]
    ).output
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let planned = try #require(object["planned"] as? Int)
    let size = try #require(object["sample-size"] as? [String: [String: Any]])
    let daily = try #require(size["daily"])
    for name in ["installs-a", "installs-b", "values-shown", "days"] {
      let number = try #require(daily[name] as? Int)
      #expect(page.text.contains("<data value=\"\(number)\">"), "\(name) \(number)")
    }
    #expect(page.text.contains("/experiments?planned=\(planned)"))
  }

  @Test func `The page that plans names what is missing or cannot be planned`() throws {
    let bench = try Bench()
    #expect(try bench.get("/experiments/plan").text.contains("Choose the users"))
    #expect(
      try bench.get("/experiments/plan?sample=..%2Fskan.db").text.contains("There is no such events file"))
    #expect(
      try bench.get("/experiments/plan?sample=launch.csv.gz&version=9").text.contains("no such mapping"))
    #expect(
      try bench.get("/experiments/plan?sample=launch.csv.gz&measure=event:never").text.contains(
        "No value of the mapping has the event"))
    for query in ["difference=0", "nulls=100", "measure=null-rate", "power=100", "split=0"] {
      #expect(try bench.get("/experiments/plan?\(query)").status == 400, "\(query)")
    }
  }

  private static func path(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "tools/samples/\(name)").path
  }

  private static func dayAfter(_ day: String) -> String? {
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withFullDate]
    return format.date(from: day).map { format.string(from: $0.addingTimeInterval(86_400)) }
  }
}

struct `The map of values` {
  @Test func `The map of values shows what a simulation of a stored sample expects, where it is asked for`()
    throws
  {
    let bench = try Bench()
    let usual = try bench.get("/values?\(bench.span)").text
    #expect(usual.contains("<option value=\"launch.csv.gz\">simulation of launch.csv.gz</option>"))
    #expect(!usual.contains("a simulation of the users of"))
    let page = try bench.get("/values?\(bench.span)&sample=launch.csv.gz").text
    #expect(page.contains("a simulation of the users of <bdi>launch.csv.gz</bdi>"))
    // The postbacks are of these very users and this mapping, so hardly a cell can be off by more than chance.
    let signs = page.components(separatedBy: "<span class=\"m\">").dropFirst().filter {
      $0.hasPrefix("+") || $0.hasPrefix("−")
    }
    #expect(signs.count <= 2, "\(signs.count) cells are marked")
    let gone = try bench.get("/values?\(bench.span)&sample=nothing.csv").text
    #expect(gone.contains("There is no such file of users"))
  }
}

struct `A figure of the pages` {
  @Test func `A figure of the pages leads to as many postbacks as it counts`() throws {
    let bench = try Bench()
    var checked = 0
    for path in ["/", "/arrived", "/campaign", "/arrivals", "/withheld", "/values"] {
      let more = path == "/campaign" ? "&network=game.skadnetwork&campaign=04" : ""
      let page = try bench.get("\(path)?\(bench.span)\(more)").text
      let links = page.components(separatedBy: "<a href=\"/postbacks?").dropFirst().compactMap {
        part -> (address: String, count: Int)? in
        guard let middle = part.firstRange(of: "\"><data value=\"") else { return nil }
        let count = Int(part[middle.upperBound...].prefix { $0 != "\"" })
        // A share of all has the value 1.
        if path == "/arrived", part[..<middle.lowerBound].contains("value=none") { return nil }
        return count.map {
          ("/postbacks?" + part[..<middle.lowerBound].replacing("&amp;", with: "&"), $0)
        }
      }
      #expect(!links.isEmpty, "\(path)")
      // Every tenth: each costs a file of its own.
      for (index, link) in links.enumerated() where index.isMultiple(of: 10) && link.count < 10_000 {
        let rows = try bench.get("\(link.address)&format=csv").text.split(whereSeparator: \.isNewline)
        #expect(rows.count - 1 == link.count, "\(path): \(link.address)")
        checked += 1
      }
    }
    #expect(checked > 12)
  }

  @Test func `The navigation marks the entry that a page below it belongs to`() throws {
    let bench = try Bench()
    for (path, entry) in [
      ("/data/spend", "/data"), ("/postbacks/check", "/postbacks"), ("/experiments/plan", "/experiments"),
    ] {
      let page = try bench.get(path).text
      let navigation = try Bench.between("<nav class=\"nav\"", "</nav>", in: page)
      #expect(navigation.contains("href=\"\(entry)\" aria-current=\"true\""), "\(path)")
      #expect(navigation.components(separatedBy: "aria-current").count == 2, "\(path)")
    }
    let own = try Bench.between("<nav class=\"nav\"", "</nav>", in: bench.get("/data").text)
    #expect(own.contains("href=\"/data\" aria-current=\"page\""))
  }
}
