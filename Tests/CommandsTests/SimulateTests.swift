import Foundation
import System
import TestSupport
import Testing
import Values

/// The folder of golden scenarios, one for each rule.
private let scenarios = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
  path: "Scenarios")

struct `skan simulate` {
  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: scenarios.path)) ?? []).filter {
      $0.hasSuffix(".json")
    }
    .map { String($0.dropLast(5)) }.sorted()

  @Test func `skan simulate has a scenario for each rule`() { #expect(Self.names.count >= 14) }

  @Test(arguments: names) func `skan simulate replays a golden scenario`(name: String) throws {
    let file = scenarios.appending(path: "\(name).json").path
    let table = skan("simulate", file, "--threads", "1")
    #expect(table.code == .done)
    // What people see leaves out which values came; the JSON has them.
    let json = skan("simulate", file, "--threads", "3", "--format", "json").output
    try expectGolden(table.output + "\n" + values(in: json), "scenario-\(name).txt")
    if name == "tiers" { try expectGolden(json, "scenario-\(name).out.json") }
  }

  /// A line for each window with postbacks of each campaign: values as `value:count`, and hours of delay likewise.
  private func values(in json: String) throws -> String {
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let variants = try #require(document?["variants"] as? [[String: Any]])
    var lines: [String] = []
    for variant in variants {
      for campaign in try #require(variant["campaigns"] as? [[String: Any]]) {
        for window in try #require(campaign["windows"] as? [[String: Any]]) {
          let counts = [
            "true-fine", "visible-fine", "revenue-by-fine", "true-coarse", "visible-coarse", "delay-by-hour",
          ].compactMap { name -> String? in
            let numbers = (window[name] as? [NSNumber])?.enumerated().filter { $1 != 0 } ?? []
            guard !numbers.isEmpty else { return nil }
            return name + " " + numbers.map { "\($0.offset):\($0.element)" }.joined(separator: " ")
          }
          guard !counts.isEmpty else { continue }
          let place = ["name", "campaign"].map { "\(variant[$0] ?? campaign[$0] ?? "-")" }
          lines.append(
            (place + ["window \(window["window"] ?? "-")"]).joined(separator: ", ") + "; "
              + counts.joined(separator: "; "))
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private let mapping = #"""
    {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
     "grids":[{"first-value":1,"revenue":[0,1,5,10,50]}]}
    """#

  @Test func `skan simulate takes names of countries, and asks for codes only where it needs them`() throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "mapping.json")
    func run(_ country: String, _ more: String...) throws -> Outcome {
      let rows = try folder.write("user,time,event,country\nu,1767225600,open,\(country)\n", to: "events.csv")
      return outcome(of: ["simulate", "--mapping", mapping, "--events", rows] + more)
    }
    #expect(try run("United States").code == .done)
    #expect(try run("United States", "--protocol", "aak").code == .done)
    let odd = try run("Atlantis")
    #expect(odd.code == .done && odd.errors.contains(#"the country "Atlantis" is neither"#))
    let needed = try run("Atlantis", "--protocol", "aak")
    #expect(needed.code == .data && needed.errors.contains("--protocol aak needs countries"))
  }

  private func events(users: Int) -> String {
    var random = SplitMix64(seed: 3)
    var rows = ["user,time,event,revenue,campaign"]
    for user in 0..<users {
      let start = 1_767_225_600 + random.number(below: 20 * 86_400)
      for _ in 0..<(1 + random.number(below: 6)) {
        let time = start + random.number(below: 4 * 86_400)
        let money = random.happens(0.4) ? "\(random.number(below: 30)).5" : ""
        rows.append("u\(user),\(time),open,\(money),\(random.happens(0.1) ? "" : "c\(user % 7)")")
      }
    }
    let head = rows.removeFirst()
    for index in rows.indices { rows.swapAt(index, random.number(below: rows.count)) }
    return head + "\n" + rows.joined(separator: "\n") + "\n"
  }

  @Test func `skan simulate gives the same bytes on any number of threads and with any memory`() throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "m.json")
    let events = try folder.write(events(users: 3000), to: "e.csv")
    func bytes(_ more: [String]) throws -> [String] {
      let html = folder.file("page.html")
      let console = Console.captured(environment: [:], isTerminal: false)
      let words =
        [
          "simulate", "--mapping", mapping, "--events", events, "--threshold", "logistic:20", "--runs", "3",
          "--compare", "@skan3", "--format", "json", "--html", html,
        ] + more
      #expect(skan(words, console: console) == .done)
      return [console.output.captured, try String(contentsOfFile: html, encoding: .utf8)]
    }
    let one = try bytes(["--threads", "1"])
    #expect(one[0].contains("\"comparisons\""))
    #expect(try bytes(["--threads", "4"]) == one)
    #expect(try bytes(["--threads", "2", "--memory", "16"]) == one)
    #expect(try bytes(["--threads", "2", "--seed", "2"]) != one)
  }

  @Test func `skan simulate names the events file without its folders`() throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "m.json")
    let events = try folder.write(events(users: 30), to: "export of May.csv")
    let html = folder.file("page.html")
    let parent = folder.file("").split(separator: "/").last.map(String.init) ?? "/"
    for format in ["table", "json", "csv", "ndjson"] {
      let result = skan(
        "simulate", "--mapping", mapping, "--events", events, "--format", format, "--html", html, "--compare",
        mapping + "@skan3")
      #expect(result.code == .done)
      #expect(!result.output.contains(parent), "\(format)")
      #expect(result.output.contains("export of May.csv") == (format == "table" || format == "json"))
    }
    let page = try String(contentsOfFile: html, encoding: .utf8)
    #expect(!page.contains(parent))
    #expect(page.contains("of export of May.csv"))
    #expect(page.contains("m on SKAdNetwork 3") && !page.contains("@skan3"))
  }

  @Test
  func `skan simulate warns on standard error that groups are too small for the privacy threshold model`()
    throws
  {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "m.json")
    let events = try folder.write(events(users: 200), to: "e.csv")
    let result = skan("simulate", "--mapping", mapping, "--events", events, "--threshold", "hard:45")
    #expect(result.code == .done)
    #expect(result.errors.contains(" installs a day; this model shows conversion values from 45."))
    #expect(
      !skan("simulate", "--mapping", mapping, "--events", events, "--threshold", "hard:1").errors.contains(
        "withheld"))
  }

  @Test(arguments: [
    ("user,time\n1,2\n", "missing-column", 1), ("user,time,event\na,0,x\na,b,x\n", "invalid-time", 3),
    ("user,time,event,revenue,currency\na,0,x,1,XXY\n", "currency-not-listed", 2),
    ("user,time,event,revenue\na,0,x,NaN\n", "invalid-amount", 2),
    ("user,time,event,installed\na,5,x,10\n", "event-before-install", 2),
    ("user,time,event,installed\na,5,x,1\na,5,x,2\n", "two-installs", 3),
  ]) func `skan simulate names the line of a wrong row, or skips it`(text: String, code: String, line: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "m.json")
    let good = "ok,1767225600,x\n"
    let events = try folder.write(text, to: "e.csv")
    let stopped = skan("simulate", "--mapping", mapping, "--events", events)
    #expect(stopped.code == .data)
    #expect(stopped.errors.contains("e.csv:\(line): "))
    #expect(stopped.errors.contains("[\(code)]"))
    guard code != "missing-column" else { return }
    let columns = text.split(separator: "\n")[0].split(separator: ",").count
    let more = good.dropLast() + String(repeating: ",", count: columns - 3) + "\n"
    let mixed = try folder.write(text + more, to: "mixed.csv")
    let skipped = skan("simulate", "--mapping", mapping, "--events", mixed, "--on-error", "skip")
    #expect(skipped.code == .done)
    #expect(skipped.errors.contains("1 row skipped"))
    #expect(skipped.errors.contains("[\(code)]"))
  }

  @Test func `skan simulate finds columns under other names, and lists the existing ones`() throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "m.json")
    let events = try folder.write("install_id,ts,name,extra\na,1767225600,x,1\n", to: "e.csv")
    let found = skan(
      "simulate", "--mapping", mapping, "--events", events, "--columns", "user=install_id,time=ts,event=name")
    #expect(found.code == .done)
    #expect(found.errors.contains("ignored columns: extra"))
    let missing = skan("simulate", "--mapping", mapping, "--events", events, "--columns", "user=nobody")
    #expect(missing.code == .data)
    #expect(missing.errors.contains("install_id"))
    #expect(skan("simulate", "--mapping", mapping, "--events", events, "--columns", "who=x").code == .usage)
  }

  @Test func `skan simulate rejects a command without the options that it needs`() throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "m.json")
    let events = try folder.write("user,time,event\na,1767225600,x\n", to: "e.csv")
    #expect(skan("simulate").code == .usage)
    #expect(skan("simulate", "--mapping", mapping).code == .usage)
    #expect(skan("simulate", "--events", events).code == .usage)
    #expect(skan("simulate", "--mapping", mapping, "--events", events, "--threshold", "magic").code == .usage)
    #expect(skan("simulate", "--mapping", mapping, "--events", events, "--postbacks", "-").code == .usage)
    #expect(skan("simulate", "--mapping", events, "--events", events).code == .data)
    #expect(skan("simulate", folder.file("none.json")).code == .inputOutput)
    let broken = try folder.write(#"{"mapping":"m.json","users":[{"events":[{"event":"x"}]}]}"#, to: "s.json")
    let outcome = skan("simulate", broken)
    #expect(outcome.code == .data)
    #expect(outcome.errors.contains("s.json:1:"))
    #expect(outcome.errors.contains("$.users[0].events[0]"))
  }

  @Test(arguments: [("aak", "DE"), ("4", nil), ("3", nil)] as [(String, String?)])
  func `skan simulate signs postbacks with the source and the country of the events`(
    device: String, country: String?
  ) throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "m.json")
    let rows = "user,time,event,revenue,campaign,source_app,country\nu,1767225600,open,0.5,5239,77,DE\n"
    let events = try folder.write(rows, to: "e.csv")
    #expect(skan("sign", "--new-key", folder.file("key.json")).code == .done)
    let outcome = skan(
      "simulate", "--mapping", mapping, "--events", events, "--protocol",
      device == "aak" ? device : "skan\(device)", "--threshold", "tiers:1,1,1",
      "--postbacks", folder.file("p.ndjson"), "--test-key", folder.file("key.json"))
    #expect(outcome.code == .done)
    let text = try String(contentsOfFile: folder.file("p.ndjson"), encoding: .utf8)
    let body = try #require(
      try JSONSerialization.jsonObject(with: Data(text.split(separator: "\n")[0].utf8)) as? [String: Any])
    #expect((body["country-code"] as? String) == country)
    var signed = body
    // AdAttributionKit signs a text that has the other members in it.
    if let jws = body["jws-string"] as? String {
      var payload = jws.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
      while payload.count % 4 != 0 { payload += "=" }
      let data = try #require(Data(base64Encoded: String(payload)))
      signed = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
    let source = signed["source-app-id"] ?? signed["publisher-item-identifier"]
    #expect((source as? Int) == 77)
  }

  @Test(arguments: ["3", "101%", "-1%", "3 %", "%", "lots"])
  func `skan simulate names the allowed shares of lost updates`(share: String) throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(mapping, to: "m.json")
    let events = try folder.write(events(users: 3), to: "e.csv")
    let option = skan("simulate", "--mapping", mapping, "--events", events, "--lost-updates=\(share)")
    #expect(option.code == .usage)
    #expect(option.errors.contains("a percentage from 0% to 100%, such as 3% or 2.5%"))
    let scenario = try folder.write(
      #"{"mapping":"m.json","users":[{}],"lost-updates":"\#(share)"}"#, to: "s.json")
    let member = skan("simulate", scenario)
    #expect(member.code == .data)
    #expect(member.errors.contains("s.json:1:"))
    #expect(member.errors.contains(#"$["lost-updates"]"#))
  }

  @Test(arguments: [
    ["--html", "e.csv"], ["--html", "m.json"], ["--html", "./m.json"], ["--html", "link.json"],
    ["--html", "hard.json"], ["--compare", "m2.json", "--html", "m2.json"],
    ["--postbacks", "e.csv", "--test-key", "key.json"],
    ["--postbacks", "key.json", "--test-key", "key.json"],
    ["--html", "new", "--postbacks", "new", "--test-key", "key.json"],
    ["--html", "new", "--postbacks", "./new", "--test-key", "key.json"],
  ])
  func `skan simulate overwrites no file that it reads or wrote`(words: [String]) throws {
    let folder = try TemporaryFolder()
    let names = ["m.json", "m2.json", "e.csv", "key.json"]
    for name in ["m.json", "m2.json"] { _ = try folder.write(mapping, to: name) }
    _ = try folder.write(events(users: 3), to: "e.csv")
    #expect(skan("sign", "--new-key", folder.file("key.json")).code == .done)
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.file("link.json"), withDestinationPath: folder.file("m.json"))
    try files.linkItem(atPath: folder.file("m.json"), toPath: folder.file("hard.json"))
    let before = names.map { files.contents(atPath: folder.file($0)) }
    let paths = words.map { $0.hasPrefix("--") ? $0 : folder.file($0) }
    let words = ["simulate", "--mapping", folder.file("m.json"), "--events", folder.file("e.csv")] + paths
    let result = outcome(of: words)
    #expect(result.code == .usage)
    #expect(result.errors.contains("the same file"))
    #expect(names.map { files.contents(atPath: folder.file($0)) } == before)
    #expect(!files.fileExists(atPath: folder.file("new")))
  }

  @Test(arguments: [
    (#""threshold":"foo","events":"e.csv""#, "$.threshold"),
    (#""events":"e.csv","compare":[{"threshold":"hard:0"}]"#, "$.compare[0].threshold"),
    (#""events":"e.csv","users":[]"#, "$.users"),
  ])
  func `skan simulate reports the place of an error in a scenario`(members: String, path: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(mapping, to: "m.json")
    _ = try folder.write(events(users: 3), to: "e.csv")
    let scenario = try folder.write("{\"mapping\":\"m.json\",\(members)}", to: "s.json")
    let result = skan("simulate", scenario)
    #expect(result.code == .data)
    #expect(result.errors.contains("s.json:1:"))
    #expect(result.errors.contains(path))
  }
}
